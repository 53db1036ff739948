#include "engine/beam_search.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/math.h"

namespace cairn::engine {
namespace {

/// The first parameter that a beam's one-token requests would not see the answer with.
std::string_view depends_on_answer(const Request& request) {
  const SamplingParams& params = request.sampling;
  if (params.temperature != 0) return "temperature";
  if (params.repetition_penalty != 1) return "repetition_penalty";
  if (params.presence_penalty != 0) return "presence_penalty";
  if (params.frequency_penalty != 0) return "frequency_penalty";
  if (params.dry_multiplier != 0) return "dry_multiplier";
  if (params.mirostat != 0) return "mirostat";
  if (params.tokens_min != 0) return "tokens_min";
  if (params.repetition_pattern_max != 0) return "repetition_pattern_max";
  if (!params.banned_words.empty()) return "banned_words";
  if (!params.forced_ids.empty()) return "forced_ids";
  if (params.format != AnswerFormat::kText || params.mask || params.grammar)
    return "the answer's format";
  return request.stop_strings.empty() ? "" : "stop strings";
}

Status check(const Engine& engine, const Request& request, const BeamOptions& options) {
  const std::size_t width_max = std::min(kBeamsMax, engine.vocabulary() / 2);
  if (options.width == 0 || options.width > width_max) {
    return invalid_argument(
        fmt::format("the beam width is {}, accepted is 1 to {}", options.width, width_max));
  }
  if (!std::isfinite(options.length_penalty)) {
    return invalid_argument(
        fmt::format("length_penalty is {}, accepted is a finite number", options.length_penalty));
  }
  if (!request.tokens_max) {
    return invalid_argument("beam search needs the most tokens to generate, found none");
  }
  const std::string_view wrong = depends_on_answer(request);
  if (wrong.empty()) return {};
  return invalid_argument(
      fmt::format("beam search takes no {}, which depends on the answer so far", wrong));
}

class Search {
 public:
  Search(Engine& engine, const Request& request, const BeamOptions& options)
      : engine_(engine), request_(request), options_(options) {}

  Result<std::vector<Beam>> run() {
    const std::size_t room =
        engine_.context() - std::min(engine_.context(), request_.prompt.size());
    const std::size_t rounds = std::min(*request_.tokens_max, room + 1);
    for (std::size_t round = 0; round < rounds && !live_.empty(); ++round) CAIRN_TRY(extend());
    for (Beam& beam : live_) end(std::move(beam), FinishReason::kLength);
    std::ranges::stable_sort(ended_, std::ranges::greater(), &Beam::score);
    if (ended_.size() > options_.width) ended_.resize(options_.width);
    return std::move(ended_);
  }

 private:
  /// One more id for every beam.
  Status extend() {
    std::vector<std::unique_ptr<Stream>> streams;
    for (const Beam& beam : live_) {
      CAIRN_ASSIGN(std::unique_ptr<Stream> stream, engine_.submit(one_more(beam)));
      streams.push_back(std::move(stream));
    }
    std::vector<Beam> candidates;
    for (std::size_t i = 0; i < live_.size(); ++i) {
      CAIRN_ASSIGN(const std::optional<Token> token, streams[i]->next());
      if (!token) return cancelled("a beam's request ended without a token");
      for (const TokenLogprob& next : token->top) {
        if (std::isinf(next.logprob)) continue;  // banned
        Beam beam = live_[i];
        beam.ids.push_back(next.id);
        beam.logprob += static_cast<double>(next.logprob);
        candidates.push_back(std::move(beam));
      }
    }
    std::ranges::stable_sort(candidates, std::ranges::greater(), &Beam::logprob);
    live_.clear();
    for (Beam& beam : candidates) {
      const bool stops = std::ranges::count(request_.stop_ids, beam.ids.back()) > 0;
      if (stops) {
        end(std::move(beam), FinishReason::kStopId);
      } else if (live_.size() < options_.width) {
        live_.push_back(std::move(beam));
      }
    }
    return {};
  }

  Request one_more(const Beam& beam) const {
    Request request = request_;
    request.prompt.insert(request.prompt.end(), beam.ids.begin(), beam.ids.end());
    request.tokens_max = 1;
    request.logprobs = 2 * options_.width;
    request.logprobs_of = LogprobsOf::kProcessed;
    return request;
  }

  void end(Beam beam, FinishReason reason) {
    const double length =
        math::pow64(static_cast<double>(beam.ids.size()), options_.length_penalty);
    beam.score = beam.logprob / length;
    beam.reason = reason;
    ended_.push_back(std::move(beam));
  }

  Engine& engine_;
  const Request& request_;
  BeamOptions options_;
  std::vector<Beam> live_ = {Beam()};
  std::vector<Beam> ended_;
};

}  // namespace

Result<std::vector<Beam>> beam_search(Engine& engine, const Request& request,
                                      const BeamOptions& options) {
  CAIRN_TRY(check(engine, request, options));
  return Search(engine, request, options).run();
}

}  // namespace cairn::engine
