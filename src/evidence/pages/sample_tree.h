// A whole tree of evidence and pages in which nothing is wrong, for tests to break.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "evidence/arm/sample.h"
#include "evidence/bench/sample.h"
#include "evidence/data/pinned_graph.h"
#include "evidence/gate/sample.h"
#include "evidence/pages/write.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {

constexpr std::string_view kSampleEnvelope = "smollm2-q4_1-lab-p32-t64";
constexpr std::string_view kSampleLever = "cpu.lab.prefetch";

/// The pinned graph and an envelope of cairn's own with two enabled levers, one of them witnessed.
inline Graph sample_graph() {
  Graph graph = pinned_graph();
  graph.schema = kGraphSchemaV3;
  Envelope envelope = graph.envelopes[0];
  envelope.id = kSampleEnvelope;
  envelope.model = "SmolLM2-135M-Instruct";
  envelope.engine = "cairn";
  envelope.backend = "cpu";
  envelope.forward_path = "cpu/exact";
  envelope.artifact_sha256 = sample_hash('1');
  graph.envelopes.push_back(envelope);
  for (const std::string_view id : {std::string_view("cpu.lab.pack"), kSampleLever}) {
    Lever lever = graph.levers[0];
    lever.id = id;
    lever.name = id;
    lever.applicability = {
        .envelope_id = std::string(kSampleEnvelope), .platform = "linux/amd64", .backend = "cpu"};
    lever.enabled = true;
    lever.status = "present";
    lever.dependency_ids.clear();
    lever.witnessed.reset();
    lever.owning_issue = {.number = 1, .url = "docs/levers.md#" + lever.id};
    graph.levers.push_back(lever);
  }
  graph.levers.back().witnessed = LeverWitness{.summary = "33 % more tokens per second",
                                               .classification = "witnessed",
                                               .provenance = "run-1",
                                               .receipt = "docs/evidence/run-1/candidate.json"};
  return graph;
}

/// Everything that build() makes files of.
struct SampleTree {
  Graph graph = sample_graph();
  PagesPlan plan;
  std::map<std::string, BenchRecord> records;
  Receipt baseline;
  Receipt candidate;
  ArmRecord baseline_arm;
  ArmRecord candidate_arm;
  GateRequest gate;
  struct Event {
    std::string kind;
    std::string path;
    std::string time_utc = "2026-11-30T12:00:00Z";
  };
  std::vector<Event> events;
  std::map<std::string, std::string> defaults = {{"pack", "on"}, {"prefetch", "on"}};
  std::string readme;

  SampleTree();

  Tree build() const;
};

/// A row that binds, with the control of its metric.
inline PlanRow sample_row(std::string key, const std::string& path, const SampleReadings& readings,
                          std::string legs = "warm only") {
  return {.key = std::move(key),
          .evidence = path + ".json",
          .baseline = {},
          .control = "run-1/control " + readings.metric + ".json",
          .metric = readings.metric,
          .statistic = "median",
          .legs = std::move(legs),
          .unit = readings.unit,
          .word = "BINDING",
          .reason = "all repetitions attested",
          .gate = {}};
}

/// Readings of the metrics that the tree shows.
inline SampleReadings rate_readings() { return {}; }

/// The same for a latency, in milliseconds.
inline SampleReadings latency_readings(std::string metric) {
  return {.metric = std::move(metric),
          .unit = "ms",
          .higher_is_better = false,
          .ours = {50, 50.1, 50.2},
          .reference = {75, 75.1, 75.2}};
}

/// The same for a peak, in bytes.
inline SampleReadings memory_readings() {
  return {.metric = "peak_rss",
          .unit = "bytes",
          .higher_is_better = false,
          .ours = {2e9, 2.001e9, 2.002e9},
          .reference = {3e9, 3.001e9, 3.002e9}};
}

