// The legacy ambient record (native-performance.md 5.6), read from old receipts only.
#pragma once

#include <cstdint>
#include <string>

#include "evidence/wire/decode.h"

namespace cairn::evidence {

struct AmbientMetric {
  std::string availability;
  double value = 0;
};

/// The keys of AmbientMetric in wire order.
template <class Visitor, Is<AmbientMetric> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("availability", self.availability);
  visit.omit_zero("value", self.value);
}

struct AmbientRecord {
  std::string schema;
  std::string started_at;
  std::string ended_at;
  std::int64_t elapsed_milliseconds = 0;
  std::int64_t sample_interval_milliseconds = 0;
  std::string source;
  std::string platform;
  double sampler_overhead_milliseconds = 0;
  AmbientMetric host_cpu_percent;
  AmbientMetric available_memory_bytes;
  AmbientMetric process_churn;
  AmbientMetric non_sut_cpu_percent;
  std::int64_t command_exit_code = 0;
  std::string verdict;
  std::string digest;
};

/// The keys of AmbientRecord in wire order.
template <class Visitor, Is<AmbientRecord> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("schema", self.schema);
  visit.field("started_at", self.started_at);
  visit.field("ended_at", self.ended_at);
  visit.field("elapsed_milliseconds", self.elapsed_milliseconds);
  visit.field("sample_interval_milliseconds", self.sample_interval_milliseconds);
  visit.field("source", self.source);
  visit.field("platform", self.platform);
  visit.field("sampler_overhead_milliseconds", self.sampler_overhead_milliseconds);
  visit.field("host_cpu_percent", self.host_cpu_percent);
  visit.field("available_memory_bytes", self.available_memory_bytes);
  visit.field("process_churn", self.process_churn);
  visit.field("non_sut_cpu_percent", self.non_sut_cpu_percent);
  visit.field("command_exit_code", self.command_exit_code);
  visit.field("verdict", self.verdict);
  visit.field("digest", self.digest);
}

/// The bare hex digest of everything but the digest.
std::string digest_of(const AmbientRecord& record);

/// Why the record is not valid, or "".
std::string ambient_fault(const AmbientRecord& record);

}  // namespace cairn::evidence
