#include "evidence/receipt/ambient.h"

#include <cmath>

#include "base/sha256.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {
namespace {

std::string metric_fault(const AmbientMetric& metric, std::string_view name) {
  const bool measured = metric.availability == "measured";
  if (!measured && metric.availability != "unavailable" && metric.availability != "unknown") {
    return std::string(name) + " with availability " + quote(metric.availability);
  }
  if (!measured && metric.value != 0) return std::string(name) + " with a value not measured";
  if (!std::isfinite(metric.value)) return std::string(name) + " that is not finite";
  return "";
}

std::string text_fault(const AmbientRecord& record) {
  if (record.schema != "fak-native-ambient-evidence/v1") return "schema " + quote(record.schema);
  if (record.started_at.empty() || record.ended_at.empty()) return "no start or end";
  if (record.source.empty()) return "no source";
  if (record.platform != "windows" && record.platform != "linux") {
    return "platform " + quote(record.platform);
  }
  if (record.verdict != "clean" && record.verdict != "investigate" && record.verdict != "invalid") {
    return "verdict " + quote(record.verdict);
  }
  return "";
}

}  // namespace

std::string digest_of(const AmbientRecord& record) {
  AmbientRecord open = record;
  open.digest.clear();
  return sha256_hex(canonical_text(open));
}

std::string ambient_fault(const AmbientRecord& record) {
  const std::string text = text_fault(record);
  if (!text.empty()) return text;
  if (record.elapsed_milliseconds <= 0) return "elapsed_milliseconds not above 0";
  if (record.sample_interval_milliseconds <= 0) return "sample_interval_milliseconds not above 0";
  if (!(record.sampler_overhead_milliseconds >= 0)) return "negative sampler overhead";
  for (const auto& [name, metric] : {std::pair<std::string_view, const AmbientMetric&>{
                                         "host_cpu_percent", record.host_cpu_percent},
                                     {"available_memory_bytes", record.available_memory_bytes},
                                     {"process_churn", record.process_churn},
                                     {"non_sut_cpu_percent", record.non_sut_cpu_percent}}) {
    const std::string fault = metric_fault(metric, name);
    if (!fault.empty()) return fault;
  }
  if (record.command_exit_code != 0 && record.verdict != "invalid") {
    return "a failed command with verdict " + quote(record.verdict);
  }
  return record.digest == digest_of(record) ? "" : "digest " + quote(record.digest);
}

}  // namespace cairn::evidence
