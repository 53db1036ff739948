// Reading and checking attestations (native-performance.md 7.7).
//
// Purpose     read() takes the bytes of a file, check() what say of its values; the
//             opt-in rule A-10 stands apart.
// Invariants  the first broken rule is the one reported, in the order of 7.7.
// Threads     values; no shared state.
// Adding      a rule: its function and its row in check.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "evidence/attestation/attestation.h"
#include "evidence/wire/finding.h"

namespace cairn::evidence::attestation {

/// the most bytes of an attestation file.
constexpr std::uint64_t kFileBytesMax = std::uint64_t{1} << 20U;

/// `text` as an attestation, or the first thing that is wrong with it; a broken rule of
/// chapter 3 follows A-01. Nothing but the form is checked.
Decoded<Attestation> read(std::string_view text, Rules rules = {});

/// The refusal by A-01 of a file that is larger than kFileBytesMax.
Findings too_large();

/// The first of that `attestation` breaks; empty when it is valid.
Findings check(const Attestation& attestation, Rules rules = {});

/// What the opt-in rule A-10 finds; --strict makes it an error.
Findings check_opt_in(const Attestation& attestation, Rules rules = {});

/// The rows of check() and check_opt_in(), for listings and tests.
std::span<const Rule<Attestation>> rules();
std::span<const Rule<Attestation>> opt_in_rules();

}  // namespace cairn::evidence::attestation
