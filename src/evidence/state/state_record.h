// The state record: docs/evidence/record.jsonl, append-only and chained by hash
// (native-performance.md 18.2).
//
// Purpose     when what was measured, accepted, superseded or withdrawn.
// Invariants  a line, once committed, never changes, moves or goes away; append_line() is the only
//             writer.
// Threads     values; no shared state.
// Adding      a rule: a row in state_record.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "evidence/wire/decode.h"

namespace cairn::evidence {

/// One line.
struct StateLine {
  std::int64_t id = 0;  // 1, 2, 3, ...
  std::string time_utc;
  std::string kind;     // measured, accepted, superseded, withdrawn, void, closed
  std::string subject;  // row key
  std::string receipt_digest;
  std::string previous_sha256;  // empty in the first line
};

/// The keys of StateLine in wire order.
template <class Visitor, Is<StateLine> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("id", self.id);
  visit.field("time_utc", self.time_utc);
  visit.field("kind", self.kind);
  visit.field("subject", self.subject);
  visit.field("receipt_digest", self.receipt_digest);
  visit.field("previous_sha256", self.previous_sha256);
}

/// The lines of a file, with their bytes.
struct StateRecord {
  std::vector<std::string> texts;
  std::vector<StateLine> lines;  // as far as they read
};

/// Reads the file. A line that does not read is a finding of the rule of chapter 3, led by M-04.
Decoded<StateRecord> decode_state_record(std::string_view text, Rules rules = {});

/// The file as it was at an earlier commit.
struct StateVersion {
  std::string commit;
  std::string text;
};

/// M-04..M-08: what is wrong with the chain, and against every earlier version of the file.
Findings check_state_record(std::string_view text, std::span<const StateVersion> earlier,
                            Rules rules = {});

/// The file with one more line: id, previous hash and compact form are made here. Errors:
/// kInvalidFile when the file is broken; kInvalidArgument for a line that M-07 or the closed kinds
/// refuse.
Result<std::string> append_line(std::string_view text, StateLine line);

}  // namespace cairn::evidence
