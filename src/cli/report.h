// cairn report: writes the benchmark pages from the evidence, and checks them.
#pragma once

#include <string_view>

#include "cli/plain_command.h"

namespace cairn::cli {

inline constexpr std::string_view kReportUsage =
    "usage: NAME report [--root FOLDER]\n"
    "       NAME report --check [--root FOLDER]\n"
    "       NAME report --append KIND --subject KEY --evidence FILE [--root FOLDER]\n"
    "       NAME report --pin-gates [--root FOLDER]\n"
    "FOLDER holds docs/ and README.md (default: the working folder)\n"
    "without a flag: writes the pages under docs/ from docs/evidence/\n"
    "--check: makes every figure again and lists what is wrong; exit code 1 when something is\n"
    "--append: adds a line to docs/evidence/record.jsonl; KIND is measured, accepted, superseded,\n"
    "          withdrawn, void or closed, FILE a receipt or bench record below docs/evidence/\n"
    "--pin-gates: writes docs/benchmarks/gates.json, the rows with a command able to fail\n"
    "examples:\n"
    "  NAME report --append measured --subject decode --evidence run-1/decode.json\n"
    "  NAME report && NAME report --check\n";

/// Runs the command; returns its exit code: 0 done, 1 failed or findings, 2 wrong usage.
int run_report(const PlainCall& call);

}  // namespace cairn::cli
