// The system-baseline attestation, schema fak.system-baseline/v1 (native-performance.md 7.1).
//
// Purpose     what else the host did before and during one repetition, sealed. build.h makes one
//             from samples, read.h reads one, check.h judges one.
// Invariants  keys stand in the order of 7.1, which is the order of the digest; a value that was
//             not measured is not available and never a number. No value is corrected.
// Threads     values; no shared state.
// Adding      a key: nothing may be added, the digest covers exactly these (15.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/wire/decode.h"

namespace cairn::evidence::attestation {

constexpr std::string_view kSchema = "fak.system-baseline/v1";

/// One measured value, or why there is none.
struct Metric {
  bool available = false;
  double value = 0;  // left out when 0
  std::string unit = {};
  std::string source = {};
  std::string reason = {};
};

struct Window {
  std::string started_at_utc = {};
  std::string ended_at_utc = {};
  std::int64_t duration_ns = 0;
  std::int64_t sample_interval_ns = 0;
  std::int64_t samples = 0;
};

struct HostTotals {
  Metric cpu_percent = {};
  Metric memory_total_bytes = {};
  Metric memory_available_bytes = {};
  Metric process_count = {};
};

/// What the sampling itself cost.
struct Sampler {
  std::int64_t counted_samples = 0;
  std::int64_t wall_ns = 0;
  Metric duty_percent = {};
};

struct Coverage {
  std::int64_t process_snapshots = 0;
  std::int64_t processes_observed = 0;
  std::int64_t process_reads = 0;
  std::int64_t process_unreadable = 0;
  std::int64_t host_cpu_samples = 0;
  std::int64_t host_memory_samples = 0;
  std::int64_t sut_root_pid = 0;
  std::string descendant_attribution = {};
  std::string process_enumeration_note = {};
};

struct Attribution {
  Metric sut_cpu_percent_of_host = {};
  Metric non_sut_cpu_percent_of_host = {};
  Metric sut_rss_bytes = {};
  Metric non_sut_rss_bytes = {};
};

/// A process that is not the one measured.
struct Consumer {
  std::string image = {};
  std::int64_t pid = 0;
  double cpu_seconds = 0;
  std::uint64_t rss_bytes = 0;
  bool cpu_available = false;
  bool rss_available = false;
};

/// The limits that were applied; the defaults are those of 7.2.
struct Policy {
  std::int64_t minimum_baseline_samples = 2;
  std::int64_t minimum_samples = 2;
  double maximum_non_sut_cpu_percent = 20;
  double maximum_sampler_duty_percent = 10;
  bool require_host_cpu = true;
  bool require_sut_cpu = true;
  bool require_process_memory = false;
  bool include_top_consumers = false;
};

/// Why the verdict is not clean.
struct Remark {
  std::string code = {};
  std::string detail = {};
};

/// The whole report. Of the two lists, absent means null, which the digest tells from [].
struct Attestation {
  std::string schema = {};
  std::string verdict = {};
  Window baseline_window = {};
  HostTotals baseline_host_totals = {};
  Sampler baseline_sampler = {};
  Window command_window = {};
  Sampler command_sampler = {};
  Coverage coverage = {};
  HostTotals host_totals = {};
  Attribution attribution = {};
  std::optional<std::vector<Consumer>> top_non_sut_consumers = {};
  Policy policy = {};
  std::optional<std::vector<Remark>> findings = {};
  std::int64_t command_exit_code = 0;
  bool timed_out = false;
  std::string digest = {};
};

/// `policy` with every limit that makes no sense replaced by its default (7.2).
Policy normalised(const Policy& policy);

/// the last part of a process's name, both slashes separating; "unknown" when nothing is
/// left.
std::string base_name(std::string_view image);

/// The digest of everything but the digest (A-20..A-22).
std::string digest_of(const Attestation& attestation);

/// Sets the digest; the last step.
void seal(Attestation& attestation);

/// The keys in wire order, see wire/decode.h.
template <class Visitor, Is<Metric> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("available", self.available);
  visit.omit_zero("value", self.value);
  visit.field("unit", self.unit);
  visit.omit_zero("source", self.source);
  visit.omit_zero("reason", self.reason);
}