/// Adds readings of one more metric to a record, equal for both arms and all repetitions.
inline void add_metric(BenchRecord& record, const std::string& metric, const std::string& unit,
                       double value) {
  std::vector<BenchSample> samples;
  for (const BenchSample& sample : record.samples) {
    samples.push_back(sample);
    if (sample.metric != record.units[0].metric) continue;
    samples.push_back(sample);
    samples.back().metric = metric;
    samples.back().values = {value};
  }
  record.samples = std::move(samples);
  record.units.push_back({.metric = metric, .unit = unit});
  record.direction.push_back({.metric = metric, .higher_is_better = unit.starts_with("tokens/s")});
  seal(record);
}

/// A closed-loop grid with both views.
inline void add_serve(SampleTree& tree) {
  const SampleReadings readings = latency_readings("ttft");
  PlanSection section = {.heading = "Closed loop", .prose = "", .total = false, .rows = {}};
  for (const std::string clients : {"1", "2", "4", "8", "16", "32"}) {
    BenchRecord record = sample_control(readings);
    record.subject = {.key = "chat c" + clients, .kind = "serve", .run_id = "run-1"};
    record.arms[0].name = "cairn";
    record.arms[0].role = "ours";
    record.arms[1].name = "peer";
    record.arms[1].role = "reference";
    record.machine.host_state.clock_before_utc = "2026-11-30T10:00:00Z";
    record.machine.host_state.clock_after_utc = "2026-11-30T10:05:00Z";
    record.settings[0].arm = "cairn";
    for (BenchSample& sample : record.samples) {
      sample.values[0] *= sample.arm == "first" ? 0.5 : 1;
      sample.arm = sample.arm == "first" ? "cairn" : "peer";
    }
    for (BenchWork& work : record.work) work.arm = work.arm == "first" ? "cairn" : "peer";
    add_metric(record, "prompt_length", "tokens", 32);
    const std::string path = "run-1/serve-" + clients;
    tree.records[path + ".json"] = record;
    for (const std::string legs : {"warm only", "with warm-up"}) {
      section.rows.push_back(sample_row(record.subject.key, path, readings, legs));
    }
  }
  tree.plan.pages.push_back({.id = "serving",
                             .subject = "Serving",
                             .disposition = "Results",
                             .prose = "Time to the first token of concurrent chats.",
                             .cannot_see = "",
                             .sections = {section}});
}

/// Two receipts of the sample lever, their arm records and the policy of their gate.
inline void add_receipts(SampleTree& tree) {
  const Lever& lever = *find_lever(tree.graph, kSampleLever);
  tree.baseline = *baseline_template(tree.graph, lever);
  const Receipt filled = sample_baseline();
  tree.baseline.revision = "aaaa";
  tree.baseline.machine.scrubbed_id = "lab-1";
  tree.baseline.repetitions = filled.repetitions;
  tree.baseline.memory = filled.memory;
  tree.baseline.quality = filled.quality;
  tree.baseline.module_versions = filled.module_versions;
  tree.baseline.commands = {"cairn bench arm --prompt 32"};
  tree.candidate = tree.baseline;
  tree.candidate.role = "candidate";
  tree.candidate.revision = "bbbb";
  tree.candidate.changed_axes = {"lever:" + std::string(kSampleLever)};
  for (Repetition& one : tree.candidate.repetitions) one.tokens_per_second *= 2;
  for (Receipt* receipt : {&tree.baseline, &tree.candidate}) {
    for (Repetition& one : receipt->repetitions) one.tokens_per_second += 100;
  }
  attest(tree.baseline, 20);
  attest(tree.candidate, 30);
  tree.baseline_arm = sample_arm(tree.baseline, tree.graph);
  tree.candidate_arm = sample_arm(tree.candidate, tree.graph);
  tree.gate.schema = kGateRequestSchemaV2;
  tree.gate.policy = strict_policy(tree.baseline);
  tree.gate.policy.maximum_noise_percent = 5;
}

