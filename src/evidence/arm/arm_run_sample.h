// A valid arm run, for tests to break.
#pragma once

#include <string>

#include "evidence/arm/arm_run.h"

namespace cairn::evidence {

/// 64 decode steps in 640 ms.
inline ArmRun sample_arm_run() {
  ArmRun run;
  run.model_sha256 = std::string(63, '0') + "1";
  run.prompt_sha256 = std::string(63, '0') + "2";
  run.outputs_sha256 = std::string(63, '0') + "3";
  run.version = "1.0";
  run.device = "cpu";
  run.isa = "avx2";
  run.numerics = "exact";
  run.kv_type = "bf16";
  run.threads = 2;
  run.context_tokens = 96;
  run.prompt_tokens = 32;
  run.output_tokens = 65;
  run.warmups = 1;
  run.bytes_per_token = 700;
  run.load_milliseconds = 300;
  run.end_to_end_milliseconds = 680;
  run.ttft_milliseconds = 40;
  run.prefill_milliseconds = 38;
  run.decode_milliseconds = 640;
  run.peak_bytes = 2000;
  run.resident_bytes = 1000;
  run.settings = {{.name = "threads", .value = "2", .origin = "flag"}};
  run.memory = {{.kind = "weights", .planned_bytes = 900, .actual_bytes = 800}};
  return run;
}

}  // namespace cairn::evidence
