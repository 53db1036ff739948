#include "formats/safetensors/header.h"

#include <fmt/core.h>

#include <optional>
#include <unordered_set>
#include <utility>

#include "formats/quote.h"
#include "formats/safetensors/json_events.h"

namespace cairn::formats {
namespace {

constexpr std::string_view kMetadataName = "__metadata__";

/// Where in the document the next event stands.
enum class Place : std::uint8_t {
  kDocument,
  kEntries,   // between the members of the document
  kEntry,     // the value of a member
  kMetadata,  // inside "__metadata__"
  kMembers,   // between the members of an entry
  kDtype,
  kShape,    // the value of "shape"
  kShapes,   // inside its list
  kOffset,   // the value of "data_offsets"
  kOffsets,  // inside its list
};

class HeaderEvents final : public JsonEvents {
 public:
  explicit HeaderEvents(SafetensorsHeader& header) : header_(header) {}

  bool start_object(std::size_t elements) override;
  bool end_object() override;
  bool start_array(std::size_t elements) override;
  bool end_array() override;
  bool key(string_t& name) override;
  bool string(string_t& text) override;
  bool number_unsigned(number_unsigned_t value) override;

 private:
  std::string expected() const override;
  bool start_entry(std::string name);
  bool member(std::string_view name);
  bool end_entry();

  SafetensorsHeader& header_;
  Place place_ = Place::kDocument;
  std::unordered_set<std::string> names_;
  std::string metadata_key_;
  SafetensorsEntry entry_;
  std::vector<std::uint64_t> offsets_;
  bool has_dtype_ = false;
  bool has_shape_ = false;
  bool has_offsets_ = false;
};

std::string HeaderEvents::expected() const {
  const std::string name = printable(entry_.name);
  switch (place_) {
    case Place::kDocument:
      return "an object of tensors";
    case Place::kMetadata:
      return fmt::format("a text for {} of {}", metadata_key_, kMetadataName);
    case Place::kDtype:
      return fmt::format("the dtype of \"{}\", a string", name);
    case Place::kShape:
    case Place::kShapes:
      return fmt::format("the shape of \"{}\", a list of whole numbers", name);
    case Place::kOffset:
    case Place::kOffsets:
      return fmt::format("the data_offsets of \"{}\", a list of two whole numbers", name);
    default:
      return fmt::format("an object that describes \"{}\"", name);
  }
}

bool HeaderEvents::start_object(std::size_t elements) {
  if (place_ == Place::kDocument) {
    place_ = Place::kEntries;
    return true;
  }
  if (place_ != Place::kEntry) return JsonEvents::start_object(elements);
  place_ = entry_.name == kMetadataName ? Place::kMetadata : Place::kMembers;
  return true;
}

bool HeaderEvents::end_object() {
  if (place_ == Place::kMembers) return end_entry();
  place_ = Place::kEntries;
  return true;
}

bool HeaderEvents::key(string_t& name) {
  if (place_ == Place::kMembers) return member(name);
  if (place_ == Place::kEntries) return start_entry(name);
  metadata_key_ = printable(name);
  if (header_.metadata.has(name)) {
    return refuse(fmt::format("{}: the key {} stands twice", kMetadataName, metadata_key_));
  }
  header_.metadata.set(name, std::string());
  metadata_key_ = name;
  return true;
}

bool HeaderEvents::start_entry(std::string name) {
  if (!names_.insert(name).second) {
    return refuse(fmt::format("tensor {}: the header holds this name twice", printable(name)));
  }
  entry_ = {.name = std::move(name)};
  offsets_.clear();
  has_dtype_ = has_shape_ = has_offsets_ = false;
  place_ = Place::kEntry;
  return true;
}

bool HeaderEvents::member(std::string_view name) {
  const auto take = [&](bool& has, Place place) {
    if (has) {
      return refuse(fmt::format("tensor {}: {} stands twice", printable(entry_.name), name));
    }
    has = true;
    place_ = place;
    return true;
  };
  if (name == "dtype") return take(has_dtype_, Place::kDtype);
  if (name == "shape") return take(has_shape_, Place::kShape);
  if (name == "data_offsets") return take(has_offsets_, Place::kOffset);
  return refuse(
      fmt::format("tensor {}: found the member \"{}\", expected dtype, shape and "
                  "data_offsets",
                  printable(entry_.name), printable(name)));
}

bool HeaderEvents::string(string_t& text) {
  if (place_ == Place::kMetadata) {
    header_.metadata.set(metadata_key_, std::move(text));
    return true;
  }
  if (place_ != Place::kDtype) return JsonEvents::string(text);
  entry_.dtype = std::move(text);
  place_ = Place::kMembers;
  return true;
}

bool HeaderEvents::start_array(std::size_t elements) {
  if (place_ == Place::kShape) {
    place_ = Place::kShapes;
  } else if (place_ == Place::kOffset) {
    place_ = Place::kOffsets;
  } else {
    return JsonEvents::start_array(elements);
  }
  return true;
}

bool HeaderEvents::end_array() {
  if (place_ == Place::kOffsets) {
    if (offsets_.size() != 2) return found(fmt::format("{} numbers", offsets_.size()));
    entry_.begin = offsets_[0];
    entry_.end = offsets_[1];
  }
  place_ = Place::kMembers;
  return true;
}

bool HeaderEvents::number_unsigned(number_unsigned_t value) {
  if (place_ == Place::kShapes) {
    entry_.shape.push_back(value);
  } else if (place_ == Place::kOffsets && offsets_.size() < 2) {
    offsets_.push_back(value);
  } else {
    return JsonEvents::number_unsigned(value);
  }
  return true;
}

bool HeaderEvents::end_entry() {
  if (!has_dtype_ || !has_shape_ || !has_offsets_) {
    const std::string_view missing = !has_dtype_ ? "dtype" : !has_shape_ ? "shape" : "data_offsets";
    return refuse(fmt::format("tensor {}: {} is missing", printable(entry_.name), missing));
  }
  header_.entries.push_back(std::move(entry_));
  place_ = Place::kEntries;
  return true;
}

}  // namespace

Result<SafetensorsHeader> parse_safetensors_header(std::string_view text) {
  SafetensorsHeader header;
  CAIRN_TRY(HeaderEvents(header).read(text).in("header"));
  return header;
}

Result<std::string_view> safetensors_header_text(std::span<const std::byte> bytes) {
  if (bytes.size() < kSafetensorsLengthBytes) {
    return invalid_file(
        fmt::format("the file holds {} bytes; a safetensors file begins with {} "
                    "that give the length of its header",
                    bytes.size(), kSafetensorsLengthBytes));
  }
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kSafetensorsLengthBytes; ++i) {
    length |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  }
  const std::uint64_t left = bytes.size() - kSafetensorsLengthBytes;
  if (length > left) {
    return invalid_file(fmt::format(
        "the header is said to have {} bytes, the file has {} after that number", length, left));
  }
  if (length > kSafetensorsHeaderBytesMax) {
    return too_large(fmt::format("the header has {} bytes; at most {} are read", length,
                                 kSafetensorsHeaderBytesMax));
  }
  return std::string_view(reinterpret_cast<const char*>(bytes.data()) + kSafetensorsLengthBytes,
                          static_cast<std::size_t>(length));
}

}  // namespace cairn::formats
