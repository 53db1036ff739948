// One greedy answer of an open model, timed token by token; what `cairn bench` knows of our arms.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/settings.h"
#include "evidence/bench/bench_record.h"
#include "runtime/runtime.h"

namespace cairn::cli {

/// What is asked. The prompt is random ids, the same ones for the same number of them, and nothing
/// of it is found in a cache.
struct AnswerAsk {
  std::size_t prompt_tokens = 32;
  std::size_t generate = 64;
};

/// Milliseconds since the request was submitted.
struct TimedAnswer {
  std::vector<double> token_ms;  // of each token, ascending
  double prefill_ms = 0;         // from the first forward to the first token
  std::string prompt_sha256;     // of the ids as little-endian u32
  std::string outputs_sha256;

  double first_ms() const { return token_ms.front(); }
  double last_ms() const { return token_ms.back(); }
  double decode_ms() const { return last_ms() - first_ms(); }
  /// Between tokens.
  std::vector<double> gaps_ms() const;
};

/// Errors: as Runtime::generate; kCancelled.
Result<TimedAnswer> time_answer(runtime::Runtime& model, const AnswerAsk& ask,
                                const std::function<bool()>& cancelled);

/// The work of whole answers.
evidence::BenchWork work_of(const std::vector<AnswerAsk>& asked,
                            const std::vector<TimedAnswer>& answers);

/// The file's SHA-256 as 64 digits. Errors: as MappedFile::open.
Result<std::string> file_sha256(const std::string& path);

/// What an arm of ours is made of beside its model.
struct OurArm {
  std::string name;
  std::string role;
  std::string model_sha256;
  std::string corpus_sha256;  // of everything that it is asked
  const runtime::ModelFacts& facts;
  const Settings& settings;
};

/// The arm with its manifest and tiers.
evidence::BenchArm our_bench_arm(const OurArm& arm);

/// The settings with room for `context` positions where they leave that open.
Settings with_context(Settings settings, std::size_t context);

/// How this program was compiled, for manifests.
std::string build_words();

}  // namespace cairn::cli
