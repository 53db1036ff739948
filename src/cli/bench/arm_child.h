// `cairn bench arm` as the child of a series: its command line, and what it gives back.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/bench/answer.h"
#include "cli/bench/child.h"
#include "evidence/arm/arm_run.h"

namespace cairn::cli {

/// One repetition as a child is asked for it.
struct ArmCommand {
  std::string model = {};         // a path
  std::string model_sha256 = {};  // where it is known already: hashing takes time
  AnswerAsk ask = {};
  std::size_t warmups = 1;
  std::vector<std::pair<std::string, std::string>> settings = {};  // names and values
};

/// The arguments behind the program's name; the run is written to `out`. Made for a process that
/// holds the lock.
std::vector<std::string> arm_arguments(const ArmCommand& command, const std::string& out);

/// The same as a person would type it, with the model's file name alone: for receipts.
std::string arm_words(const ArmCommand& command);

/// Reads and checks what a child wrote. Errors: kIo, kInvalidFile.
Result<evidence::ArmRun> read_arm_run(const std::string& path);

/// Settings that left their default, to hand on to a child.
std::vector<std::pair<std::string, std::string>> given_settings(const SettingFlags& flags);

/// What a child run came to: its process, what it held, what it said.
struct WatchedArm {
  ChildRun process;
  ChildPeaks peaks;
  evidence::ArmRun run;
};

enum class PageCache : std::uint8_t { kKeep, kDrop };
/// Looking at what a child holds takes a share of a processor, which times would show.
enum class Watch : std::uint8_t { kNothing, kMemory };

/// Runs one arm in a child; with kDrop the model's pages are first given up, as far as the system
/// does that. Errors: also kInternal for a child that failed, with its exit code.
Result<WatchedArm> run_arm_child(const ArmCommand& command, const ChildFolder& folder,
                                 PageCache cache, Watch watch);

/// The arm of our own that a run describes.
evidence::BenchArm arm_of(const evidence::ArmRun& run, const Settings& settings);

}  // namespace cairn::cli
