// room: formats
// Any bytes as a safetensors file and as an index: nothing may crash, hang or read outside them.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "formats/describe.h"
#include "formats/safetensors/index.h"
#include "formats/safetensors/safetensors.h"

namespace {

/// Keeps results from being optimised away.
volatile std::uint64_t sink = 0;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto index =
      cairn::formats::parse_safetensors_index({reinterpret_cast<const char*>(data), size});
  sink = sink + (index.ok() ? index->size() : index.status().message().size());
  const auto file = cairn::formats::parse_safetensors(std::as_bytes(std::span(data, size)));
  if (!file.ok()) {
    sink = sink + file.status().message().size();
    return 0;
  }
  for (const auto& tensor : file->tensors()) {
    for (const std::byte byte : tensor.bytes) sink = sink + std::to_integer<std::uint64_t>(byte);
  }
  sink = sink + cairn::formats::describe(*file).tensor_bytes;
  return 0;
}
