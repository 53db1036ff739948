#include "formats/gguf/writer.h"

#include <bit>
#include <cstring>
#include <utility>

#include "base/file.h"

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
  const std::size_t alignment = alignment_to_write(metadata_);
  Bytes out;
  out.raw(std::as_bytes(std::span(std::string_view("GGUF"))));
  out.number<std::uint32_t>(3);
  out.number<std::uint64_t>(tensors_.size());
  const std::vector<std::string_view> keys = metadata_.keys();
  out.number<std::uint64_t>(keys.size());
  for (const std::string_view key : keys) {
    out.string(key);
    write_value(out, *metadata_.find(key));
  }
  std::uint64_t offset = 0;
  for (const Tensor& tensor : tensors_) {
    out.string(tensor.name);
    out.number(static_cast<std::uint32_t>(tensor.shape.size()));
    for (const std::uint64_t size : tensor.shape) out.number(size);
    out.number(static_cast<std::uint32_t>(tensor.type));
    out.number(offset);
    offset += (tensor.bytes.size() + alignment - 1) / alignment * alignment;
  }
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

}  // namespace cairn::formats
