// cairn receipts: shows, verifies and compares receipts for a person.
#pragma once

#include <string_view>

#include "cli/plain_command.h"

namespace cairn::cli {

inline constexpr std::string_view kReceiptsUsage =
    "usage: NAME receipts show FILE\n"
    "       NAME receipts verify FILE [--graph FILE]\n"
    "       NAME receipts diff FILE FILE\n"
    "verify checks the receipt against the graph and each file that it names, beside the receipt\n"
    "examples:\n"
    "  NAME receipts verify docs/evidence/run/candidate.json --graph docs/evidence/graph.json\n"
    "  NAME receipts diff baseline.json candidate.json\n";

/// Runs the command; returns its exit code: 0 done, 1 failed or refused, 2 wrong usage.
int run_receipts(const PlainCall& call);

}  // namespace cairn::cli
