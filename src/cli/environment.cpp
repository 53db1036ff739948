#include "cli/environment.h"

#include <unistd.h>

#include <cstdlib>

namespace cairn::cli {

std::optional<std::string> environment(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

char* const* process_environment() { return environ; }

std::string home_folder() {
  if (const auto home = environment("CAIRN_HOME")) return *home;
  if (const auto cache = environment("XDG_CACHE_HOME")) return *cache + "/cairn";
  return environment("HOME").value_or(".") + "/.cache/cairn";
}

}  // namespace cairn::cli
