// Settings of the engine, and of sampling where a person leaves the model's own behind.
#pragma once

#include <cstdint>
#include <optional>

#include "base/settings.h"
#include "engine/sampling/params.h"

namespace cairn::engine {

struct EngineSettings {
  std::optional<std::uint64_t> ctx;
  std::uint64_t step_rows = 256;

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
  }
};

/// "auto" everywhere: the file's generation settings, else greedy.
struct SamplingSettings {
  std::optional<double> temperature;
  std::optional<std::int64_t> top_k;
  std::optional<double> top_p;
  std::optional<double> min_p;
  std::optional<double> repetition_penalty;
  std::optional<std::int64_t> repetition_window;
  std::optional<double> presence_penalty;
  std::optional<double> frequency_penalty;
  std::optional<std::uint64_t> seed;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& visitor) {
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
    visitor({.name = "seed",
             .min = 0,
             .sentence = "Of the random numbers; auto draws one, which is shown."},
            self.seed);
  }
};

}  // namespace cairn::engine
