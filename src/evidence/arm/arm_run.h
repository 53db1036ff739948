// One repetition of one arm: what `cairn bench arm` prints and `bench experiment` reads
// (native-performance.md 5.4, 18.1).
//
// Purpose     carries the figures of a child process to the command that started it.
// Invariants  a run that was read says nothing before check_arm_run() finds nothing. It is neither
//             a receipt nor a bench record.
// Threads     values; no shared state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/arm/arm_record.h"
#include "evidence/wire/decode.h"

namespace cairn::evidence {

constexpr std::string_view kArmRunSchema = "cairn-arm-run/v1";

/// Planned and actual bytes of one kind of memory.
struct MemoryKind {
  std::string kind;
  std::uint64_t planned_bytes = 0;
  std::uint64_t actual_bytes = 0;
};

/// The keys of MemoryKind in wire order.
template <class Visitor, Is<MemoryKind> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("kind", self.kind);
  visit.field("planned_bytes", self.planned_bytes);
  visit.field("actual_bytes", self.actual_bytes);
}

/// The whole document. Times are of the measured answer, in milliseconds; the load is not in them.
struct ArmRun {
  std::string schema = std::string(kArmRunSchema);
  std::string model_sha256;
  std::string version;
  std::string device;
  std::string isa;
  std::string numerics;
  std::string kv_type;
  std::int64_t threads = 0;
  std::int64_t context_tokens = 0;
  std::int64_t prompt_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t warmups = 0;
  std::uint64_t bytes_per_token = 0;
  double load_milliseconds = 0;
  double end_to_end_milliseconds = 0;
  double ttft_milliseconds = 0;
  double prefill_milliseconds = 0;
  double decode_milliseconds = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t resident_bytes = 0;
  std::string prompt_sha256;
  std::string outputs_sha256;
  std::vector<ArmSetting> settings;
  std::vector<MemoryKind> memory;
};

/// The keys of ArmRun in wire order.
template <class Visitor, Is<ArmRun> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("schema", self.schema);
  visit.field("model_sha256", self.model_sha256);
  visit.field("version", self.version);
  visit.field("device", self.device);
  visit.field("isa", self.isa);
  visit.field("numerics", self.numerics);
  visit.field("kv_type", self.kv_type);
  visit.field("threads", self.threads);
  visit.field("context_tokens", self.context_tokens);
  visit.field("prompt_tokens", self.prompt_tokens);
  visit.field("output_tokens", self.output_tokens);
  visit.field("warmups", self.warmups);
  visit.field("bytes_per_token", self.bytes_per_token);
  visit.field("load_milliseconds", self.load_milliseconds);
  visit.field("end_to_end_milliseconds", self.end_to_end_milliseconds);
  visit.field("ttft_milliseconds", self.ttft_milliseconds);
  visit.field("prefill_milliseconds", self.prefill_milliseconds);
  visit.field("decode_milliseconds", self.decode_milliseconds);
  visit.field("peak_bytes", self.peak_bytes);
  visit.field("resident_bytes", self.resident_bytes);
  visit.field("prompt_sha256", self.prompt_sha256);
  visit.field("outputs_sha256", self.outputs_sha256);
  visit.field("settings", self.settings);
  visit.field("memory", self.memory);
}

/// Reads a run; not checked yet.
Decoded<ArmRun> decode_arm_run(std::string_view text, Rules rules = {});

/// M-03: wrong schema, hashes that are none, times or counts that are not above zero.
Findings check_arm_run(const ArmRun& run, Rules rules = {});

/// 5.4: decoded tokens over the seconds from the first decode step to the last token. The first
/// token is the prefill's and not counted: an arm of T decoded tokens generates T + 1.
double tokens_per_second(const ArmRun& run);

}  // namespace cairn::evidence
