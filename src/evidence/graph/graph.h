// The graph: envelopes, levers, and the older ladder of rungs (native-performance.md, chapter 4).
//
// Purpose     one committed map from what is measured to what is worth measuring next.
// Invariants  edges, selections and renderings stay inside one envelope; a graph that was read is
//             not valid before validate_graph() finds nothing.
// Threads     values; no shared state.
// Adding      a rule: a row in validate.cpp; an output: render_<name>.{h,cpp}.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/wire/decode.h"

namespace cairn::evidence {

constexpr std::string_view kGraphSchemaV2 = "fak-native-performance-graph/v2";
constexpr std::string_view kGraphSchemaV3 = "fak-native-performance-graph/v3";

/// The complete identity that one measurement applies to (4.2).
struct Envelope {
  std::string id;
  std::string model;
  std::string model_revision;
  std::string artifact_sha256;
  std::string quantization;
  std::string hardware;
  std::int64_t memory_gib = 0;  // 0: the size is not pinned
  std::string engine;
  std::string backend;
  std::string forward_path;
  std::int64_t prompt_tokens = 0;
  std::int64_t decode_tokens = 0;
  std::int64_t repetitions = 0;
  std::int64_t temperature = 0;
  std::string throughput_metric;
  std::string comparability_rule;

  bool operator==(const Envelope&) const = default;
};

/// The keys of Envelope in wire order.
template <class Visitor, Is<Envelope> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("id", self.id);
  visit.field("model", self.model);
  visit.field("model_revision", self.model_revision);
  visit.field("artifact_sha256", self.artifact_sha256);
  visit.field("quantization", self.quantization);
  visit.field("hardware", self.hardware);
  visit.field("memory_gib", self.memory_gib);
  visit.field("engine", self.engine);
  visit.field("backend", self.backend);
  visit.field("forward_path", self.forward_path);
  visit.field("prompt_tokens", self.prompt_tokens);
  visit.field("decode_tokens", self.decode_tokens);
  visit.field("repetitions", self.repetitions);
  visit.field("temperature", self.temperature);
  visit.field("throughput_metric", self.throughput_metric);
  visit.field("comparability_rule", self.comparability_rule);
}

/// True when hash and memory size are real, so that a witness may be filled in (G-35).
bool is_pinned(const Envelope& envelope);

/// A throughput that somebody measured (4.3).
struct Throughput {
  double tokens_per_second = 0;
  std::string classification;
  std::string engine;
  std::string comparability;
  std::string observed_on;
  std::string provenance;
  std::string note;
};

/// The keys of Throughput in wire order.
template <class Visitor, Is<Throughput> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("tokens_per_second", self.tokens_per_second);
  visit.field("classification", self.classification);
  visit.field("engine", self.engine);
  visit.field("comparability", self.comparability);
  visit.field("observed_on", self.observed_on);
  visit.field("provenance", self.provenance);
  visit.field("note", self.note);
}

/// What a rung is hoped to reach (4.4).
struct ExpectedRange {
  double floor_tokens_per_second = 0;
  double roof_tokens_per_second = 0;
  std::string classification;
  std::string provenance;
};

/// The keys of ExpectedRange in wire order.
template <class Visitor, Is<ExpectedRange> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("floor_tokens_per_second", self.floor_tokens_per_second);
  visit.field("roof_tokens_per_second", self.roof_tokens_per_second);
  visit.field("classification", self.classification);
  visit.field("provenance", self.provenance);
}

/// Who owns the work (4.5).
struct Issue {
  std::int64_t number = 0;
  std::string url;
};

/// The keys of Issue in wire order.
template <class Visitor, Is<Issue> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("number", self.number);
  visit.field("url", self.url);
}

/// A step of the older ladder (4.5).
struct Rung {
  std::string id;
  std::string name;
  std::vector<std::string> dependency_ids;
  bool enabled = false;
  std::string status;
  ExpectedRange expected;
  std::optional<Throughput> witnessed;
  std::string gap;
  Issue next_issue;
};

/// The keys of Rung in wire order.
template <class Visitor, Is<Rung> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("id", self.id);
  visit.field("name", self.name);
  visit.list("dependency_ids", self.dependency_ids);
  visit.field("enabled", self.enabled);
  visit.field("status", self.status);
  visit.field("expected", self.expected);
  visit.nullable("witnessed", self.witnessed);
  visit.field("gap", self.gap);
  visit.field("next_issue", self.next_issue);
}

/// An observable switch of one rung (4.5).
struct Feature {
  std::string id;
  std::string name;
  std::string rung_id;
  bool enabled = false;
  std::string status;
  std::string observable;
};

/// The keys of Feature in wire order.
template <class Visitor, Is<Feature> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("id", self.id);
  visit.field("name", self.name);
  visit.field("rung_id", self.rung_id);
  visit.field("enabled", self.enabled);
  visit.field("status", self.status);
  visit.field("observable", self.observable);
}

