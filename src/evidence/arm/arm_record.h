// The arm record: what a receipt cannot hold about its arm (native-performance.md 5.9).
//
// Purpose     lever states, settings, tiers, serving figures and numeric gates of one arm; named
//             in the receipt's profiler_artifacts with its hash.
// Invariants  a record that was read says nothing before check_arm_record() finds nothing.
// Threads     values; no shared state.
// Adding      a check: a function in arm_record.cpp; every one prints M-03.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/profile/verify.h"
#include "evidence/receipt/receipt.h"

namespace cairn::evidence {

constexpr std::string_view kArmRecordSchema = "cairn-arm-record/v1";

/// Whether one lever was on.
struct LeverState {
  std::string lever_id;
  bool enabled = false;
};

/// The keys of LeverState in wire order.
template <class Visitor, Is<LeverState> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("lever_id", self.lever_id);
  visit.field("enabled", self.enabled);
}

/// A setting as it was in force, and where it came from.
struct ArmSetting {
  std::string name;
  std::string value;
  std::string origin;
};

/// The keys of ArmSetting in wire order.
template <class Visitor, Is<ArmSetting> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("name", self.name);
  visit.field("value", self.value);
  visit.field("origin", self.origin);
}

/// The kernel tier that an op ran on.
struct TierChoice {
  std::string op;
  std::string tier;

  bool operator==(const TierChoice&) const = default;
};

/// The keys of TierChoice in wire order.
template <class Visitor, Is<TierChoice> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("op", self.op);
  visit.field("tier", self.tier);
}

/// Milliseconds.
struct TwoQuantiles {
  double p50 = 0;
  double p95 = 0;
};

/// The keys of TwoQuantiles in wire order.
template <class Visitor, Is<TwoQuantiles> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("p50", self.p50);
  visit.field("p95", self.p95);
}

/// What a serving arm measured beyond its receipt.
struct ServingFigures {
  std::string arrival_trace_sha256;
  TwoQuantiles ttft_milliseconds;
  TwoQuantiles inter_token_milliseconds;
  double aggregate_tokens_per_second = 0;
  std::uint64_t peak_bytes = 0;
  double prefix_hit_rate = 0;  // 0 to 1
  std::int64_t fallback_count = 0;
};

/// The keys of ServingFigures in wire order.
template <class Visitor, Is<ServingFigures> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("arrival_trace_sha256", self.arrival_trace_sha256);
  visit.field("ttft_milliseconds", self.ttft_milliseconds);
  visit.field("inter_token_milliseconds", self.inter_token_milliseconds);
  visit.field("aggregate_tokens_per_second", self.aggregate_tokens_per_second);
  visit.field("peak_bytes", self.peak_bytes);
  visit.field("prefix_hit_rate", self.prefix_hit_rate);
  visit.field("fallback_count", self.fallback_count);
}

/// One numerical demand and how it came out.
struct NumericGate {
  std::string name;
  double value = 0;
  double limit = 0;
  bool passes = false;
};

/// The keys of NumericGate in wire order.
template <class Visitor, Is<NumericGate> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("name", self.name);
  visit.field("value", self.value);
  visit.field("limit", self.limit);
  visit.field("passes", self.passes);
}

/// The whole document (5.9).
struct ArmRecord {
  std::string schema;
  std::string envelope_id;
  std::string changed_lever_id;
  std::string role;
  std::string revision;
  std::vector<LeverState> lever_states;
  std::vector<ArmSetting> settings;
  std::vector<TierChoice> tiers;
  std::optional<ServingFigures> serving;
  std::optional<std::vector<NumericGate>> numeric_gates;
  std::string outputs_sha256;
};

/// The keys of ArmRecord in wire order.
template <class Visitor, Is<ArmRecord> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("schema", self.schema);
  visit.field("envelope_id", self.envelope_id);
  visit.field("changed_lever_id", self.changed_lever_id);
  visit.field("role", self.role);
  visit.field("revision", self.revision);
  visit.field("lever_states", self.lever_states);
  visit.field("settings", self.settings);
  visit.field("tiers", self.tiers);
  visit.optional("serving", self.serving);
  visit.optional("numeric_gates", self.numeric_gates);
  visit.field("outputs_sha256", self.outputs_sha256);
}

/// True when `text` is a JSON object whose schema is the arm record's.
bool is_arm_record(std::string_view text);

/// Reads an arm record; not checked yet.
Decoded<ArmRecord> decode_arm_record(std::string_view text, Rules rules = {});

/// M-03: what the record breaks beside its receipt, against a valid graph.
Findings check_arm_record(const Graph& graph, const Receipt& receipt, const ArmRecord& record,
                          Rules rules = {});

/// M-03: levers other than the changed one, and its conflicts in the baseline, that differ between
/// the arms.
Findings check_arm_pair(const Graph& graph, const ArmRecord& baseline, const ArmRecord& candidate,
                        Rules rules = {});

/// M-03 for a file of profiler_artifacts; nothing for one that is no arm record.
Findings check_arm_artifact(const Graph& graph, const Receipt& receipt, const ArtifactFile& file,
                            Rules rules = {});

}  // namespace cairn::evidence
