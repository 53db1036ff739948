// The bench record: one measured benchmark with all its samples (native-performance.md 18.1).
//
// Purpose     what `cairn bench` writes and the pages are made from; never a receipt and never the
//             source of a witness.
// Invariants  a record that was read says nothing before validate_bench_record() finds nothing.
// Threads     values; no shared state.
// Adding      a rule: a row in record_rules.cpp; a figure made of records: figures.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/arm/arm_record.h"
#include "evidence/wire/decode.h"

namespace cairn::evidence {

constexpr std::string_view kBenchRecordSchema = "cairn-bench-record/v1";
/// M-28: the one lock of a series, by its name below the folder for temporary files.
constexpr std::string_view kBenchLock = "cairn-bench.lock";

/// What was measured.
struct BenchSubject {
  std::string key;   // row key of its page
  std::string kind;  // latency, throughput, serve, startup, memory, lever, compare
  std::string run_id;
  bool control = false;  // an A/A run
};

/// The keys of BenchSubject in wire order.
template <class Visitor, Is<BenchSubject> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("key", self.key);
  visit.field("kind", self.kind);
  visit.field("run_id", self.run_id);
  visit.field("control", self.control);
}

/// What makes two arms comparable (18.6).
struct Manifest {
  std::string model_sha256;
  double bytes_per_token = 0;
  std::string prompt_corpus_sha256;
  std::int64_t batch_cap = 0;
  std::int64_t token_budget = 0;
  std::int64_t context_tokens = 0;
  std::string kv_type;
  std::string state_type;
  std::string kernel_family;
  std::string compile_mode;  // "eager" weakens a peer
  std::string sampling;
  std::string cache_state;
  std::int64_t threads = 0;
  std::string version;
  std::string build_flags;
  std::vector<std::string> missing_isa;  // instruction sets that the build lacks; weakens a peer
  std::string memory_reservation;        // "none" or "up front"
};

/// The keys of Manifest in wire order.
template <class Visitor, Is<Manifest> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("model_sha256", self.model_sha256);
  visit.field("bytes_per_token", self.bytes_per_token);
  visit.field("prompt_corpus_sha256", self.prompt_corpus_sha256);
  visit.field("batch_cap", self.batch_cap);
  visit.field("token_budget", self.token_budget);
  visit.field("context_tokens", self.context_tokens);
  visit.field("kv_type", self.kv_type);
  visit.field("state_type", self.state_type);
  visit.field("kernel_family", self.kernel_family);
  visit.field("compile_mode", self.compile_mode);
  visit.field("sampling", self.sampling);
  visit.field("cache_state", self.cache_state);
  visit.field("threads", self.threads);
  visit.field("version", self.version);
  visit.field("build_flags", self.build_flags);
  visit.field("missing_isa", self.missing_isa);
  visit.field("memory_reservation", self.memory_reservation);
}

/// One side of the measurement.
struct BenchArm {
  std::string name;
  std::string role;  // ours, reference, off, on
  Manifest manifest;
  std::optional<std::vector<TierChoice>> tiers;  // of our arms
};

/// The keys of BenchArm in wire order.
template <class Visitor, Is<BenchArm> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("name", self.name);
  visit.field("role", self.role);
  visit.field("manifest", self.manifest);
  visit.optional("tiers", self.tiers);
}

/// Work done by one arm in one repetition.
struct BenchWork {
  std::string arm;
  std::int64_t repetition = 0;  // from 1
  std::int64_t requests = 0;
  std::int64_t failed = 0;
  std::int64_t ended_early = 0;
  std::int64_t prompt_tokens = 0;
  std::int64_t output_tokens = 0;
  std::string outputs_sha256;
};

/// The keys of BenchWork in wire order.
template <class Visitor, Is<BenchWork> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("arm", self.arm);
  visit.field("repetition", self.repetition);
  visit.field("requests", self.requests);
  visit.field("failed", self.failed);
  visit.field("ended_early", self.ended_early);
  visit.field("prompt_tokens", self.prompt_tokens);
  visit.field("output_tokens", self.output_tokens);
  visit.field("outputs_sha256", self.outputs_sha256);
}

/// Readings of one metric, in running order.
struct BenchSample {
  std::string arm;
  std::int64_t repetition = 0;
  bool cold = false;
  std::string metric;
  std::vector<double> values;
  std::optional<std::string> system_baseline_digest;
};

