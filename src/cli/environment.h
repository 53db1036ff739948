// The one place that reads the environment.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cairn::cli {

/// The variable's value; absent when unset or empty.
std::optional<std::string> environment(std::string_view name);

/// Every variable as "NAME=value", ended by a null pointer: what a child process is given.
char* const* process_environment();

/// Where models are kept: CAIRN_HOME, else cairn/ in XDG_CACHE_HOME, else ~/.cache/cairn.
std::string home_folder();

}  // namespace cairn::cli
