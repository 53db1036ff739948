// Company: random requests in random company, each compared with itself alone. For tests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/request.h"

namespace cairn::engine {

/// Draws of one seed, in order.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  /// 0 up to `below`.
  std::size_t operator()(std::size_t below);
  /// True once in `times`.
  bool once_in(std::size_t times) { return (*this)(times) == 0; }

 private:
  std::uint64_t seed_ = 0;
  std::uint64_t count_ = 0;
};

/// All that an answer is: nothing in it may depend on company.
struct Heard {
  std::vector<TokenId> ids = {};
  std::string text = {};
  std::vector<float> logprobs = {};
  std::vector<TokenLogprob> tops = {};  // the likeliest, then those that were asked for
  std::shared_ptr<const PromptLogprobs> prompt = {};
  std::optional<FinishReason> reason = {};
  Status status = {};

  /// Takes what next() gave; false at the end.
  bool take(const Result<std::optional<Token>>& next);
  /// What differs between this and `alone`, in words; empty when nothing does. A cancelled answer
  /// is compared as far as it came.
  std::string differs(const Heard& alone) const;

 private:
  std::string tokens_differ(const Heard& alone) const;
  std::string prompt_differs(const Heard& alone) const;
};

/// What requests are drawn from.
struct CompanyShape {
  std::size_t vocabulary = 0;  // ids that requests may hold
  std::size_t context = 0;
  std::size_t prompt_max = 0;
  std::size_t answer_max = 0;
  std::size_t requests = 0;
  bool json = false;  // some ids print what JSON is made of: answers are kept to it, or to a schema
};

/// What keeps an answer to the JSON Schema `schema`.
std::shared_ptr<const Grammar> grammar_of(std::string_view schema);

/// A request whose prompt often begins as others of the same seed do.
Request draw_request(Draws& draw, const CompanyShape& shape);

/// Submits `request` and takes its answer to the end.
Heard hear(Engine& engine, Request request);

/// `request` by itself, as the `choice`th of its answers.
Heard hear_alone(Engine& engine, Request request, std::size_t choice);

/// Answers that were compared, by what they held.
struct CompanyCounts {
  std::size_t answers = 0;
  std::size_t told_prompts = 0;
  std::size_t masked = 0;  // by a chain, to the end
  std::size_t json = 0;    // likewise
  std::size_t schemas = 0;
};

/// Submits, reads, cancels and drops at random on one thread until all is read. `alone` runs
/// nothing else. Returns what differed, in words; empty when nothing did.
std::string keep_company(Engine& engine, Engine& alone, Draws& draw, const CompanyShape& shape,
                         CompanyCounts* counts = nullptr);

}  // namespace cairn::engine
