// Where pages of the prefix cache are kept beside memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace cairn::engine {

struct PageKeeping {
  std::string folder = {};  // empty: nowhere
  std::uint64_t bytes_max = 0;
  std::string model = {};  // what tells the model's file from others, in words
  /// Told why a file was not used or not written; by any thread.
  std::function<void(const std::string&)> on_warning = {};
};

}  // namespace cairn::engine
