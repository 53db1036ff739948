#include "formats/gguf/writer.h"

#include <bit>
#include <cstring>
#include <utility>

#include "base/file.h"
#include "base/staged_file.h"

namespace cairn::formats {
namespace {

class Bytes {
 public:
  template <typename T>
  void number(T value) {
    raw(std::as_bytes(std::span(&value, 1)));
  }
  void raw(std::span<const std::byte> bytes) {
    out_.insert(out_.end(), bytes.begin(), bytes.end());
  }
  void string(std::string_view text) {
    number<std::uint64_t>(text.size());
    raw(std::as_bytes(std::span(text)));
  }
  void pad(std::size_t alignment) {
    out_.resize((out_.size() + alignment - 1) / alignment * alignment);
  }
  std::vector<std::byte> take() { return std::move(out_); }

 private:
  std::vector<std::byte> out_;
};

// NOLINTNEXTLINE(misc-no-recursion): as deep as the caller's value
void write_array(Bytes& out, const MetadataArray& array) {
  out.number(static_cast<std::uint32_t>(array.element_type));
  out.number<std::uint64_t>(array.size());
  out.raw(array.numbers);
  for (std::size_t i = 0; i < array.strings.size(); ++i) out.string(array.strings[i]);
  for (const MetadataArray& inner : array.arrays) write_array(out, inner);
}

void write_value(Bytes& out, const MetadataValue& value) {
  out.number(static_cast<std::uint32_t>(type_of(value)));
  std::visit(
      [&out](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string>) {
          out.string(v);
        } else if constexpr (std::is_same_v<T, MetadataArray>) {
          write_array(out, v);
        } else {
          out.number(v);
        }
      },
      value);
}

std::size_t alignment_to_write(const Metadata& metadata) {
  const Result<std::uint64_t> alignment = metadata.u64_or("general.alignment", 32);
  return alignment.ok() && std::has_single_bit(*alignment) ? *alignment : 32;
}

/// A tensor as the header names it.
struct TensorEntry {
  std::string_view name;
  ElementType type = ElementType::kF32;
  std::span<const std::uint64_t> shape;
  std::uint64_t bytes = 0;
};

std::uint64_t aligned(std::uint64_t size, std::size_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

/// Everything in front of the first tensor, without the padding behind it.
void write_header(Bytes& out, const Metadata& metadata, std::span<const TensorEntry> tensors) {
  const std::size_t alignment = alignment_to_write(metadata);
  out.raw(std::as_bytes(std::span(std::string_view("GGUF"))));
  out.number<std::uint32_t>(3);
  out.number<std::uint64_t>(tensors.size());
  const std::vector<std::string_view> keys = metadata.keys();
  out.number<std::uint64_t>(keys.size());
  for (const std::string_view key : keys) {
    out.string(key);
    write_value(out, *metadata.find(key));
  }
  std::uint64_t offset = 0;
  for (const TensorEntry& tensor : tensors) {
    out.string(tensor.name);
    out.number(static_cast<std::uint32_t>(tensor.shape.size()));
    for (const std::uint64_t size : tensor.shape) out.number(size);
    out.number(static_cast<std::uint32_t>(tensor.type));
    out.number(offset);
    offset += aligned(tensor.bytes, alignment);
  }
}

}  // namespace

GgufWriter& GgufWriter::set(std::string_view key, MetadataValue value) {
  metadata_.set(key, std::move(value));
  return *this;
}

GgufWriter& GgufWriter::add_tensor(std::string_view name, ElementType type,
                                   std::vector<std::uint64_t> shape,
                                   std::span<const std::byte> bytes) {
  tensors_.push_back({.name = std::string(name),
                      .type = type,
                      .shape = std::move(shape),
                      .bytes = {bytes.begin(), bytes.end()}});
  return *this;
}

GgufWriter& GgufWriter::add_f32(std::string_view name, std::vector<std::uint64_t> shape,
                                std::span<const float> values) {
  return add_tensor(name, ElementType::kF32, std::move(shape), std::as_bytes(values));
}

std::vector<std::byte> GgufWriter::bytes() const {
  std::vector<TensorEntry> entries;
  for (const Tensor& tensor : tensors_) {
    entries.push_back({tensor.name, tensor.type, tensor.shape, tensor.bytes.size()});
  }
  const std::size_t alignment = alignment_to_write(metadata_);
  Bytes out;
  write_header(out, metadata_, entries);
  for (const Tensor& tensor : tensors_) {
    out.pad(alignment);
    out.raw(tensor.bytes);
  }
  return out.take();
}

Status GgufWriter::write(const std::string& path) const {
  const std::vector<std::byte> file = bytes();
  return write_file_whole(path, {reinterpret_cast<const char*>(file.data()), file.size()});
}

Status write_gguf(const std::string& path, const ModelFile& file,
                  const std::function<bool(std::uint64_t, std::uint64_t)>& progress) {
  std::vector<TensorEntry> entries;
  std::uint64_t total = 0;
  for (const TensorInfo& tensor : file.tensors()) {
    entries.push_back({tensor.name, tensor.type, tensor.shape, tensor.byte_size()});
    total += entries.back().bytes;
  }
  const std::size_t alignment = alignment_to_write(file.metadata());
  Bytes header;
  write_header(header, file.metadata(), entries);
  header.pad(alignment);
  CAIRN_ASSIGN(StagedFile out, StagedFile::open(path));
  CAIRN_TRY(out.append(header.take()));
  std::uint64_t done = 0;
  for (const TensorInfo& tensor : file.tensors()) {
    const TensorBytes bytes(tensor);
    CAIRN_TRY(out.append(bytes.view()));
    const std::uint64_t size = bytes.view().size();
    const std::vector<std::byte> padding(static_cast<std::size_t>(aligned(size, alignment) - size));
    CAIRN_TRY(out.append(padding));
    file.release(tensor);
    done += size;
    if (progress && !progress(done, total)) return cancelled("writing was cancelled");
  }
  return out.commit({});
}

}  // namespace cairn::formats
