#include "cli/plain_command.h"

#include <fmt/format.h>

#include <algorithm>

namespace cairn::cli {
namespace {

/// Usage texts say NAME where the name of the program belongs.
std::string filled(std::string_view usage, std::string_view program) {
  constexpr std::string_view kName = "NAME";
  std::string text(usage);
  for (std::size_t at = text.find(kName); at != std::string::npos;
       at = text.find(kName, at + program.size())) {
    text.replace(at, kName.size(), program);
  }
  return text;
}

std::string program_name(const char* path) {
  const std::string_view whole = path;
  const std::size_t slash = whole.rfind('/');
  return std::string(slash == std::string_view::npos ? whole : whole.substr(slash + 1));
}

/// How many of the first arguments are the words of `command`; 0 when they are not.
std::size_t words_matched(std::string_view command, std::span<const std::string_view> arguments) {
  std::size_t words = 0;
  while (!command.empty()) {
    const std::string_view word = command.substr(0, command.find(' '));
    if (words == arguments.size() || arguments[words] != word) return 0;
    ++words;
    command.remove_prefix(std::min(word.size() + 1, command.size()));
  }
  return words;
}

struct Match {
  const PlainCommandRow* row = nullptr;
  std::size_t words = 0;
};

Match match(std::span<const std::string_view> arguments) {
  for (const PlainCommandRow& row : plain_commands()) {
    const std::size_t words = words_matched(row.command, arguments);
    if (words > 0) return {.row = &row, .words = words};
  }
  return {};
}

bool is_help(std::string_view word) { return word == "--help" || word == "-h" || word == "help"; }

/// For a first word that only stands in front of others ("bench"): lists those, as an answer when
/// help was asked for. Nothing for any other word.
std::optional<int> run_group(const std::string& program,
                             std::span<const std::string_view> arguments, Output& out) {
  const bool asked = is_help(arguments.front());
  if (asked) arguments = arguments.subspan(1);
  if (arguments.empty()) return std::nullopt;
  const std::string first(arguments.front());
  std::string usage = fmt::format("usage: NAME {} COMMAND\n", first);
  std::string names;
  for (const PlainCommandRow& row : plain_commands()) {
    if (!row.command.starts_with(first + " ")) continue;
    const std::string_view name = row.command.substr(first.size() + 1);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    usage += fmt::format("  {:<26}{}\n", name, row.summary);
  }
  if (names.empty()) return std::nullopt;
  usage += fmt::format("NAME help {} COMMAND shows its flags and examples.\n", first);
  const PlainCall call = {
      .program = program, .command = first, .usage = usage, .arguments = {}, .out = out};
  if (asked || (arguments.size() > 1 && is_help(arguments[1]))) return call.answer_usage();
  const std::string found = arguments.size() > 1 ? fmt::format("'{}'", arguments[1]) : "nothing";
  return call.wrong_usage(fmt::format("found {}, expected one of: {}", found, names));
}

/// "--name", "-name", "--name=value"; the name is empty for what is no flag.
struct Spelled {
  std::string_view name;
  std::optional<std::string_view> value = {};
};

Spelled spell(std::string_view argument) {
  if (argument.size() < 2 || argument[0] != '-') return {};
  argument.remove_prefix(argument[1] == '-' ? 2 : 1);
  const std::size_t equal = argument.find('=');
  if (equal == std::string_view::npos) return {.name = argument};
  return {.name = argument.substr(0, equal), .value = argument.substr(equal + 1)};
}

Result<std::string_view> switch_value(const Spelled& flag) {
  const std::string_view value = flag.value.value_or("true");
  if (value == "true" || value == "false") return value;
  return invalid_argument(
      fmt::format("--{}: found '{}', expected true or false", flag.name, value));
}

}  // namespace

void PlainCall::say(std::string_view message) const {
  note(fmt::format("{} {}: {}\n", program, command, message));
}

int PlainCall::wrong_usage(std::string_view message) const {
  say(message);
  return print_usage();
}

int PlainCall::print_usage() const {
  note(filled(usage, program));
  return 2;
}

int PlainCall::answer_usage() const {
  const Status status = out.write(filled(usage, program));
  if (!status.ok()) say(status.message());
  return status.ok() ? 0 : 1;
}

std::optional<int> run_plain_command(int argc, const char* const* argv, Output& out) {
  if (argc < 2) return std::nullopt;
  const std::vector<std::string_view> all(argv + 1, argv + argc);
  const std::string program = program_name(argv[0]);
  std::span<const std::string_view> arguments = all;
  const bool help = arguments.front() == "help";
  const Match found = match(help ? arguments.subspan(1) : arguments);
  if (found.row == nullptr) return run_group(program, arguments, out);
  const PlainCall call = {.program = program,
                          .command = found.row->command,
                          .usage = found.row->usage,
                          .arguments = arguments.subspan(found.words + (help ? 1 : 0)),
                          .out = out};
  if (!help) return found.row->run(call);
  return call.answer_usage();
}

std::optional<std::string_view> PlainArguments::value(std::string_view name) const {
  const auto found = std::ranges::find(given, name, &Given::name);
  return found == given.end() ? std::nullopt : std::optional(found->value);
}

Result<PlainArguments> parse_plain(std::span<const PlainFlag> flags,
                                   std::span<const std::string_view> arguments) {
  PlainArguments parsed;
  std::size_t at = 0;
  for (; at < arguments.size(); ++at) {
    if (arguments[at] == "--") {
      ++at;
      break;
    }
    const Spelled flag = spell(arguments[at]);
    if (flag.name.empty()) break;
    if (flag.name == "help" || flag.name == "h") {
      parsed.help = true;
      return parsed;
    }
    const auto known = std::ranges::find(flags, flag.name, &PlainFlag::name);
    if (known == flags.end()) {
      return invalid_argument(
          fmt::format("found the flag '{}', expected one of the usage", arguments[at]));
    }
    if (parsed.value(flag.name))
      return invalid_argument(fmt::format("--{}: given twice", flag.name));
    if (known->kind == PlainFlagKind::kSwitch) {
      CAIRN_ASSIGN(const std::string_view value, switch_value(flag));
      parsed.given.push_back({.name = flag.name, .value = value});
    } else if (flag.value) {
      parsed.given.push_back({.name = flag.name, .value = *flag.value});
    } else if (at + 1 < arguments.size()) {
      parsed.given.push_back({.name = flag.name, .value = arguments[++at]});
    } else {
      return invalid_argument(
          fmt::format("--{}: found nothing behind it, expected a value", flag.name));
    }
  }
  parsed.rest = arguments.subspan(at);
  return parsed;
}

}  // namespace cairn::cli
