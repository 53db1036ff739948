// room: models
// Any bytes as a file of packed weights: its index is read, also with the checksum made right.
// Nothing may crash, and what is accepted lies inside the file.
#include <cstring>
#include <span>
#include <vector>

#include "models/packed_index.h"

namespace {

void read(std::span<const std::byte> file) {
  const auto index = cairn::models::parse_packed_index(file);
  if (!index.ok()) return;
  for (const cairn::models::PackedPlace& place : index->matrices) {
    if (place.offset > file.size() || place.bytes > file.size() - place.offset) __builtin_trap();
  }
  if (index->contents_begin() > file.size() || index->file_bytes() != file.size()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::byte> file(size);
  if (size > 0) std::memcpy(file.data(), data, size);
  read(file);
  constexpr std::size_t kCountAt = 96;
  constexpr std::size_t kPlacesAt = 104;
  if (size < kPlacesAt) return 0;
  std::uint64_t count = 0;
  std::memcpy(&count, file.data() + kCountAt, sizeof count);
  const std::uint64_t room = (size - kPlacesAt) / 16;
  if (count > room || size - kPlacesAt - 16 * count < sizeof(cairn::Sha256Digest)) return 0;
  cairn::Sha256 hash;
  hash.update(std::span(file).first(kPlacesAt + 16 * count));
  const cairn::Sha256Digest digest = hash.digest();
  std::memcpy(file.data() + kPlacesAt + 16 * count, digest.data(), sizeof digest);
  read(file);
  return 0;
}
