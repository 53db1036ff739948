#include "server/http/request_id.h"

#include <fmt/format.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace cairn::server {
namespace {

constexpr std::size_t kIdBytesMax = 128;

bool is_id_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == ':';
}

}  // namespace

std::string request_id(const Request& request) {
  const std::optional<std::string_view> given = request.header("x-request-id");
  if (given.has_value() && !given->empty() && given->size() <= kIdBytesMax &&
      std::ranges::all_of(*given, is_id_char)) {
    return std::string(*given);
  }
  std::array<unsigned char, 16> bytes = {};
  // Ids tell requests apart, they guard nothing: should no random bytes be had, zeros will do.
  RAND_bytes(bytes.data(), static_cast<int>(bytes.size()));
  std::string id;
  for (const unsigned char byte : bytes) fmt::format_to(std::back_inserter(id), "{:02x}", byte);
  return id;
}

}  // namespace cairn::server
