// What the program ends with beside 0.
#pragma once

namespace cairn::cli {

inline constexpr int kExitFailed = 1;
inline constexpr int kExitWrongArguments = 2;  // a command line, a setting or a prompt
inline constexpr int kExitInterrupted = 130;   // by Ctrl-C, as a shell says it: 128 + SIGINT

}  // namespace cairn::cli
