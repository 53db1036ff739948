// Flags of other servers that people paste: each is announced as inert, or refused with cairn's
// own.
//
// Adding      a flag: one row in peer_flags.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace cairn::cli {

/// What becomes of such a flag.
enum class PeerFlagKind : std::uint8_t { kInert, kRenamed };

/// Whether a value stands behind it.
enum class PeerFlagValue : std::uint8_t { kNone, kOne };

/// One row per flag.
struct PeerFlag {
  std::string_view name = {};
  PeerFlagKind kind = PeerFlagKind::kInert;
  PeerFlagValue value = PeerFlagValue::kNone;
  std::string_view text = {};  // why it does nothing, or what to say instead
};

/// Every row.
std::span<const PeerFlag> peer_flags();

/// The rows as hidden options of one command.
class PeerFlags {
 public:
  /// Declares every row on `app`.
  void declare(CLI::App& app);
  /// One line per inert flag that was given. Errors: kInvalidArgument for a renamed one, with its
  /// own name here.
  Result<std::vector<std::string>> read() const;

 private:
  std::vector<const CLI::Option*> options_;  // in the order of the rows; they live in the app
  std::deque<std::string> values_;
};

}  // namespace cairn::cli