/// The keys of BenchSample in wire order.
template <class Visitor, Is<BenchSample> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("arm", self.arm);
  visit.field("repetition", self.repetition);
  visit.field("cold", self.cold);
  visit.field("metric", self.metric);
  visit.field("values", self.values);
  visit.optional("system_baseline_digest", self.system_baseline_digest);
}

struct MetricUnit {
  std::string metric;
  std::string unit;
};

/// The keys of MetricUnit in wire order.
template <class Visitor, Is<MetricUnit> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("metric", self.metric);
  visit.field("unit", self.unit);
}

struct MetricDirection {
  std::string metric;
  bool higher_is_better = false;
};

/// The keys of MetricDirection in wire order.
template <class Visitor, Is<MetricDirection> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("metric", self.metric);
  visit.field("higher_is_better", self.higher_is_better);
}

/// The host around the series (M-29).
struct HostState {
  std::string boot_id_before;
  std::string boot_id_after;
  std::string clock_before_utc;
  std::string clock_after_utc;
  std::int64_t swap_ins = 0;
  std::int64_t oom_count = 0;
  double steal_milliseconds = 0;
  std::string lock;
};

/// The keys of HostState in wire order.
template <class Visitor, Is<HostState> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("boot_id_before", self.boot_id_before);
  visit.field("boot_id_after", self.boot_id_after);
  visit.field("clock_before_utc", self.clock_before_utc);
  visit.field("clock_after_utc", self.clock_after_utc);
  visit.field("swap_ins", self.swap_ins);
  visit.field("oom_count", self.oom_count);
  visit.field("steal_milliseconds", self.steal_milliseconds);
  visit.field("lock", self.lock);
}

struct BenchMachine {
  std::string scrubbed_id;
  std::string platform;
  std::string backend;
  HostState host_state;
};

/// The keys of BenchMachine in wire order.
template <class Visitor, Is<BenchMachine> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("scrubbed_id", self.scrubbed_id);
  visit.field("platform", self.platform);
  visit.field("backend", self.backend);
  visit.field("host_state", self.host_state);
}

/// One setting of one of our arms.
struct BenchSetting {
  std::string arm;
  ArmSetting setting;
};

/// The keys of BenchSetting in wire order.
template <class Visitor, Is<BenchSetting> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("arm", self.arm);
  describe(visit, self.setting);
}

/// The whole document.
struct BenchRecord {
  std::string schema;
  BenchSubject subject;
  std::vector<BenchArm> arms;
  std::vector<BenchWork> work;
  std::vector<BenchSample> samples;
  std::vector<MetricUnit> units;
  std::vector<MetricDirection> direction;
  BenchMachine machine;
  std::vector<BenchSetting> settings;
  std::string digest;
};

/// The keys of BenchRecord in wire order.
template <class Visitor, Is<BenchRecord> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("schema", self.schema);
  visit.field("subject", self.subject);
  visit.field("arms", self.arms);
  visit.field("work", self.work);
  visit.field("samples", self.samples);
  visit.field("units", self.units);
  visit.field("direction", self.direction);
  visit.field("machine", self.machine);
  visit.field("settings", self.settings);
  visit.field("digest", self.digest);
}

/// Reads a bench record; not validated yet.
Decoded<BenchRecord> decode_bench_record(std::string_view text, Rules rules = {});

/// "sha256:" and the hash of everything but the digest (A-20..A-22).
std::string digest_of(const BenchRecord& record);
/// Fills the digest in; the last thing that a writer does.
void seal(BenchRecord& record);

/// The indented document with its last newline.
std::string text_of(const BenchRecord& record);

/// What the record breaks of chapter 18, sorted: M-01, M-02, M-23, M-28, M-29, M-33, M-34, M-37,
/// M-39, M-40, M-45, M-47, M-54 and M-56.
Findings validate_bench_record(const BenchRecord& record, Rules rules = {});

/// The arm with this role, or null.
const BenchArm* find_arm(const BenchRecord& record, std::string_view role);
/// "ours" or "on", and "reference" or "off"; null where the record has none.
const BenchArm* our_arm(const BenchRecord& record);
const BenchArm* reference_arm(const BenchRecord& record);

/// The unit of a metric, "" when the record does not name it.
std::string_view unit_of(const BenchRecord& record, std::string_view metric);
/// True for a metric whose direction in the record says so.
bool is_higher_better(const BenchRecord& record, std::string_view metric);

}  // namespace cairn::evidence
