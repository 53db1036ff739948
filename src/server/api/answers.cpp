#include "server/api/answers.h"

#include <utility>

namespace cairn::server {
namespace {

using runtime::FinishReason;

}  // namespace

std::string finish_word(FinishReason reason) {
  if (reason == FinishReason::kRepetition) return "repetition";
  if (reason == FinishReason::kStopId || reason == FinishReason::kStopString) return "stop";
  return reason == FinishReason::kLength ? "length" : "abort";
}

Answers::Answers(AnswerFacts facts, std::vector<Answer> answers, const runtime::Runtime& model)
    : facts_(std::move(facts)), answers_(std::move(answers)), model_(model) {}

TokenReport Answers::report(const runtime::TextPiece& piece) const {
  const auto one = [&](TokenId id, float logprob) {
    return TokenReport{.bytes = model_.describe(id), .logprob = logprob};
  };
  TokenReport token = one(piece.id, piece.logprob);
  for (const runtime::TokenLogprob& other : piece.top) {
    token.top.push_back(one(other.id, other.logprob));
  }
  return token;
}

Result<std::optional<ReplyChoice>> Answers::take(Answer& answer) {
  if (answer.finished) return std::optional<ReplyChoice>();
  ReplyChoice choice{.index = answer.index, .text_offset = answer.text_bytes};
  if (facts_.wants_logprobs) choice.logprobs.emplace();
  choice.text = std::exchange(answer.echo, {});
  bool news = !choice.text.empty();
  for (;;) {
    CAIRN_ASSIGN(const std::optional<runtime::TextPiece> piece, answer.stream->take());
    if (!piece) break;
    news = true;
    choice.text += piece->text;
    if (choice.logprobs) choice.logprobs->push_back(report(*piece));
  }
  if (answer.stream->ended()) {
    answer.finished = true;
    choice.finish_reason = finish_word(*answer.stream->finish_reason());
  } else if (!news) {
    return std::optional<ReplyChoice>();
  }
  answer.text_bytes += choice.text.size();
  return std::optional<ReplyChoice>(std::move(choice));
}

Usage Answers::usage() const {
  Usage usage;
  for (const Answer& answer : answers_) {
    usage.completion_tokens += answer.stream->ids().size();
    if (!answer.opens_prompt) continue;
    usage.prompt_tokens += answer.stream->prompt_ids().size();
    usage.cached_tokens += answer.stream->cached_tokens();
  }
  return usage;
}

}  // namespace cairn::server
