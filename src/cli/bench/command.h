// What the commands `cairn bench …` share: flags, the order of a series, what they print and write.
//
// Purpose     a command says what its arms are and how one repetition runs; this does the rest: the
//             lock, the A/A control, the rounds, the host around them, the record, its words, its
//             pictures.
// Invariants  nothing is measured without the lock; a record that breaks a rule of chapter 18 is
//             said and not written; a record is written whole or not at all.
// Threads     one.
// Adding      a command: its file, its run function in plain_command.h, its row in
//             bench_commands.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/bench/lock.h"
#include "cli/plain_command.h"
#include "cli/settings.h"
#include "evidence/bench/plot.h"
#include "evidence/bench/rounds.h"

namespace cairn::cli {

/// Flags of every command that writes a record.
struct BenchFlags {
  std::int64_t repetitions = 5;
  double lock_wait_s = 0;
  std::string key;      // empty: made of the subject
  std::string machine;  // empty: made of the machine
  std::string out;
  std::string plot;
  bool json = false;

  void declare(CLI::App& app);
};

/// When what others take of the machine is looked at: while an arm runs, where it runs in this
/// process or its children; else in a moment of quiet before it, since a server that somebody else
/// started can not be told from a neighbour.
enum class OthersSeen : std::uint8_t { kMeanwhile, kBefore };

/// What one command measures.
struct BenchCase {
  std::string kind = {};     // as the record's subject has it
  std::string subject = {};  // what is measured, in a word: a model's name
  std::vector<evidence::BenchArm> arms = {};
  std::vector<evidence::BenchSetting> settings = {};
  std::vector<evidence::MetricUnit> units = {};
  std::size_t control_arm = 0;  // measured twice for the A/A control
  OthersSeen others = OthersSeen::kMeanwhile;
  std::vector<evidence::PlotCurve> curves = {};
  std::string isa = {};  // for the machine's name; may be empty
  std::function<Result<evidence::ArmRound>(const evidence::RoundAsk&)> run = {};
  std::function<std::string()> footer = {};  // more words behind the summary; may be empty
};

/// The arm of the case that is asked for: in the control, whose arms are one twice, always that
/// one.
std::size_t arm_of_case(const BenchCase& bench, const evidence::RoundAsk& ask);

/// Control and record, sealed and valid.
struct BenchPair {
  evidence::BenchRecord control;
  evidence::BenchRecord record;
};

/// Measures the control and then the case, with a progress bar. The lock is the caller's, over all
/// that it does. Errors: those of the case; kInternal for a record that breaks a rule.
Result<BenchPair> measure(const BenchFlags& flags, const BenchCase& bench,
                          const std::function<bool()>& cancelled);

/// Writes what the flags ask for: FILE and FILE.control.json, FILE.svg, words or JSON.
Status deliver(const BenchFlags& flags, const BenchCase& bench, const BenchPair& pair, Output& out);

/// Takes the lock, waiting as the flags say; before a command loads a model or starts a child.
Result<BenchLock> lock_series(const BenchFlags& flags, const std::function<bool()>& cancelled);

/// Measures and delivers.
Status run_case(const BenchFlags& flags, const BenchCase& bench, Output& out,
                const std::function<bool()>& cancelled);

/// Parses the call's arguments into `app`, runs `run` and says its error; the exit code.
int run_parsed(const PlainCall& call, CLI::App& app, const std::function<Status()>& run);

/// The rows of the settings that a model has a use for, as the records keep them; a value that no
/// record may hold, like a path, becomes "set".
std::vector<evidence::ArmSetting> kept_settings(const SettingFlags& flags);

/// The same as settings of one arm.
std::vector<evidence::BenchSetting> settings_of_arm(std::string_view arm,
                                                    const SettingFlags& flags);

/// "SmolLM2-135M-Instruct.Q4_1" of a path to a model file.
std::string model_stem(const std::string& path);

}  // namespace cairn::cli
