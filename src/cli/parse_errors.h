// What is wrong with a command line, in the words of cairn's other errors.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace cairn::cli {

/// The error line, without its end, for what the parser refused: "what: found X, expected Y" and
/// where the flags are listed.
std::string parse_error_text(const CLI::App& app, const CLI::ParseError& error);

/// Accepts a whole number from `least` to `most`.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

/// Accepts one of `words`.
CLI::Validator one_of(std::vector<std::string> words);

}  // namespace cairn::cli
