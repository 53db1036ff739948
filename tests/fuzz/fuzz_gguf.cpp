// room: formats
// Any bytes as a GGUF file: parsing, every typed read of every key, the listing, and the decoding
// of the first and the last blocks of every tensor. Nothing may crash, hang or read outside the
// bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/describe.h"
#include "formats/gguf/gguf.h"

namespace {

using cairn::ElementTypeInfo;
using cairn::formats::Metadata;
using cairn::formats::ModelFile;
using cairn::formats::TensorInfo;

/// Keeps results from being optimised away.
volatile std::uint64_t sink = 0;

template <typename T>
void use(const cairn::Result<T>& result) {
  sink = sink + (result.ok() ? 1 : result.status().message().size());
}

void read_every_way(const Metadata& metadata) {
  for (const std::string_view key : metadata.keys()) {
    use(metadata.u64(key));
    use(metadata.i64(key));
    use(metadata.f64(key));
    use(metadata.boolean(key));
    use(metadata.string(key));
    use(metadata.strings(key));
    use(metadata.f64s(key));
    use(metadata.i64s(key));
    use(metadata.booleans(key));
    use(metadata.u64_or(key, 0));
  }
}

void decode_ends(const TensorInfo& tensor) {
  const ElementTypeInfo& type = cairn::info(tensor.type);
  const std::size_t blocks = std::min<std::size_t>(tensor.bytes.size() / type.block_bytes, 4);
  std::vector<float> values(blocks * type.block_values);
  type.decode(tensor.bytes.data(), values.size(), values.data());
  const auto last = tensor.bytes.last(blocks * type.block_bytes);
  type.decode(last.data(), values.size(), values.data());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const cairn::Result<ModelFile> file =
      cairn::formats::parse_gguf(std::as_bytes(std::span(data, size)));
  use(file);
  if (!file.ok()) return 0;
  read_every_way(file->metadata());
  for (const TensorInfo& tensor : file->tensors()) decode_ends(tensor);
  sink = sink + cairn::formats::describe(*file).tensor_bytes;
  return 0;
}
