// Settings of the engine, and of sampling where a person leaves the model's own behind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "base/status.h"
#include "engine/sampling/params.h"
#include "engine/speculation/lookup.h"

namespace cairn::engine {

struct EngineSettings {
  std::optional<std::uint64_t> ctx;
  std::uint64_t step_rows = 256;
  std::optional<std::uint64_t> max_num_seqs;
  std::optional<std::uint64_t> kv_cache_memory;
  std::optional<std::uint64_t> num_blocks;
  std::string on_context_full = "stop";
  std::uint64_t n_keep = 0;
  double self_check = 0;
  std::string speculate = "off";
  std::uint64_t lookup_tokens = 8;
  std::uint64_t lookup_run_min = 2;
  std::uint64_t lookup_run_max = 5;
  std::string store_logits = "needed";
  std::uint64_t logits_rows = 0;
  std::optional<std::string> prefix_cache_dir;
  std::uint64_t prefix_cache_bytes = std::uint64_t{8} << 30;

  /// What the engine is asked to guess.
  LookupOptions lookup() const;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor({.name = "ctx",
             .unit = "tokens",
             .min = 1,
             .max = 1 << 30,
             .effect = Effect::kMemory,
             .sentence = "Positions of a sequence, prompt and answer together; auto is the smaller "
                         "of the model's length and what memory fits."},
            self.ctx);
    visitor({.name = "step-rows",
             .unit = "tokens",
             .min = 1,
             .max = 65536,
             .effect = Effect::kSpeed,
             .sentence = "Most tokens computed in one step; longer prompts come in chunks."},
            self.step_rows);
    visitor({.name = "self-check",
             .min = 0,
             .max = 1,
             .effect = Effect::kSpeed,
             .sentence = "Share of the answers that are computed a second time alone; those that "
                         "come out different are counted."},
            self.self_check);
    visitor({.name = "speculate",
             .choices = "off|lookup",
             .effect = Effect::kSpeed,
             .sentence = "Guesses the next tokens from where the last ones stood before and "
                         "verifies all of them in one step; the answer is the same."},
            self.speculate);
    visitor({.name = "lookup-tokens",
             .unit = "tokens",
             .min = 1,
             .max = kDraftTokensMax,
             .effect = Effect::kSpeed,
             .sentence = "Most tokens that are guessed in one step, of all answers together."},
            self.lookup_tokens);
    visitor({.name = "lookup-run-min",
             .unit = "tokens",
             .min = 1,
             .max = kLookupRunMax,
             .effect = Effect::kSpeed,
             .sentence = "Last tokens of an answer that must have stood before."},
            self.lookup_run_min);
    visitor({.name = "lookup-run-max",
             .unit = "tokens",
             .min = 1,
             .max = kLookupRunMax,
             .effect = Effect::kSpeed,
             .sentence = "Longest such run that is looked for; the longest one found is taken."},
            self.lookup_run_max);
    visitor({.name = "store-logits",
             .choices = "needed|always",
             .effect = Effect::kSpeed,
             .sentence = "needed: of a token that is chosen greedily without log-probabilities the "
                         "two best logits are found while they are computed, and none is stored."},
            self.store_logits);
    visit_memory(self, visitor);
  }

 private:
  template <typename Self, typename Visitor>
  static void visit_memory(Self& self, Visitor&& visitor) {
    visitor({.name = "max-num-seqs",
             .unit = "sequences",
             .min = 1,
             .max = 65536,
             .effect = Effect::kMemory,
             .sentence = "Answers generated at once, others wait; auto is 1 for run and chat, 8 "
                         "for a server and a batch."},
            self.max_num_seqs);
    visitor({.name = "kv-cache-memory",
             .unit = "bytes",
             .min = 1,
             .effect = Effect::kMemory,
             .sentence = "Memory of the cache: as many pages of 32 positions as fit into it; auto "
                         "is what all answers at once can fill, at most what remains of the "
                         "available memory beside everything else and a reserve."},
            self.kv_cache_memory);
    visitor({.name = "num-blocks",
             .unit = "pages",
             .min = 1,
             .max = 1LL << 40,
             .effect = Effect::kMemory,
             .sentence = "Pages of the cache, in place of kv-cache-memory."},
            self.num_blocks);
    visitor({.name = "on-context-full",
             .choices = "stop|shift|refuse",
             .sentence = "What becomes of an answer that reaches the context: it ends; or half of "
                         "the whole pages behind the kept tokens go and the rest is computed "
                         "again, with no end but those asked for; or a request that could get "
                         "there is refused."},
            self.on_context_full);
    visitor({.name = "n-keep",
             .unit = "tokens",
             .min = 0,
             .max = 1 << 30,
             .sentence = "Tokens of the beginning that such a shift keeps, up to whole pages of "
                         "32."},
            self.n_keep);
    visit_pages(self, visitor);
  }

