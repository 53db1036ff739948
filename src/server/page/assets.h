// Assets: the files of the page to chat in, as the build embedded them (cmake/embed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace cairn::server {

struct Asset {
  std::string_view name;  // of its file
  std::string_view hash;  // SHA-256 of its bytes
  std::string_view text;
};

/// Every file of src/server/page/assets/, by name.
std::span<const Asset> assets();

}  // namespace cairn::server
