// What a shell can complete, read from the tables of commands and settings.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::cli {

/// A command as it is typed first: "run", "bench".
struct CompletedCommand {
  std::string name = {};
  std::string_view summary = {};
  std::vector<std::string> words = {};  // second words
  std::vector<std::string> flags = {};  // with their dashes
  bool takes_model = false;
};

/// Every command. `root` is the parser's; what it does not know comes from the plain commands'
/// usage texts.
std::vector<CompletedCommand> completed_commands(const CLI::App& root);

/// A flag and the words that it accepts.
struct CompletedChoices {
  std::string flag = {};  // without its dashes
  std::vector<std::string> words = {};
};

/// The settings that accept words.
std::vector<CompletedChoices> completed_choices();

/// The shells that scripts are made for.
std::vector<std::string> completed_shells();

}  // namespace cairn::cli