/// Where a lever applies: exactly one envelope (4.6).
struct Applicability {
  std::string envelope_id;
  std::string platform;
  std::string backend;
};

/// The keys of Applicability in wire order.
template <class Visitor, Is<Applicability> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("envelope_id", self.envelope_id);
  visit.field("platform", self.platform);
  visit.field("backend", self.backend);
}

/// A planning hypothesis (4.6).
struct LeverExpectation {
  std::string summary;
  std::string classification;
  std::string provenance;
};

/// The keys of LeverExpectation in wire order.
template <class Visitor, Is<LeverExpectation> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("summary", self.summary);
  visit.field("classification", self.classification);
  visit.field("provenance", self.provenance);
}

/// What an accepted receipt showed (4.6).
struct LeverWitness {
  std::string summary;
  std::string classification;
  std::string provenance;
  std::string receipt;
};

/// The keys of LeverWitness in wire order.
template <class Visitor, Is<LeverWitness> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("summary", self.summary);
  visit.field("classification", self.classification);
  visit.field("provenance", self.provenance);
  visit.field("receipt", self.receipt);
}

/// One knob inside one envelope (4.6).
struct Lever {
  std::string id;
  std::string name;
  Applicability applicability;
  bool enabled = false;
  std::string status;
  std::vector<std::string> dependency_ids;
  std::vector<std::string> conflict_ids;
  LeverExpectation expected;
  std::optional<LeverWitness> witnessed;
  Issue owning_issue;
  std::string next_witness;
};

/// The keys of Lever in wire order.
template <class Visitor, Is<Lever> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("id", self.id);
  visit.field("name", self.name);
  visit.field("applicability", self.applicability);
  visit.field("enabled", self.enabled);
  visit.field("status", self.status);
  visit.list("dependency_ids", self.dependency_ids);
  visit.list("conflict_ids", self.conflict_ids);
  visit.field("expected", self.expected);
  visit.nullable("witnessed", self.witnessed);
  visit.field("owning_issue", self.owning_issue);
  visit.field("next_witness", self.next_witness);
}

/// v3: a reference engine's throughput in one envelope (Z-02).
struct EnvelopeComparison {
  std::string envelope_id;
  Throughput throughput;
};

/// The keys of EnvelopeComparison in wire order.
template <class Visitor, Is<EnvelopeComparison> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("envelope_id", self.envelope_id);
  describe(visit, self.throughput);
}

/// v3: the lever that answers a bottleneck class in one envelope (Z-07).
struct ProfileRoute {
  std::string envelope_id;
  std::string bottleneck;  // the key is "class"
  std::string lever_id;
};

/// The keys of ProfileRoute in wire order.
template <class Visitor, Is<ProfileRoute> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("envelope_id", self.envelope_id);
  visit.field("class", self.bottleneck);
  visit.field("lever_id", self.lever_id);
}

/// The whole document (4.1, 17.3).
struct Graph {
  std::string schema = std::string(kGraphSchemaV2);
  Envelope envelope;      // the older view: equal to envelopes[0]
  Throughput comparison;  // the older view
  std::vector<Rung> rungs;
  std::vector<Feature> features;
  std::vector<Envelope> envelopes;
  std::vector<Lever> levers;
  std::optional<std::vector<EnvelopeComparison>> comparisons;  // v3
  std::optional<std::vector<ProfileRoute>> profile_routes;     // v3
};

/// The keys of Graph in wire order.
template <class Visitor, Is<Graph> Self>
void describe(Visitor& visit, Self& self) {
  const bool v3 = self.schema == kGraphSchemaV3;  // before the schema is read: see decode_graph
  visit.field("schema", self.schema);
  visit.field("envelope", self.envelope);
  visit.field("comparison", self.comparison);
  visit.field("rungs", self.rungs);
  visit.field("features", self.features);
  visit.field("envelopes", self.envelopes);
  visit.field("levers", self.levers);
  if (!v3) return;
  visit.optional("comparisons", self.comparisons);
  visit.optional("profile_routes", self.profile_routes);
}

/// Reads a graph of v2 or v3; not validated yet.
Decoded<Graph> decode_graph(std::string_view text, Rules rules = {});

/// The envelope or lever with this id, or null; the first where an invalid graph has two.
const Envelope* find_envelope(const Graph& graph, std::string_view id);
const Lever* find_lever(const Graph& graph, std::string_view id);

/// True when `lever` is disabled, has no witness, and everything that it depends on is enabled.
/// A conflicting lever does not block it. The graph is valid.
bool is_ready(const Graph& graph, const Lever& lever);

/// The first ready lever in graph order, of one envelope or (empty id) of all; null when none is.
const Lever* next_lever(const Graph& graph, std::string_view envelope_id = "");

}  // namespace cairn::evidence
