#include "engine/cache/page_file.h"

#include <fmt/core.h>

#include <cstring>

#include "base/number_at.h"

namespace cairn::engine {
namespace {

constexpr std::string_view kPageMagic = "CAIRNKVP";
constexpr std::uint32_t kPageVersion = 1;
constexpr std::size_t kGroupAt = 12;
constexpr std::size_t kBytesAt = 16;
constexpr std::size_t kIdentityAt = 24;
constexpr std::size_t kHashAt = kIdentityAt + sizeof(Sha256Digest);
constexpr std::size_t kParentAt = kHashAt + sizeof(Sha256Digest);
constexpr std::size_t kIdsAt = kParentAt + sizeof(Sha256Digest);
constexpr std::size_t kContentsAt = kIdsAt + sizeof(PageKey::ids);
static_assert(kContentsAt == 248);

Status check_frame(std::span<const std::byte> file, std::size_t bytes) {
  if (file.size() < kContentsAt + sizeof(Sha256Digest)) {
    return invalid_file(fmt::format("{} bytes are too few for a page of the cache", file.size()));
  }
  if (std::memcmp(file.data(), kPageMagic.data(), kPageMagic.size()) != 0) {
    return invalid_file("the file does not begin as a page of the cache does");
  }
  const auto version = number_at<std::uint32_t>(file, kPageMagic.size());
  if (version != kPageVersion) {
    return invalid_file(
        fmt::format("its layout has version {}, this program reads {}", version, kPageVersion));
  }
  const auto held = number_at<std::uint64_t>(file, kBytesAt);
  if (held != bytes || file.size() != page_file_bytes(bytes)) {
    return invalid_file(
        fmt::format("it has {} bytes and says that {} are contents; a page here has {} of {}",
                    file.size(), held, page_file_bytes(bytes), bytes));
  }
  return {};
}

}  // namespace

std::string page_file_name(const Sha256Digest& identity, const PageKey& key) {
  Sha256 hash;
  hash.update(identity);
  hash.update(key.hash);
  const std::uint64_t group = key.group;
  hash.update(std::as_bytes(std::span(&group, 1)));
  return hash.hex() + ".page";
}

std::size_t page_file_bytes(std::size_t bytes) {
  return kContentsAt + bytes + sizeof(Sha256Digest);
}

std::vector<std::byte> print_page(const Sha256Digest& identity, const PageContents& page) {
  std::vector<std::byte> file(page_file_bytes(page.bytes.size()));
  std::memcpy(file.data(), kPageMagic.data(), kPageMagic.size());
  put_at(file, kPageMagic.size(), kPageVersion);
  put_at(file, kGroupAt, static_cast<std::uint32_t>(page.key.group));
  put_at(file, kBytesAt, static_cast<std::uint64_t>(page.bytes.size()));
  put_at(file, kIdentityAt, identity);
  put_at(file, kHashAt, page.key.hash);
  put_at(file, kParentAt, page.key.parent);
  put_at(file, kIdsAt, page.key.ids);
  std::memcpy(file.data() + kContentsAt, page.bytes.data(), page.bytes.size());
  const std::size_t end = kContentsAt + page.bytes.size();
  put_at(file, end, sha256(std::span(file).first(end)));
  return file;
}

Result<std::span<const std::byte>> parse_page(std::span<const std::byte> file,
                                              const Sha256Digest& identity, const PageKey& key,
                                              std::size_t bytes) {
  CAIRN_TRY(check_frame(file, bytes));
  const std::size_t end = kContentsAt + bytes;
  if (number_at<Sha256Digest>(file, end) != sha256(file.first(end))) {
    return invalid_file("it is damaged: its bytes do not have the hash that was written with them");
  }
  if (number_at<Sha256Digest>(file, kIdentityAt) != identity) {
    return invalid_file("it was written for another model file, cache type, class or layout");
  }
  const PageKey held{.hash = number_at<Sha256Digest>(file, kHashAt),
                     .parent = number_at<Sha256Digest>(file, kParentAt),
                     .ids = number_at<decltype(PageKey::ids)>(file, kIdsAt),
                     .group = number_at<std::uint32_t>(file, kGroupAt)};
  if (held != key) return invalid_file("it is the page of other tokens than its name says");
  return file.subspan(kContentsAt, bytes);
}

}  // namespace cairn::engine