/// The bench records of one run and their controls.
inline void add_records(SampleTree& tree) {
  tree.records["run-1/decode.json"] = sample_record(rate_readings());
  BenchRecord old = sample_record(rate_readings());
  old.subject.run_id = "run-0";
  old.machine.host_state.clock_before_utc = "2026-11-30T09:56:00Z";
  seal(old);
  tree.records["run-0/decode.json"] = old;
  for (const std::string metric : {"ttft", "load", "warm"}) {
    BenchRecord record = sample_record(latency_readings(metric));
    record.subject.key = metric;
    seal(record);
    tree.records["run-1/" + metric + ".json"] = record;
  }
  BenchRecord step = sample_record(latency_readings("step"));
  step.subject.key = "step";
  add_metric(step, "part.project", "ms", 30);
  add_metric(step, "part.attend", "ms", 19);
  tree.records["run-1/step.json"] = step;
  BenchRecord memory = sample_record(memory_readings());
  memory.subject.key = "memory";
  memory.subject.kind = "memory";
  add_metric(memory, "peak_pss", "bytes", 1.9e9);
  add_metric(memory, "memavailable_drop", "bytes", 1.9e9);
  add_metric(memory, "planned.weights", "bytes", 1.5e9);
  add_metric(memory, "actual.weights", "bytes", 1.6e9);
  tree.records["run-1/memory.json"] = memory;
  for (const SampleReadings& readings :
       {rate_readings(), latency_readings("ttft"), latency_readings("load"),
        latency_readings("warm"), latency_readings("step"), memory_readings()}) {
    BenchRecord control = sample_control(readings);
    control.subject.kind = "latency";
    tree.records["run-1/control " + readings.metric + ".json"] = control;
  }
}

/// A section without prose.
inline PlanSection sample_section(std::string heading, std::vector<PlanRow> rows,
                                  bool total = false) {
  return {.heading = std::move(heading), .prose = "", .total = total, .rows = std::move(rows)};
}

/// The plan of the pages and registers.
inline void add_pages(SampleTree& tree) {
  PlanRow old = sample_row("smollm2 decode", "run-0/decode", rate_readings());
  old.word = "SUPERSEDED";
  old.reason = "measured again";
  PlanRow decode = sample_row("smollm2 decode", "run-1/decode", rate_readings());
  decode.gate = "cairn native-performance --gate gate.json";
  PlanRow memory = sample_row("memory", "run-1/memory", memory_readings());
  memory.unit = "GB";
  PlanRow lever = sample_row(std::string(kSampleLever), "run-1/candidate", rate_readings());
  lever.baseline = "run-1/baseline.json";
  tree.plan.schema = kPagesPlanSchema;
  tree.plan.pages.push_back(
      {.id = "decode",
       .subject = "Decode",
       .disposition = "Results",
       .prose =
           "One answer at a time. The spread stays under [1.50 %](../evidence/run-1/decode.json).",
       .cannot_see = "",
       .sections = {
           sample_section("Single stream", {decode, old}),
           sample_section("First token",
                          {sample_row("ttft", "run-1/ttft", latency_readings("ttft"))}),
           sample_section("Start-up",
                          {sample_row("load", "run-1/load", latency_readings("load")),
                           sample_row("warm", "run-1/warm", latency_readings("warm"))},
                          true),
           sample_section("Step", {sample_row("step", "run-1/step", latency_readings("step"))}),
           sample_section("Memory", {memory}), sample_section("Levers", {lever})}});
  tree.plan.pages.push_back({.id = "method",
                             .subject = "Method",
                             .disposition = "Method, no result",
                             .prose = "How the figures are taken.",
                             .cannot_see = "Other machines.",
                             .sections = {}});
  for (const std::string id : {"decode", "method", "serving"}) {
    tree.plan.reproduce.push_back({.page = id,
                                   .command = "cairn bench latency",
                                   .pins = "peer 1.0",
                                   .flags = "release",
                                   .evidence = "docs/evidence/run-1",
                                   .time = "10 min"});
  }
  tree.plan.peers = {{.name = "peer", .version = "1.0"}};
  tree.plan.levers_tried = {{.lever = std::string(kSampleLever),
                             .outcome = "default",
                             .evidence = "run-1/candidate.json"}};
  tree.plan.gaps = {{.key = "decode/vulkan",
                     .track = "decode",
                     .status = "open",
                     .last_figure = "none",
                     .next_gate = "cairn bench latency",
                     .closes = "a bench record",
                     .closed_by = ""}};
  tree.plan.lever_switches = {
      {.lever_id = "cpu.lab.pack", .setting = "pack", .on_value = "on"},
      {.lever_id = std::string(kSampleLever), .setting = "prefetch", .on_value = "on"}};
  tree.readme = "Decode is [twice as fast](docs/evidence/run-1/decode.json).\n";
}

