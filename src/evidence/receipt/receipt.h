// The receipt: the scrubbed record of one arm of a one-lever experiment (native-performance.md,
// chapter 5).
//
// Purpose     what one arm measured, bound to one envelope and one lever; read, validated, written.
// Invariants  a receipt that was read is not valid before validate_receipt() finds nothing.
// Threads     values; no shared state.
// Adding      a rule: a row in one of the *_rules.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/attestation/attestation.h"
#include "evidence/graph/graph.h"
#include "evidence/receipt/ambient.h"
#include "evidence/wire/decode.h"

namespace cairn::evidence {

constexpr std::string_view kReceiptSchemaV1 = "fak-native-performance-receipt/v1";
constexpr std::string_view kReceiptSchemaV2 = "fak-native-performance-receipt/v2";

/// Where the arm ran, scrubbed.
struct Machine {
  std::string scrubbed_id;
  std::string platform;
  std::string backend;

  bool operator==(const Machine&) const = default;
};

/// The keys of Machine in wire order.
template <class Visitor, Is<Machine> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("scrubbed_id", self.scrubbed_id);
  visit.field("platform", self.platform);
  visit.field("backend", self.backend);
}

/// What both arms keep (5.2).
struct Controls {
  std::int64_t prompt_tokens = 0;
  std::int64_t decode_tokens = 0;
  std::int64_t batch = 0;
  std::int64_t context_tokens = 0;
  double temperature = 0;
  std::string sampling;
  std::string cache_state;
  std::int64_t warmups = 0;
  std::int64_t repetitions = 0;

  bool operator==(const Controls&) const = default;
};

/// The keys of Controls in wire order.
template <class Visitor, Is<Controls> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("prompt_tokens", self.prompt_tokens);
  visit.field("decode_tokens", self.decode_tokens);
  visit.field("batch", self.batch);
  visit.field("context_tokens", self.context_tokens);
  visit.field("temperature", self.temperature);
  visit.field("sampling", self.sampling);
  visit.field("cache_state", self.cache_state);
  visit.field("warmups", self.warmups);
  visit.field("repetitions", self.repetitions);
}

/// One measured run (5.4). A stage field of 0 is absent on the wire.
struct Repetition {
  double end_to_end_milliseconds = 0;
  double tokens_per_second = 0;
  double ttft_milliseconds = 0;
  double prefill_milliseconds = 0;
  double decode_milliseconds = 0;
  std::string system_baseline_digest;
};

/// The keys of Repetition in wire order.
template <class Visitor, Is<Repetition> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("end_to_end_milliseconds", self.end_to_end_milliseconds);
  visit.field("tokens_per_second", self.tokens_per_second);
  visit.omit_zero("ttft_milliseconds", self.ttft_milliseconds);
  visit.omit_zero("prefill_milliseconds", self.prefill_milliseconds);
  visit.omit_zero("decode_milliseconds", self.decode_milliseconds);
  visit.omit_zero("system_baseline_digest", self.system_baseline_digest);
}

/// Bytes.
struct Memory {
  std::uint64_t peak_bytes = 0;
  std::uint64_t resident_bytes = 0;
};

/// The keys of Memory in wire order.
template <class Visitor, Is<Memory> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("peak_bytes", self.peak_bytes);
  visit.field("resident_bytes", self.resident_bytes);
}

/// What ran.
struct Execution {
  std::string engine;
  std::string forward_path;
  std::int64_t fallback_count = 0;

  bool operator==(const Execution&) const = default;
};

/// The keys of Execution in wire order.
template <class Visitor, Is<Execution> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("engine", self.engine);
  visit.field("forward_path", self.forward_path);
  visit.field("fallback_count", self.fallback_count);
}

/// How good the output was.
struct Quality {
  std::string name;
  double score = 0;
  bool higher_is_better = false;
};

/// The keys of Quality in wire order.
template <class Visitor, Is<Quality> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("name", self.name);
  visit.field("score", self.score);
  visit.field("higher_is_better", self.higher_is_better);
}

struct ModuleVersion {
  std::string module;
  std::string revision;
};

/// The keys of ModuleVersion in wire order.
template <class Visitor, Is<ModuleVersion> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("module", self.module);
  visit.field("revision", self.revision);
}

/// A file kept beside the receipt.
struct ProfilerArtifact {
  std::string path;
  std::string sha256;
};

/// The keys of ProfilerArtifact in wire order.
template <class Visitor, Is<ProfilerArtifact> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("path", self.path);
  visit.field("sha256", self.sha256);
}

/// The whole document (5.1).
struct Receipt {
  std::string schema;
  std::string role;
  std::string envelope_id;
  std::string changed_lever_id;
  std::string revision;
  std::string artifact_sha256;
  Machine machine;
  Controls controls;
  std::vector<std::string> unchanged_controls;
  std::vector<std::string> changed_axes;
  std::vector<Repetition> repetitions;
  std::vector<AmbientRecord> ambient_evidence;
  Memory memory;
  Execution execution;
  Quality quality;
  std::vector<ModuleVersion> module_versions;
  std::vector<std::string> commands;
  std::vector<ProfilerArtifact> profiler_artifacts;
  std::vector<attestation::Attestation> system_baselines;
};

/// The keys of Receipt in wire order.
template <class Visitor, Is<Receipt> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("schema", self.schema);
  visit.field("role", self.role);
  visit.field("envelope_id", self.envelope_id);
  visit.field("changed_lever_id", self.changed_lever_id);
  visit.field("revision", self.revision);
  visit.field("artifact_sha256", self.artifact_sha256);
  visit.field("machine", self.machine);
  visit.field("controls", self.controls);
  visit.field("unchanged_controls", self.unchanged_controls);
  visit.list("changed_axes", self.changed_axes);
  visit.field("repetitions", self.repetitions);
  visit.optional_list("ambient_evidence", self.ambient_evidence);
  visit.field("memory", self.memory);
  visit.field("execution", self.execution);
  visit.field("quality", self.quality);
  visit.field("module_versions", self.module_versions);
  visit.field("commands", self.commands);
  visit.field("profiler_artifacts", self.profiler_artifacts);
  visit.optional_list("system_baselines", self.system_baselines);
}

/// The twelve names of 5.3, in the order that writers use.
std::vector<std::string> canonical_controls();

/// Reads a receipt; not validated yet.
Decoded<Receipt> decode_receipt(std::string_view text, Rules rules = {});

/// What a receipt breaks against a valid graph (R-01..R-33), sorted.
Findings validate_receipt(const Graph& graph, const Receipt& receipt, Rules rules = {});

/// The opt-in rule R-34: errors under --strict, else warnings.
Findings receipt_warnings(const Receipt& receipt, Rules rules = {});

/// 5.7: a receipt to fill in, which fails R-08 and others until it is. The lever is of the graph.
/// Errors: kTooLarge for an envelope of more repetitions or tokens than a template can list.
Result<Receipt> baseline_template(const Graph& graph, const Lever& lever);

}  // namespace cairn::evidence