/// The keys in wire order, see wire/decode.h.
template <class Visitor, Is<Window> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("started_at_utc", self.started_at_utc);
  visit.field("ended_at_utc", self.ended_at_utc);
  visit.field("duration_ns", self.duration_ns);
  visit.field("sample_interval_ns", self.sample_interval_ns);
  visit.field("samples", self.samples);
}

/// The keys in wire order, see wire/decode.h.
template <class Visitor, Is<HostTotals> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("cpu_percent", self.cpu_percent);
  visit.field("memory_total_bytes", self.memory_total_bytes);
  visit.field("memory_available_bytes", self.memory_available_bytes);
  visit.field("process_count", self.process_count);
}

/// The keys in wire order, see wire/decode.h.
template <class Visitor, Is<Sampler> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("counted_samples", self.counted_samples);
  visit.field("wall_ns", self.wall_ns);
  visit.field("duty_percent", self.duty_percent);
}

/// The keys in wire order, see wire/decode.h.
template <class Visitor, Is<Coverage> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("process_snapshots", self.process_snapshots);
  visit.field("processes_observed", self.processes_observed);
  visit.field("process_reads", self.process_reads);
  visit.field("process_unreadable", self.process_unreadable);
  visit.field("host_cpu_samples", self.host_cpu_samples);
  visit.field("host_memory_samples", self.host_memory_samples);
  visit.field("sut_root_pid", self.sut_root_pid);
  visit.field("descendant_attribution", self.descendant_attribution);
  visit.omit_zero("process_enumeration_note", self.process_enumeration_note);
}

/// The keys in wire order, see wire/decode.h.
template <class Visitor, Is<Attribution> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("sut_cpu_percent_of_host", self.sut_cpu_percent_of_host);
  visit.field("non_sut_cpu_percent_of_host", self.non_sut_cpu_percent_of_host);
  visit.field("sut_rss_bytes", self.sut_rss_bytes);
  visit.field("non_sut_rss_bytes", self.non_sut_rss_bytes);
}

/// The keys in wire order, see wire/decode.h.
template <class Visitor, Is<Consumer> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("image", self.image);
  visit.field("pid", self.pid);
  visit.omit_zero("cpu_seconds", self.cpu_seconds);
  visit.omit_zero("rss_bytes", self.rss_bytes);
  visit.field("cpu_available", self.cpu_available);
  visit.field("rss_available", self.rss_available);
}

/// The keys in wire order, see wire/decode.h.
template <class Visitor, Is<Policy> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("minimum_baseline_samples", self.minimum_baseline_samples);
  visit.field("minimum_samples", self.minimum_samples);
  visit.field("maximum_non_sut_cpu_percent", self.maximum_non_sut_cpu_percent);
  visit.field("maximum_sampler_duty_percent", self.maximum_sampler_duty_percent);
  visit.field("require_host_cpu", self.require_host_cpu);
  visit.field("require_sut_cpu", self.require_sut_cpu);
  visit.field("require_process_memory", self.require_process_memory);
  visit.field("include_top_consumers", self.include_top_consumers);
}

/// The keys in wire order, see wire/decode.h.
template <class Visitor, Is<Remark> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("code", self.code);
  visit.field("detail", self.detail);
}

/// The keys in wire order, see wire/decode.h.
template <class Visitor, Is<Attestation> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("schema", self.schema);
  visit.field("verdict", self.verdict);
  visit.field("baseline_window", self.baseline_window);
  visit.field("baseline_host_totals", self.baseline_host_totals);
  visit.field("baseline_sampler", self.baseline_sampler);
  visit.field("command_window", self.command_window);
  visit.field("command_sampler", self.command_sampler);
  visit.field("coverage", self.coverage);
  visit.field("host_totals", self.host_totals);
  visit.field("attribution", self.attribution);
  visit.nullable("top_non_sut_consumers", self.top_non_sut_consumers);
  visit.field("policy", self.policy);
  visit.nullable("findings", self.findings);
  visit.field("command_exit_code", self.command_exit_code);
  visit.field("timed_out", self.timed_out);
  visit.field("digest", self.digest);
}

}  // namespace cairn::evidence::attestation
