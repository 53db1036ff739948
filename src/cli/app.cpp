#include <fmt/core.h>

#include <csignal>
#include <vector>

#include "base/process.h"
#include "cli/command.h"
#include "cli/plain_command.h"

namespace cairn::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongArguments = 2;
constexpr int kInterrupted = 130;

/// A command with the parser's node that it belongs to.
struct Declared {
  CLI::App* app = nullptr;
  std::unique_ptr<Command> command;
};

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
  app.footer(plain_help() + "cairn COMMAND --help shows a command's flags and examples.");
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
  if (status.code() == StatusCode::kCancelled) return kInterrupted;
  note(fmt::format("cairn: {}\n", safe(status.message())));
  return status.code() == StatusCode::kInvalidArgument ? kWrongArguments : kFailed;
}

/// Prints what the parser has to say: help and version are answers, the rest is an error line.
int answer(const CLI::App& app, const CLI::ParseError& error, Output& out) {
  if (error.get_exit_code() == 0) {
    if (error.get_name() == "CallForVersion") return report(out.write(CAIRN_VERSION "\n"));
    const CLI::App* asked = &app;
    for (const CLI::App* child : app.get_subcommands()) asked = child;
    return report(out.write(asked->help()));
  }
  const std::vector<std::string> unknown = app.remaining();
  if (app.get_subcommands().empty() && !unknown.empty()) {
    note(fmt::format("cairn: found '{}', expected a command (cairn --help lists them)\n",
                     safe(unknown.front())));
    return kWrongArguments;
  }
  note(fmt::format("cairn: {} (cairn --help lists commands, cairn COMMAND --help flags)\n",
                   safe(error.what())));
  return kWrongArguments;
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
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return answer(app, error, out);
  }
  Interrupt interrupt;
  Session session{.out = out, .interrupt = interrupt};
  for (const Declared& each : declared) {
    if (each.app->parsed()) return report(each.command->run(session));
  }
  return kWrongArguments;
}

}  // namespace cairn::cli
