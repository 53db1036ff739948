#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <string_view>
#include <vector>

#include "base/process.h"
#include "cli/command.h"
#include "cli/exit_codes.h"
#include "cli/parse_errors.h"
#include "cli/plain_command.h"
#include "cli/variables.h"

namespace cairn::cli {
namespace {

/// A command with the parser's node that it belongs to.
struct Declared {
  CLI::App* app = nullptr;
  std::unique_ptr<Command> command;
};

constexpr std::string_view kExitCodes =
    "Exit codes: 0 done; 2 the command line, a setting or the prompt is wrong; 130 stopped by "
    "Ctrl-C;\n1 everything else. native-performance and bench have their own: cairn help "
    "COMMAND.\n";

/// The lines of --help for the commands that the parser does not know.
std::string plain_help() {
  std::string text;
  for (const PlainCommandRow& row : plain_commands()) {
    text += fmt::format("  {:<26}{}\n", row.command, row.summary);
  }
  return text;
}

std::vector<Declared> declare_all(CLI::App& app) {
  app.name("cairn");
  app.set_version_flag("--version", CAIRN_VERSION);
  app.require_subcommand(1);
  app.footer(plain_help() + "\n" + std::string(kExitCodes) +
             "cairn COMMAND --help shows a command's flags and examples.");
  std::vector<Declared> declared;
  for (const CommandRow& row : commands()) {
    CLI::App* child = app.add_subcommand(std::string(row.name), std::string(row.summary));
    child->footer("Examples:\n" + std::string(row.examples));
    declared.push_back({.app = child, .command = row.make()});
    declared.back().command->declare(*child);
  }
  return declared;
}

int report(const Status& status) {
  if (status.ok()) return 0;
  if (status.code() == StatusCode::kCancelled) return kExitInterrupted;
  note(fmt::format("cairn: {}\n", safe(status.message())));
  return status.code() == StatusCode::kInvalidArgument ? kExitWrongArguments : kExitFailed;
}

/// The help of the command that was given, or of all. The parser leaves two empty lines between
/// groups.
std::string help_text(const CLI::App& app) {
  std::string text = app.help();
  for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

/// "cairn help COMMAND" is "cairn COMMAND --help".
std::vector<const char*> arguments_of(int argc, const char* const* argv) {
  std::vector<const char*> arguments(argv, argv + argc);
  if (argc < 2 || std::string_view(argv[1]) != "help") return arguments;
  arguments.erase(arguments.begin() + 1);
  arguments.resize(std::min<std::size_t>(arguments.size(), 2));
  arguments.push_back("--help");
  return arguments;
}

/// Prints what the parser has to say: help and version are answers, the rest is an error line.
int answer(const CLI::App& app, const CLI::ParseError& error, Output& out) {
  if (error.get_exit_code() == 0) {
    if (error.get_name() == "CallForVersion") return report(out.write(CAIRN_VERSION "\n"));
    return report(out.write(help_text(app)));
  }
  note(fmt::format("cairn: {}\n", safe(parse_error_text(app, error))));
  return kExitWrongArguments;
}

}  // namespace

int main_program(int argc, const char* const* argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a write error with a message, not a death
  explain_bus_errors();
  hold_standard_files();
  Output out;
  if (const std::optional<int> code = run_plain_command(argc, argv, out)) return *code;
  CLI::App app("cairn: runs language models, fast, right, and the same every time");
  std::vector<Declared> declared = declare_all(app);
  try {
    const std::vector<const char*> arguments = arguments_of(argc, argv);
    app.parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::ParseError& error) {
    return answer(app, error, out);
  }
  for (const std::string& line : unknown_variables()) {
    note(fmt::format("cairn: warning: {}\n", safe(line)));
  }
  Interrupt interrupt;
  Session session{.out = out, .interrupt = interrupt};
  for (const Declared& each : declared) {
    if (each.app->parsed()) return report(each.command->run(session));
  }
  return kExitWrongArguments;
}

}  // namespace cairn::cli
