#include "cli/parse_errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "base/nearest.h"
#include "cli/command.h"
#include "cli/plain_command.h"

namespace cairn::cli {
namespace {

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandRow& row : commands()) names.emplace_back(row.name);
  for (const PlainCommandRow& row : plain_commands()) {
    std::string first(row.command.substr(0, row.command.find(' ')));
    if (std::ranges::find(names, first) == names.end()) names.push_back(std::move(first));
  }
  return names;
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return flags;
}

/// For an argument that nothing takes.
std::string unexpected(const CLI::App* command, const std::string& found) {
  if (command == nullptr) {
    const std::vector<std::string> names = command_names();
    return fmt::format("found '{}', expected a command{}", found, did_you_mean(found, names));
  }
  if (!found.starts_with('-')) {
    return fmt::format("found '{}', expected no further argument", found);
  }
  const std::string flag = found.substr(0, found.find('='));
  return fmt::format("found '{}', expected a flag of cairn {}{}", flag, command->get_name(),
                     did_you_mean(flag, flags_of(*command)));
}

/// "NAME: At Most 1 required but received 2", "NAME: 1 required VALUE missing".
std::string wrong_count(std::string_view said) {
  const std::size_t colon = said.find(": ");
  const std::string_view name = said.substr(0, colon);
  if (said.find("At Most") != std::string_view::npos) {
    return fmt::format("{}: found {} values, expected one", name, said.substr(said.rfind(' ') + 1));
  }
  return fmt::format("{}: found nothing behind it, expected a value", name);
}

/// "NAME is required".
std::string missing(std::string_view said) {
  const std::string_view name = said.substr(0, said.find(" is required"));
  if (name != "A subcommand") return fmt::format("found no {}, expected one", name);
  return fmt::format("found no command, expected one of {}", fmt::join(command_names(), ", "));
}

/// "NAME excludes OTHER".
std::string both(std::string_view said) {
  constexpr std::string_view kWord = " excludes ";
  const std::size_t at = said.find(kWord);
  return fmt::format("found {} and {}, expected one of them", said.substr(0, at),
                     said.substr(at + kWord.size()));
}

std::string translated(const CLI::App* command, const std::vector<std::string>& unknown,
                       const CLI::ParseError& error) {
  const std::string& kind = error.get_name();
  std::string said = error.what();
  // Its name is the command's and not its kind.
  const bool extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const bool unknown_flag = !unknown.empty() && unknown.front().starts_with('-');
  if (!unknown.empty() && (extra || command == nullptr || unknown_flag)) {
    return unexpected(command, unknown.front());
  }
  if (kind == "ArgumentMismatch") return wrong_count(said);
  if (kind == "RequiredError") return missing(said);
  if (kind == "ExcludesError") return both(said);
  return said;
}

}  // namespace

std::string parse_error_text(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App* command = chosen.empty() ? nullptr : chosen.back();
  std::vector<std::string> unknown = app.remaining();
  if (command != nullptr && unknown.empty()) unknown = command->remaining();
  const std::string text = translated(command, unknown, error);
  return command == nullptr
             ? text + " (cairn --help shows what each does)"
             : fmt::format("{} (cairn {} --help shows its flags)", text, command->get_name());
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const auto check = [least, most](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    const bool right = error == std::errc() && stop == end && value >= least && value <= most;
    if (right) return "";
    return fmt::format("found \"{}\", expected a whole number, {} to {}", text, least, most);
  };
  return {[check](std::string& text) { return check(text); }, ""};
}

CLI::Validator one_of(std::vector<std::string> words) {
  const auto check = [words = std::move(words)](const std::string& text) -> std::string {
    if (std::ranges::find(words, text) != words.end()) return "";
    return fmt::format("found \"{}\", expected one of {}", text, fmt::join(words, ", "));
  };
  return {[check](std::string& text) { return check(text); }, ""};
}

}  // namespace cairn::cli
