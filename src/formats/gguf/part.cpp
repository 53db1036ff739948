#include "formats/gguf/part.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "base/checked.h"
#include "formats/gguf/cursor.h"
#include "formats/gguf/values.h"
#include "formats/quote.h"

namespace cairn::formats {
namespace {

constexpr std::uint64_t kAlignmentDefault = 32;      // where general.alignment is missing
constexpr std::uint64_t kAlignmentMax = 1ULL << 20;  // far above any in use; keeps padding small
constexpr std::uint64_t kNameBytesMax = 255;         // the specification says 64; some write more
constexpr std::uint32_t kDimensionsMax = 4;          // ggml's
constexpr std::uint64_t kTensorsMax = 1 << 18;       // experts apart, the largest have 50,000
constexpr std::uint64_t kTensorBytesMin = 8 + 4 + 4 + 8;  // name length, dimensions, type, offset

/// A tensor before it is known where the data begin.
struct Placed {
  TensorInfo info;
  std::uint64_t offset = 0;  // from the beginning of the data
  std::uint64_t size = 0;    // bytes
};

Status check_version(std::uint32_t version) {
  if (version == 2 || version == 3) return {};
  const std::uint32_t swapped =
      version >> 24 | (version >> 8 & 0xFF00) | (version & 0xFF00) << 8 | version << 24;
  if (swapped >= 1 && swapped <= 3) {
    return unsupported(fmt::format(
        "GGUF version {} in big-endian byte order; only little-endian files are read", swapped));
  }
  if (version == 1) {
    return unsupported("GGUF version 1; 2 and 3 are read: convert the model again");
  }
  return unsupported(fmt::format(
      "GGUF version {} is unknown to this version ({}); 2 and 3 are read", version, CAIRN_VERSION));
}

Result<const ElementTypeInfo*> known_type(std::uint32_t id) {
  if (const ElementTypeInfo* row = find_element_type(id)) return row;
  if (const std::string_view why = refused_element_type(id); !why.empty()) {
    return unsupported(fmt::format("type {} is {}", id, why));
  }
  const ElementTypeInfo& newest = element_types().back();
  return unsupported(
      fmt::format("type {} is unknown to this version ({}); the newest it knows is {} ({})", id,
                  CAIRN_VERSION, static_cast<std::uint32_t>(newest.type), newest.name));
}

Result<std::vector<std::uint64_t>> read_shape(Cursor& cursor) {
  CAIRN_ASSIGN(const auto dimensions, cursor.number<std::uint32_t>("the number of dimensions"));
  if (dimensions > kDimensionsMax) {
    return invalid_file(
        fmt::format("{} dimensions; at most {} are accepted", dimensions, kDimensionsMax));
  }
  std::vector<std::uint64_t> shape(dimensions);
  for (std::uint64_t& size : shape) {
    CAIRN_ASSIGN(size, cursor.number<std::uint64_t>("a dimension"));
    if (size == 0) return invalid_file("a dimension is 0");
  }
  return shape;
}

/// Bytes of a tensor; also true that no product of its dimensions overflows.
Result<std::uint64_t> size_in_bytes(const std::vector<std::uint64_t>& shape,
                                    const ElementTypeInfo& type) {
  const std::uint64_t cols = shape.empty() ? 1 : shape[0];
  if (cols % type.block_values != 0) {
    return invalid_file(fmt::format("rows of {} values are not whole blocks of {} values of {}",
                                    cols, type.block_values, type.name));
  }
  std::optional<std::uint64_t> values = 1;
  for (const std::uint64_t size : shape) {
    if (values) values = checked_mul(*values, size);
  }
  if (values) values = checked_mul(*values / type.block_values, type.block_bytes);
  if (values) return *values;
  return invalid_file(fmt::format("size overflows: dimensions [{}]", fmt::join(shape, ", ")));
}

Status read_tensor(Cursor& cursor, Placed& tensor) {
  CAIRN_ASSIGN(tensor.info.shape, read_shape(cursor));
  CAIRN_ASSIGN(const auto id, cursor.number<std::uint32_t>("the type"));
  CAIRN_ASSIGN(const ElementTypeInfo* type, known_type(id));
  tensor.info.type = type->type;
  CAIRN_ASSIGN(tensor.offset, cursor.number<std::uint64_t>("the offset"));
  CAIRN_ASSIGN(tensor.size, size_in_bytes(tensor.info.shape, *type));
  return {};
}

std::string name_in_words(const Placed& tensor) {
  return fmt::format("tensor {}", printable(tensor.info.name));
}

Result<std::vector<Placed>> read_tensors(Cursor& cursor, std::uint64_t count) {
  CAIRN_TRY(cursor.check_count(count, kTensorBytesMin, "tensors"));
  std::vector<Placed> tensors;
  for (std::uint64_t i = 0; i < count; ++i) {
    Placed tensor;
    CAIRN_ASSIGN(tensor.info.name,
                 cursor.string(fmt::format("the name of tensor {}", i), kNameBytesMax));
    if (tensor.info.name.empty()) return invalid_file(fmt::format("tensor {} has no name", i));
    if (Status status = read_tensor(cursor, tensor); !status.ok()) {
      return status.in(name_in_words(tensor));
    }
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Result<std::uint64_t> alignment_of(const Metadata& metadata) {
  CAIRN_ASSIGN(const auto alignment, metadata.u64_or("general.alignment", kAlignmentDefault));
  if (std::has_single_bit(alignment) && alignment <= kAlignmentMax) return alignment;
  return invalid_file(
      fmt::format("key general.alignment holds {}; a power of two up to {} is accepted", alignment,
                  kAlignmentMax));
}

/// The data's bytes; empty where the file ends before they begin.
std::span<const std::byte> data_of(std::span<const std::byte> bytes, std::uint64_t header_bytes,
                                   std::uint64_t alignment) {
  const std::optional<std::uint64_t> begin = checked_align_up(header_bytes, alignment);
  return begin && *begin < bytes.size() ? bytes.subspan(*begin) : std::span<const std::byte>();
}

Status place(Placed& tensor, std::span<const std::byte> data, std::uint64_t alignment) {
  if (tensor.offset % alignment != 0) {
    return invalid_file(
        fmt::format("offset {} is not a multiple of the alignment {}", tensor.offset, alignment));
  }
  const std::optional<std::uint64_t> end = checked_add(tensor.offset, tensor.size);
  if (!end || *end > data.size()) {
    return invalid_file(fmt::format(
        "{} bytes at offset {} end outside the file, which holds {} bytes of data: it is truncated "
        "or its header is wrong",
        tensor.size, tensor.offset, data.size()));
  }
  tensor.info.bytes = data.subspan(tensor.offset, tensor.size);
  return {};
}

Status check_no_overlap(const std::vector<Placed>& tensors) {
  std::vector<const Placed*> order;
  order.reserve(tensors.size());
  for (const Placed& tensor : tensors) order.push_back(&tensor);
  std::sort(order.begin(), order.end(),
            [](const Placed* a, const Placed* b) { return a->offset < b->offset; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Placed& before = *order[i - 1];
    if (before.offset + before.size <= order[i]->offset) continue;
    return invalid_file(fmt::format("{} at offset {} overlaps {}, which begins at {}",
                                    name_in_words(before), before.offset, name_in_words(*order[i]),
                                    order[i]->offset));
  }
  return {};
}

}  // namespace

Result<GgufPart> read_part(std::span<const std::byte> bytes) {
  Cursor cursor(bytes);
  CAIRN_ASSIGN(const auto magic, cursor.take(4, "the magic number"));
  const std::string_view text(reinterpret_cast<const char*>(magic.data()), magic.size());
  if (text != "GGUF") {
    return invalid_file(
        fmt::format("the file begins with \"{}\"; \"GGUF\" is expected", printable(text)));
  }
  CAIRN_ASSIGN(const auto version, cursor.number<std::uint32_t>("the version"));
  CAIRN_TRY(check_version(version));
  CAIRN_ASSIGN(const auto tensor_count, cursor.number<std::uint64_t>("the number of tensors"));
  CAIRN_ASSIGN(const auto key_count, cursor.number<std::uint64_t>("the number of keys"));
  CAIRN_TRY(cursor.check_count(tensor_count, kTensorBytesMin, "tensors"));
  if (tensor_count > kTensorsMax) {
    return too_large(
        fmt::format("{} tensors; at most {} are accepted in a file", tensor_count, kTensorsMax));
  }

  GgufPart part;
  CAIRN_ASSIGN(part.metadata, read_metadata(cursor, key_count));
  CAIRN_ASSIGN(const std::uint64_t alignment, alignment_of(part.metadata));
  CAIRN_ASSIGN(std::vector<Placed> tensors, read_tensors(cursor, tensor_count));
  const std::span<const std::byte> data = data_of(bytes, cursor.offset(), alignment);
  for (Placed& tensor : tensors) {
    if (Status status = place(tensor, data, alignment); !status.ok()) {
      return status.in(name_in_words(tensor));
    }
  }
  CAIRN_TRY(check_no_overlap(tensors));
  for (Placed& tensor : tensors) part.tensors.push_back(std::move(tensor.info));
  return part;
}

}  // namespace cairn::formats
