// cairn native-performance (native-performance.md 12.1): what its modes share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/plain_command.h"
#include "evidence/graph/graph.h"
#include "evidence/settings.h"
#include "evidence/wire/finding.h"

namespace cairn::cli {

inline constexpr std::string_view kNativePerformanceUsage =
    "usage: NAME native-performance [MODE] [--graph FILE] [--envelope ID] [--strict]\n"
    "modes, at most one; none prints the human map:\n"
    "  --json                                   the graph\n"
    "  --next                                   the next lever to witness\n"
    "  --dot                                    the levers as Graphviz DOT text\n"
    "  --baseline LEVER                         a receipt template\n"
    "  --compare FILE --candidate FILE          the difference of two receipts\n"
    "  --profile FILE                           what limits a decode\n"
    "  --profile-next FILE                      the lever to measure next, from a profile\n"
    "  --gate FILE                              a verdict; exit code 3 for a regression\n"
    "  --attach-receipt FILE --system-baseline FILE [--out FILE]\n"
    "                                           the receipt with the attestation attached\n"
    "examples:\n"
    "  NAME native-performance --next\n"
    "  NAME native-performance --dot > native-performance.dot\n"
    "  NAME native-performance --baseline metal.paged-kv > receipt.json\n"
    "  NAME native-performance --compare baseline.json --candidate candidate.json\n"
    "  NAME native-performance --gate gate-request.json > verdict.json\n";

/// Runs the command; returns its exit code.
int run_native_performance(const PlainCall& call);

/// What a mode runs with, once the arguments and the graph are in order.
struct NativePerformance {
  const PlainCall& call;
  const PlainArguments& arguments;
  const evidence::Graph& graph;
  std::string_view graph_name;
  const evidence::EvidenceSettings& settings;

  /// The value of a flag; empty when it was not given.
  std::string_view value(std::string_view flag) const;
  bool strict() const { return arguments.on("strict"); }

  /// Prints `text` on standard output; 0, or 1 when it could not be written.
  int print(std::string_view text) const;
  /// Says each finding on a line of its own; returns 1.
  int refuse(const evidence::Findings& findings, std::string_view document) const;
  /// Says `message`; returns 1.
  int refuse(std::string_view message) const;
  /// Opt-in rules: errors under --strict, else warnings. False when they stop the mode.
  bool pass_opt_in(const evidence::Findings& findings, std::string_view document) const;
  /// Reads a document of up to 64 MiB; says what went wrong and returns nothing otherwise.
  std::optional<std::string> read(std::string_view path) const;
};

/// A mode: a flag that excludes the others.
struct NativePerformanceMode {
  std::string_view flag;
  PlainFlagKind kind = PlainFlagKind::kSwitch;
  std::string_view partner = "";  // a flag that must come with it
  int (*run)(const NativePerformance& run) = nullptr;
};

/// The modes that need documents, in files of their own.
int run_baseline_mode(const NativePerformance& run);
int run_compare_mode(const NativePerformance& run);
int run_attach_mode(const NativePerformance& run);
int run_gate_mode(const NativePerformance& run);
int run_profile_mode(const NativePerformance& run);
int run_profile_next_mode(const NativePerformance& run);

}  // namespace cairn::cli
