#include "cli/completion_words.h"

#include <algorithm>
#include <utility>

#include "cli/command.h"
#include "cli/plain_command.h"
#include "cli/settings.h"

namespace cairn::cli {
namespace {

constexpr std::string_view kWordBytes = "abcdefghijklmnopqrstuvwxyz0123456789-";

void add_once(std::vector<std::string>& words, std::string_view word) {
  if (std::ranges::find(words, word) == words.end()) words.emplace_back(word);
}

/// The words that `usage` has behind `mark`.
void add_behind(std::string_view usage, std::string_view mark, std::vector<std::string>& words) {
  for (std::size_t at = 0; (at = usage.find(mark, at)) != std::string_view::npos;) {
    at += mark.size();
    const std::size_t end = std::min(usage.find_first_not_of(kWordBytes, at), usage.size());
    if (end > at && usage[at] != '-') add_once(words, usage.substr(at, end - at));
    at = end;
  }
}

void add_plain(const PlainCommandRow& row, std::vector<CompletedCommand>& commands) {
  const std::string first(row.command.substr(0, row.command.find(' ')));
  auto at = std::ranges::find(commands, first, &CompletedCommand::name);
  if (at == commands.end()) {
    commands.push_back({.name = first, .summary = row.summary});
    at = commands.end() - 1;
  }
  add_behind(row.usage, "NAME " + first + " ", at->words);
  std::vector<std::string> flags;
  add_behind(row.usage, "--", flags);
  add_once(flags, "help");
  for (const std::string& flag : flags) add_once(at->flags, "--" + flag);
}

std::vector<std::string> split(std::string_view text, char mark) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(mark), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

}  // namespace

std::vector<CompletedCommand> completed_commands(const CLI::App& root) {
  std::vector<CompletedCommand> all;
  for (const CommandRow& row : commands()) {
    CompletedCommand command = {.name = std::string(row.name), .summary = row.summary};
    const CLI::App* child = root.get_subcommand(command.name);
    for (const CLI::Option* option : child->get_options()) {
      for (const std::string& name : option->get_lnames()) command.flags.push_back("--" + name);
      for (const std::string& name : option->get_snames()) command.flags.push_back("-" + name);
    }
    command.takes_model = child->get_option_no_throw("MODEL") != nullptr;
    if (command.name == "completion") command.words = completed_shells();
    all.push_back(std::move(command));
  }
  for (const PlainCommandRow& row : plain_commands()) add_plain(row, all);
  return all;
}

std::vector<CompletedChoices> completed_choices() {
  std::vector<CompletedChoices> choices;
  for (const SettingRow& row : list_settings(Settings(), SettingOrigins())) {
    if (row.info.choices.empty()) continue;
    choices.push_back({.flag = std::string(row.info.name), .words = split(row.info.choices, '|')});
  }
  return choices;
}

std::vector<std::string> completed_shells() { return {"bash", "zsh", "fish"}; }

}  // namespace cairn::cli