/// Everything, with the lines of the state record.
inline SampleTree::SampleTree() {
  add_records(*this);
  add_receipts(*this);
  add_pages(*this);
  add_serve(*this);
  events.push_back(
      {.kind = "measured", .path = "run-0/decode.json", .time_utc = "2026-11-30T11:00:00Z"});
  events.push_back({.kind = "accepted", .path = "run-1/candidate.json"});
  for (const auto& [path, record] : records) {
    if (path != "run-0/decode.json") events.push_back({.kind = "measured", .path = path});
  }
}

/// A receipt with its arm record beside it.
inline void put_receipt(Tree& tree, const std::string& name, Receipt receipt,
                        const ArmRecord& arm) {
  const std::string folder = "docs/evidence/run-1/";
  const std::string text = document_text(arm);
  receipt.profiler_artifacts = {
      {.path = name + ".arm.json", .sha256 = sha256_hex(std::string_view(text))}};
  tree.files[folder + name + ".arm.json"] = text;
  tree.files[folder + name + ".json"] = document_text(receipt);
}

/// The gate request beside the candidate.
inline void put_gate(Tree& tree, const GateRequest& asked) {
  GateRequest gate = asked;
  const std::string folder = "docs/evidence/run-1/";
  gate.last_accepted = decode_receipt(tree.files[folder + "baseline.json"]).value;
  gate.candidate = decode_receipt(tree.files[folder + "candidate.json"]).value;
  tree.files[folder + "candidate.gate.json"] = document_text(gate);
}

/// The files; pages come from what was read back.
inline Tree SampleTree::build() const {
  Tree tree;
  tree.defaults = defaults;
  tree.files["README.md"] = readme;
  tree.files[std::string(kGraphPath)] = document_text(graph);
  tree.files[std::string(kPlanPath)] = document_text(plan);
  for (const auto& [path, record] : records) {
    tree.files[std::string(kEvidenceFolder) + path] = document_text(record);
  }
  for (int i = 0; i < 6; ++i) {
    tree.files["docs/evidence/run-1/rep-" + std::to_string(i) + ".json"] =
        document_text(sample_attestation(i));
  }
  put_receipt(tree, "baseline", baseline, baseline_arm);
  put_receipt(tree, "candidate", candidate, candidate_arm);
  put_gate(tree, gate);
  std::string state;
  const Evidence first = read_evidence(tree);
  for (const Event& event : events) {
    const auto digest = first.digests.find(event.path);
    const Result<std::string> more =
        append_line(state, {.time_utc = event.time_utc,
                            .kind = event.kind,
                            .subject = event.path,
                            .receipt_digest = digest == first.digests.end() ? "" : digest->second,
                            .previous_sha256 = ""});
    if (more.ok()) state = *more;
  }
  tree.files[std::string(kStatePath)] = state;
  const Evidence evidence = read_evidence(tree);
  for (const auto& [path, text] : write_pages(evidence)) tree.files[path] = text;
  tree.files[std::string(kGatesPath)] = write_gates(evidence);
  for (const auto& [path, text] : tree.files) tree.names.insert(path);
  return tree;
}

}  // namespace cairn::evidence
