// The command line: one file per command, one row per command.
//
// Purpose     turns arguments into calls of runtime/ and results into text; holds no logic of its
// own. Invariants  answers go to standard output, everything else to standard error; --json prints
// one
//             object and nothing else there; every error is one line and a non-zero exit.
// Threads     the main thread.
// Adding      a command: its file with a class, its maker declared below, its row in commands.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string_view>

#include "base/status.h"
#include "cli/terminal.h"

namespace cairn::cli {

/// What every command may use.
struct Session {
  Output& out;
  Interrupt& interrupt;
};

/// One command: declares its arguments, then runs once they are read.
class Command {
 public:
  virtual ~Command() = default;
  virtual void declare(CLI::App& app) = 0;
  virtual Status run(Session& session) = 0;
};

/// A row of the command table.
struct CommandRow {
  std::string_view name;
  std::string_view summary;
  std::string_view examples;
  std::unique_ptr<Command> (*make)() = nullptr;
};

/// Every command, in the order of the help text.
std::span<const CommandRow> commands();

/// The makers of the commands, one per file.
std::unique_ptr<Command> make_run();
std::unique_ptr<Command> make_chat();
std::unique_ptr<Command> make_serve();
std::unique_ptr<Command> make_batch();
std::unique_ptr<Command> make_plan();
std::unique_ptr<Command> make_pull();
std::unique_ptr<Command> make_list();
std::unique_ptr<Command> make_inspect();
std::unique_ptr<Command> make_quantize();
std::unique_ptr<Command> make_tokenize();
std::unique_ptr<Command> make_settings();
std::unique_ptr<Command> make_features();
std::unique_ptr<Command> make_completion();

/// Parses the arguments, runs the command, prints its error; returns the exit code: 0 done,
/// 1 failed, 2 wrong arguments, 130 stopped by Ctrl-C.
int main_program(int argc, const char* const* argv);

}  // namespace cairn::cli
