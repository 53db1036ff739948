// Settings of the engine: what it reserves, and how tokens are chosen unless a request says so.
#pragma once

#include <cstdint>
#include <optional>

#include "base/settings.h"

namespace cairn::engine {

struct EngineSettings {
  std::optional<std::uint64_t> ctx;
  std::uint64_t step_rows = 256;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor({.name = "ctx",
             .unit = "positions",
             .min = 1,
             .max = 1 << 30,
             .effect = Effect::kMemory,
             .sentence = "Context; auto is the model's length or what memory fits, the smaller."},
            self.ctx);
    visitor({.name = "step-rows",
             .unit = "rows",
             .min = 1,
             .max = 65536,
             .effect = Effect::kSpeed,
             .sentence = "Most prompt tokens computed in one step."},
            self.step_rows);
  }
};

/// Absent values are the model file's generation settings, else the stage does nothing.
struct SamplingSettings {
  std::optional<std::uint64_t> seed;
  std::optional<double> temperature;
  std::optional<std::int64_t> top_k;
  std::optional<double> top_p;
  std::optional<double> min_p;
  std::optional<double> repetition_penalty;
  std::optional<std::int64_t> repetition_window;
  std::optional<double> presence_penalty;
  std::optional<double> frequency_penalty;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor({.name = "seed", .sentence = "Seed of the random choice; auto is drawn and printed."},
            self.seed);
    visitor({.name = "temperature",
             .min = 0,
             .max = 100,
             .sentence = "Divides the logits before the draw; 0 takes the likeliest token."},
            self.temperature);
    visitor({.name = "top-k",
             .min = 0,
             .max = 1 << 30,
             .sentence = "Keeps the K likeliest tokens; 0 keeps all."},
            self.top_k);
    visitor({.name = "top-p",
             .min = 0,
             .max = 1,
             .sentence = "Keeps the likeliest tokens that together reach this probability."},
            self.top_p);
    visitor({.name = "min-p",
             .min = 0,
             .max = 1,
             .sentence = "Keeps tokens of at least this share of the likeliest one's probability."},
            self.min_p);
    visitor({.name = "repetition-penalty",
             .min = 0.01,
             .max = 100,
             .sentence = "Weakens tokens seen in prompt or answer; 1 is off."},
            self.repetition_penalty);
    visitor({.name = "repetition-window",
             .unit = "tokens",
             .min = -1,
             .max = 1 << 30,
             .sentence = "Last tokens that the repetition penalty looks at; -1 is all."},
            self.repetition_window);
    visitor({.name = "presence-penalty",
             .min = -2,
             .max = 2,
             .sentence = "Subtracted once from the logit of a token seen in the answer."},
            self.presence_penalty);
    visitor({.name = "frequency-penalty",
             .min = -2,
             .max = 2,
             .sentence = "Subtracted from a token's logit once per time it was in the answer."},
            self.frequency_penalty);
  }
};

}  // namespace cairn::engine
