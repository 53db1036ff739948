#include <array>

#include "cli/plain_command.h"

namespace cairn::cli {
namespace {

constexpr std::array<PlainCommandRow, 0> kPlainCommands = {};

}  // namespace

std::span<const PlainCommandRow> plain_commands() { return kPlainCommands; }

}  // namespace cairn::cli