  template <typename Self, typename Visitor>
  static void visit_pages(Self& self, Visitor&& visitor) {
    visitor({.name = "logits-rows",
             .unit = "tokens",
             .min = 0,
             .max = 65536,
             .effect = Effect::kMemory,
             .sentence = "Tokens of a prompt that a step may tell the log-probabilities of, beside "
                         "one per answer: more are faster where clients score prompts, and each "
                         "takes two rows of logits of memory."},
            self.logits_rows);
    visitor({.name = "prefix-cache-dir",
             .effect = Effect::kSpeed,
             .sentence = "Folder for pages of the prefix cache that memory has no place for, and "
                         "for all of them at the end: prompts that begin alike are found there "
                         "after a restart. auto keeps none."},
            self.prefix_cache_dir);
    visitor({.name = "prefix-cache-bytes",
             .unit = "bytes",
             .min = 1,
             .effect = Effect::kSpeed,
             .sentence = "Most that the folder may hold; pages that were not used for longest are "
                         "removed, also those of other models."},
            self.prefix_cache_bytes);
  }
};

/// "auto": the file's generation settings, else greedy.
struct SamplingSettings {
  std::optional<double> temperature;
  std::optional<std::int64_t> top_k;
  std::optional<double> top_p;
  std::optional<double> min_p;
  std::optional<double> repetition_penalty;
  std::optional<std::int64_t> repetition_window;
  std::optional<double> presence_penalty;
  std::optional<double> frequency_penalty;
  std::optional<std::int64_t> answer_window;
  std::optional<double> dynatemp_range;
  std::optional<double> dynatemp_exponent;
  std::optional<double> typical_p;
  std::optional<double> top_n_sigma;
  std::optional<double> xtc_probability;
  std::optional<double> xtc_threshold;
  std::optional<double> dry_multiplier;
  std::optional<double> dry_base;
  std::optional<std::int64_t> dry_allowed_length;
  std::optional<std::int64_t> dry_window;
  std::optional<std::int64_t> mirostat;
  std::optional<double> mirostat_tau;
  std::optional<double> mirostat_eta;
  std::optional<std::int64_t> min_keep;
  std::optional<std::string> samplers;
  std::int64_t min_tokens = 0;
  std::int64_t repetition_pattern_max = 0;
  std::int64_t repetition_pattern_min = 1;
  std::int64_t repetition_count = 2;
  std::string response_format = "text";
  std::optional<std::uint64_t> seed;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visit_common(self, visitor);
    visit_penalties(self, visitor);
    visit_truncations(self, visitor);
    visit_answer(self, visitor);
  }

 private:
  template <typename Self, typename Visitor>
  static void visit_common(Self& self, Visitor&& visitor) {
    visitor({.name = "temperature",
             .min = kTemperatureRange.low,
             .max = kTemperatureRange.high,
             .sentence = "Divides the logits; 0 always takes the likeliest token."},
            self.temperature);
    visitor({.name = "top-k",
             .unit = "tokens",
             .min = 0,
             .sentence = "Keeps the K likeliest; 0 keeps all."},
            self.top_k);
    visitor({.name = "top-p",
             .min = kProbabilityRange.low,
             .max = kProbabilityRange.high,
             .sentence = "Keeps the likeliest tokens that together have this probability."},
            self.top_p);
    visitor({.name = "min-p",
             .min = kProbabilityRange.low,
             .max = kProbabilityRange.high,
             .sentence = "Keeps tokens at least this share as probable as the likeliest."},
            self.min_p);
  }

  template <typename Self, typename Visitor>
  static void visit_penalties(Self& self, Visitor&& visitor) {
    visitor({.name = "repetition-penalty",
             .min = kRepetitionPenaltyRange.low,
             .max = kRepetitionPenaltyRange.high,
             .sentence = "Divides positive logits of tokens in prompt and answer; 1 does nothing."},
            self.repetition_penalty);
    visitor({.name = "repetition-window",
             .unit = "tokens",
             .min = -1,
             .sentence = "Last tokens that the repetition penalty looks at; -1 is all."},
            self.repetition_window);
    visitor({.name = "presence-penalty",
             .min = kTokenPenaltyRange.low,
             .max = kTokenPenaltyRange.high,
             .sentence = "Taken from the logits of tokens in the answer."},
            self.presence_penalty);
    visitor({.name = "frequency-penalty",
             .min = kTokenPenaltyRange.low,
             .max = kTokenPenaltyRange.high,
             .sentence = "Taken from the logits of tokens in the answer, once per occurrence."},
            self.frequency_penalty);
    visitor({.name = "answer-window",
             .unit = "tokens",
             .min = -1,
             .sentence =
                 "Last tokens of the answer that presence and frequency penalty count; -1 is all."},
            self.answer_window);
    visitor({.name = "dry-multiplier",
             .min = kDryMultiplierRange.low,
             .max = kDryMultiplierRange.high,
             .sentence = "Strength of the penalty for going on with a repetition (DRY); 0 is off."},
            self.dry_multiplier);
    visitor({.name = "dry-base",
             .min = kDryBaseRange.low,
             .max = kDryBaseRange.high,
             .sentence = "What the DRY penalty grows by with each token of the repetition."},
            self.dry_base);
    visitor({.name = "dry-allowed-length",
             .unit = "tokens",
             .min = 1,
             .sentence = "Repetitions shorter than this are free of the DRY penalty."},
            self.dry_allowed_length);
    visitor({.name = "dry-window",
             .unit = "tokens",
             .min = -1,
             .sentence = "Last tokens in which DRY looks for repetitions; -1 is all, 0 none."},
            self.dry_window);
  }

  template <typename Self, typename Visitor>
  static void visit_truncations(Self& self, Visitor&& visitor) {
    visitor({.name = "dynatemp-range",
             .min = kDynamicTemperatureRange.low,
             .max = kDynamicTemperatureRange.high,
             .sentence = "How far the temperature moves up and down with the entropy of the next "
                         "token; 0 fixes it."},
            self.dynatemp_range);
    visitor({.name = "dynatemp-exponent",
             .min = kDynamicExponentRange.low,
             .max = kDynamicExponentRange.high,
             .sentence = "Power of the entropy's share in that."},
            self.dynatemp_exponent);
    visitor({.name = "typical-p",
             .min = kProbabilityRange.low,
             .max = kProbabilityRange.high,
             .sentence = "Keeps the tokens nearest to the entropy that together have this "
                         "probability; 1 keeps all."},
            self.typical_p);
    visitor({.name = "top-n-sigma",
             .min = kTopNSigmaRange.low,
             .max = kTopNSigmaRange.high,
             .sentence =
                 "Keeps logits within so many standard deviations of the highest; 0 keeps all."},
            self.top_n_sigma);
    visitor({.name = "xtc-probability",
             .min = kProbabilityRange.low,
             .max = kProbabilityRange.high,
             .sentence = "How often all likely tokens but the least likely of them are taken out."},
            self.xtc_probability);
    visitor({.name = "xtc-threshold",
             .min = kProbabilityRange.low,
             .max = kProbabilityRange.high,
             .sentence = "Probability from which a token is likely in that; above 0.5 it is off."},
            self.xtc_threshold);
    visitor({.name = "min-keep",
             .unit = "tokens",
             .min = 0,
             .sentence = "What each truncation keeps at least."},
            self.min_keep);
    visitor({.name = "samplers",
             .sentence = "Names of the stages in the order in which they run, with ';' between: "
                         "penalties, dry, temperature, top_n_sigma, top_k, typical_p, top_p, "
                         "min_p, xtc; auto is this order."},
            self.samplers);
  }

  template <typename Self, typename Visitor>
  static void visit_answer(Self& self, Visitor&& visitor) {
    visitor({.name = "mirostat",
             .min = kMirostatRange.low,
             .max = kMirostatRange.high,
             .sentence = "Draws so that the surprise of tokens stays near a target, by version 1 "
                         "or 2; 0 is off."},
            self.mirostat);
    visitor({.name = "mirostat-tau",
             .unit = "bits",
             .min = kMirostatTauRange.low,
             .max = kMirostatTauRange.high,
             .sentence = "That target."},
            self.mirostat_tau);
    visitor({.name = "mirostat-eta",
             .min = kMirostatEtaRange.low,
             .max = kMirostatEtaRange.high,
             .sentence = "How fast mirostat corrects itself."},
            self.mirostat_eta);
    visitor({.name = "min-tokens",
             .unit = "tokens",
             .min = 0,
             .sentence = "No end-of-text token before so many."},
            self.min_tokens);
    visitor({.name = "repetition-pattern-max",
             .unit = "tokens",
             .min = 0,
             .max = kPatternMax,
             .sentence = "Longest pattern whose repetition ends the answer; 0 is off."},
            self.repetition_pattern_max);
    visitor({.name = "repetition-pattern-min",
             .unit = "tokens",
             .min = 1,
             .max = kPatternMax,
             .sentence = "Shortest such pattern."},
            self.repetition_pattern_min);
    visitor({.name = "repetition-count",
             .min = 2,
             .max = kPatternMax,
             .sentence = "How often it has to stand in a row."},
            self.repetition_count);
    visitor({.name = "response-format",
             .choices = "text|json_object",
             .sentence = "What the whole answer is: any text, or one JSON object."},
            self.response_format);
    visitor({.name = "seed",
             .min = 0,
             .sentence = "Of the random numbers; auto draws one, which is shown."},
            self.seed);
  }
};

/// Puts what was asked for into `params`, and leaves the rest of them. Errors: kInvalidArgument for
/// an order of stages with an empty name.
Status take_settings(const SamplingSettings& asked, SamplingParams& params);

/// "a;b" as its names. Errors: kInvalidArgument for an empty one.
Result<std::vector<std::string>> parse_order(std::string_view text);

}  // namespace cairn::engine
