// The CAIRN_ variables of the environment that mean nothing.
#pragma once

#include <string>
#include <vector>

namespace cairn::cli {

/// One line per variable whose name begins with CAIRN_ and that nothing reads, with the one that
/// was probably meant.
std::vector<std::string> unknown_variables();

}  // namespace cairn::cli
