#include "engine/self_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/random.h"

namespace cairn::engine {
namespace {

constexpr std::uint64_t kDrawSeed = 0x5e1fc4ec;  // any constant: only the share matters

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

/// What does not end by itself, or was never an answer, can not be compared.
bool ended_by_itself(std::optional<FinishReason> reason) {
  return reason == FinishReason::kStopId || reason == FinishReason::kStopString ||
         reason == FinishReason::kLength || reason == FinishReason::kRepetition;
}

}  // namespace

SelfCheck::SelfCheck(double fraction, Forwarder& forwarder, KvCache& cache,
                     const TokenBytes& token_bytes)
    : fraction_(fraction), forwarder_(forwarder), cache_(cache), token_bytes_(token_bytes) {
  step_.reserve(forwarder.rows_max());
}

void SelfCheck::ended(std::uint64_t number, const Generation& generation,
                      const GenerationLimits& limits) {
  if (!ended_by_itself(generation.finish_reason())) return;
  if (random_unit(kDrawSeed, 0, number) >= fraction_) return;
  const bool shifted = generation.figures().dropped_tokens > 0;  // what it stood on is gone
  if (shifted || waiting_.size() >= kWaitingMax) {
    ++figures_.skipped;
    return;
  }
  Waiting next{.number = number, .request = generation.request(), .limits = limits};
  next.request.stop_asked = {};
  next.limits.lookup = {};
  next.ids.assign(generation.ids().begin(), generation.ids().end());
  next.logprobs.assign(generation.logprobs().begin(), generation.logprobs().end());
  next.prompt = generation.prompt_score().result();
  next.reason = generation.finish_reason();
  waiting_.push_back(std::move(next));
}

bool SelfCheck::begin() {
  if (waiting_.empty()) return false;
  if (generation_ == nullptr) {
    const Waiting& next = waiting_.front();
    generation_ = std::make_unique<Generation>(next.request, cache_, next.limits, token_bytes_);
    generation_->pages().keep_private();
  }
  // Where the prompt is told too, every row may want logits.
  const bool reads = !generation_->prompt_score().complete();
  const std::size_t rows_max = reads ? forwarder_.logits_rows_max() : forwarder_.rows_max();
  rows_ = std::min({generation_->pending().size(), rows_max, forwarder_.rows_max()});
  return generation_->pages().reserve(generation_->pages().ids().size() + rows_);
}

void SelfCheck::compute() {
  step_.clear();
  const PromptScore& score = generation_->prompt_score();
  std::size_t read = 0;
  auto slot = static_cast<std::uint32_t>(generation_->pages().ids().size());
  for (const TokenId id : generation_->pending().first(rows_)) {
    step_.push_back({.slot = slot,
                     .position = {slot, slot, slot},
                     .token = id,
                     .wants_logits = score.wants(slot)});
    read += score.wants(slot) ? 1 : 0;
    ++slot;
  }
  const bool last = rows_ == generation_->pending().size();
  step_.back().wants_logits = step_.back().wants_logits || last;
  std::vector<std::span<const std::uint32_t>> tables;
  for (std::size_t group = 0; group < cache_.groups().size(); ++group) {
    tables.push_back(generation_->pages().block_table(group));
  }
  std::vector<BlockTables> groups;
  for (const auto& table : tables) groups.emplace_back(&table, 1);
  const Matrix logits = forwarder_.forward(step_, groups);
  generation_->read_prompt(
      {.data = logits.data, .rows = read, .cols = logits.cols, .stride = logits.stride});
  if (last) generation_->sample(logits.row(read).first(token_bytes_.size()));
}

void SelfCheck::settle() {
  SequencePages& pages = generation_->pages();
  pages.append(generation_->ids().subspan(pages.ids().size(), rows_));
  const std::string found = difference();
  if (found.empty() && !generation_->finish_reason()) return;
  ++figures_.checked;
  if (!found.empty()) {
    ++figures_.disagreements;
    figures_.last = fmt::format("answer {}: {}", waiting_.front().number, found);
  }
  generation_.reset();
  waiting_.pop_front();
}

/// Between the answer and what is computed of it so far; empty: none.
std::string SelfCheck::difference() const {
  const Waiting& answer = waiting_.front();
  const std::span<const TokenId> alone = generation_->ids();
  const std::size_t prompt = answer.request.prompt.size();
  for (std::size_t i = prompt; i < alone.size(); ++i) {
    const std::size_t at = i - prompt;
    if (i >= answer.ids.size()) return fmt::format("it has {} ids, alone more", at);
    if (answer.ids[i] != alone[i]) {
      return fmt::format("id {} is {}, alone {}", at, answer.ids[i], alone[i]);
    }
    if (at < answer.logprobs.size() &&
        !same_bits(answer.logprobs[at], generation_->logprobs()[at])) {
      return fmt::format("the log-probability of id {} is {}, alone {}", at, answer.logprobs[at],
                         generation_->logprobs()[at]);
    }
  }
  std::string told = prompt_difference();
  if (!told.empty()) return told;
  const std::optional<FinishReason> reason = generation_->finish_reason();
  if (!reason || reason == answer.reason) return {};
  return fmt::format("it ended for reason {}, alone for {}", name_of(*answer.reason),
                     name_of(*reason));
}

/// The same of the prompt's tokens, once all of them were told again.
std::string SelfCheck::prompt_difference() const {
  const std::shared_ptr<const PromptLogprobs> alone = generation_->prompt_score().result();
  const std::shared_ptr<const PromptLogprobs>& answer = waiting_.front().prompt;
  if (!alone || !answer) return {};
  for (std::size_t i = 0; i < alone->size(); ++i) {
    if (same_bits((*answer)[i].logprob, (*alone)[i].logprob)) continue;
    return fmt::format("the log-probability of prompt token {} is {}, alone {}", i + 1,
                       (*answer)[i].logprob, (*alone)[i].logprob);
  }
  return {};
}

bool SelfCheck::give_way() {
  if (generation_ == nullptr) return false;
  generation_.reset();
  return true;
}

SelfCheckFigures SelfCheck::figures() const {
  SelfCheckFigures figures = figures_;
  figures.waiting = waiting_.size();
  return figures;
}

}  // namespace cairn::engine
