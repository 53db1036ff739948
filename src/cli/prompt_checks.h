// What is looked at in a prompt before a model gets it.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace cairn::cli {

/// Errors: kInvalidArgument saying that `what` ("the prompt") is not UTF-8, and its first wrong
/// byte, counted from 1. Chat templates work on characters; plain text may be any bytes.
Status check_utf8(std::string_view what, std::string_view text);

/// "04 06" for the bytes 4 and 6.
std::string hex_bytes(std::string_view bytes);

/// Notes on standard error which bytes of `text` no token stands for. `missing` is
/// runtime::Runtime::missing_bytes().
void note_missing_bytes(std::string_view text, std::string_view missing);

}  // namespace cairn::cli
