// Commands whose command line is a contract of its own (native-performance.md, chapter 12): one or
// two dashes, "--flag value" or "--flag=value", help on standard error with exit code 2 (that of
// others goes to standard output), and exit codes that are not cairn's usual ones.
//
// Purpose     the door that main_program tries before the parser of the other commands.
// Invariants  an error line starts with "NAME COMMAND: ", NAME being what the binary was started
//             as; wrong usage prints the usage line and nothing on standard output, exit code 2.
// Threads     the main thread.
// Adding      a command: its file with a run function, declared below, its row in
//             plain_commands.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/terminal.h"

namespace cairn::cli {

/// What a plain command is run with.
struct PlainCall {
  std::string program;                          // "cairn" or "fak"
  std::string_view command;                     // "bench system-baseline"
  std::string_view usage;                       // of its row, "NAME" not yet replaced
  std::span<const std::string_view> arguments;  // behind the command's words
  Output& out;

  /// Prints "`program` `command`: `message`" and a line end on standard error.
  void say(std::string_view message) const;
  /// Says `message`, prints the usage and returns 2.
  int wrong_usage(std::string_view message) const;
  /// Prints the usage on standard error and returns 2: what the contract's commands do for --help.
  int print_usage() const;
  /// Prints the usage on standard output; 0, or 1 when it could not be written.
  int answer_usage() const;
};

/// A row of the table of plain commands.
struct PlainCommandRow {
  std::string_view command;
  std::string_view summary;
  std::string_view usage;  // "NAME" stands for the program's name
  int (*run)(const PlainCall& call) = nullptr;
};

/// Every plain command, in the order of the help text.
std::span<const PlainCommandRow> plain_commands();

/// The run functions of the commands, one per file; each returns the exit code.
int run_system_baseline(const PlainCall& call);
int run_bench_throughput(const PlainCall& call);
int run_bench_latency(const PlainCall& call);
int run_bench_serve(const PlainCall& call);
int run_bench_startup(const PlainCall& call);
int run_bench_memory(const PlainCall& call);
int run_bench_compare(const PlainCall& call);
int run_bench_lever(const PlainCall& call);
int run_bench_arm(const PlainCall& call);
int run_bench_experiment(const PlainCall& call);

/// Runs the plain command that the arguments name, or prints its usage on standard output for
/// "help COMMAND"; returns its exit code, or nothing when they name none.
std::optional<int> run_plain_command(int argc, const char* const* argv, Output& out);

enum class PlainFlagKind { kValue, kSwitch };

/// A flag that a plain command knows, without its dashes.
struct PlainFlag {
  std::string_view name;
  PlainFlagKind kind = PlainFlagKind::kValue;
};

/// The flags in front of the first argument that is none, and everything from there on.
struct PlainArguments {
  struct Given {
    std::string_view name;
    std::string_view value;  // of a switch: "true" or "false"
  };
  std::vector<Given> given;
  bool help = false;
  std::span<const std::string_view> rest = {};

  /// The flag's value; absent when it was not given.
  std::optional<std::string_view> value(std::string_view name) const;
  /// Whether the switch was given and not set to false.
  bool on(std::string_view name) const { return value(name).value_or("false") == "true"; }
};

/// Splits `arguments`; views into them. "--" ends the flags and is dropped. Errors:
/// kInvalidArgument for an unknown flag, a flag given twice, one without its value, and a switch
/// whose value is neither true nor false.
Result<PlainArguments> parse_plain(std::span<const PlainFlag> flags,
                                   std::span<const std::string_view> arguments);

/// A duration such as "250ms", "1.5s" or "1m30s" in nanoseconds (units ns, us, ms, s, m, h; "0"
/// needs none). Errors: kInvalidArgument for any other text and for what does not fit.
Result<std::int64_t> parse_duration(std::string_view text);

}  // namespace cairn::cli
