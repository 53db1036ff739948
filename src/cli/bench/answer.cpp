#include "cli/bench/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>

#include "base/clock.h"
#include "base/file.h"
#include "base/random.h"
#include "base/sha256.h"

namespace cairn::cli {
namespace {

/// Another sequence for other seeds; the benchmarks' prompts are drawn with one.
constexpr std::uint64_t kPromptSeed = 20'261'130;

runtime::IdsPrompt drawn_prompt(const runtime::Runtime& model, std::size_t tokens) {
  runtime::IdsPrompt prompt;
  const auto vocabulary = static_cast<double>(model.facts().vocabulary);
  for (std::size_t i = 0; i < tokens; ++i) {
    prompt.ids.push_back(static_cast<TokenId>(random_unit(kPromptSeed, tokens, i) * vocabulary));
  }
  return prompt;
}

/// Of the ids as little-endian u32: the byte order of every machine that has a tier.
std::string ids_sha256(std::span<const TokenId> ids) {
  static_assert(std::endian::native == std::endian::little && sizeof(TokenId) == 4);
  return sha256_hex(std::as_bytes(ids));
}

double ms_since(std::int64_t begin_ns) {
  return static_cast<double>(steady_ns() - begin_ns) * 1e-6;
}

}  // namespace

std::vector<double> TimedAnswer::gaps_ms() const {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < token_ms.size(); ++i) gaps.push_back(token_ms[i] - token_ms[i - 1]);
  return gaps;
}

Result<TimedAnswer> time_answer(runtime::Runtime& model, const AnswerAsk& ask,
                                const std::function<bool()>& cancelled) {
  const runtime::IdsPrompt prompt = drawn_prompt(model, ask.prompt_tokens);
  TimedAnswer answer;
  answer.prompt_sha256 = ids_sha256(prompt.ids);
  const runtime::GenerateRequest request{.prompt = prompt,
                                         .seed = 1,
                                         .tokens_max = ask.generate,
                                         .stop_at_end = runtime::StopAtEnd::kNo,
                                         .reuse = runtime::PrefixReuse::kNo,
                                         .stop_asked = cancelled};
  const std::int64_t begin_ns = steady_ns();
  CAIRN_ASSIGN(const std::unique_ptr<runtime::TextStream> stream, model.generate(request));
  for (;;) {
    CAIRN_ASSIGN(const std::optional<runtime::TextPiece> piece, stream->next());
    if (!piece) break;
    answer.token_ms.push_back(ms_since(begin_ns));
  }
  if (cancelled()) return cairn::cancelled("stopped");
  if (stream->ids().size() != ask.generate || answer.token_ms.size() != ask.generate) {
    return internal_error(
        fmt::format("an answer of {} tokens ended after {}", ask.generate, stream->ids().size()));
  }
  answer.prefill_ms = stream->figures().prompt_s * kMsPerSecond;
  answer.outputs_sha256 = ids_sha256(stream->ids());
  return answer;
}

evidence::BenchWork work_of(const std::vector<AnswerAsk>& asked,
                            const std::vector<TimedAnswer>& answers) {
  evidence::BenchWork work;
  work.requests = static_cast<std::int64_t>(answers.size());
  std::string hashes;
  for (const AnswerAsk& ask : asked) {
    work.prompt_tokens += static_cast<std::int64_t>(ask.prompt_tokens);
    work.output_tokens += static_cast<std::int64_t>(ask.generate);
  }
  for (const TimedAnswer& answer : answers) hashes += answer.outputs_sha256;
  work.outputs_sha256 = answers.size() == 1 ? hashes : sha256_hex(hashes);
  return work;
}

Result<std::string> file_sha256(const std::string& path) {
  constexpr std::size_t kPieceBytes = 8U << 20U;
  CAIRN_ASSIGN(const MappedFile file, MappedFile::open(path));
  const std::span<const std::byte> bytes = file.bytes();
  Sha256 hash;
  for (std::size_t at = 0; at < bytes.size(); at += kPieceBytes) {
    const std::size_t size = std::min(kPieceBytes, bytes.size() - at);
    hash.update(bytes.subspan(at, size));
    (void)file.release(at, size);  // or the file would count as this process's memory
  }
  return hash.hex();
}

evidence::BenchArm our_bench_arm(const OurArm& arm) {
  const runtime::ModelFacts& facts = arm.facts;
  evidence::BenchArm made = {.name = arm.name, .role = arm.role, .manifest = {}, .tiers = {}};
  made.manifest = {.model_sha256 = arm.model_sha256,
                   .bytes_per_token = static_cast<double>(facts.bytes_per_token),
                   .prompt_corpus_sha256 = arm.corpus_sha256,
                   .batch_cap = static_cast<std::int64_t>(facts.sequences),
                   .token_budget = static_cast<std::int64_t>(arm.settings.engine.step_rows),
                   .context_tokens = static_cast<std::int64_t>(facts.context),
                   .kv_type = facts.kv_cache_dtype,
                   .state_type = "f32",
                   .kernel_family = facts.isa,
                   .compile_mode = "compiled",
                   .sampling = "greedy",
                   .cache_state = "no prefix reuse",
                   .threads = static_cast<std::int64_t>(facts.threads),
                   .version = "cairn " CAIRN_VERSION,
                   .build_flags = build_words(),
                   .missing_isa = {},
                   .memory_reservation = "none"};
  made.tiers = std::vector<evidence::TierChoice>{{.op = "all", .tier = facts.isa}};
  return made;
}

Settings with_context(Settings settings, std::size_t context) {
  if (!settings.engine.ctx) settings.engine.ctx = context;
  return settings;
}

std::string build_words() {
#ifdef NDEBUG
  return "optimised, without assertions";
#else
  return "with assertions";
#endif
}

}  // namespace cairn::cli
