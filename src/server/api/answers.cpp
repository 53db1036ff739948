#include "server/api/answers.h"

#include <algorithm>
#include <random>
#include <span>
#include <utility>

namespace cairn::server {
namespace {

using runtime::FinishReason;

// Tokens at the end of an answer among which a stop text of at most kTextBytesMax bytes lies.
constexpr std::size_t kStopTokensMax = 1024;

/// Nine letters and digits: what the strictest templates accept as the id of a call.
std::string drawn_call_id() {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr std::size_t kLength = 9;
  std::random_device source;
  std::uniform_int_distribution<std::size_t> letter(0, kLetters.size() - 1);
  std::string id;
  while (id.size() < kLength) id += kLetters[letter(source)];
  return id;
}

}  // namespace

/// Moves parts into the choice; calls get their ids. With the call after the last one that it may
/// hold an answer ends.
void Answers::add_parts(Answer& answer, AnswerParts parts, ReplyChoice& choice) const {
  choice.text += parts.text;
  if (!parts.reasoning.empty()) {
    choice.reasoning = choice.reasoning.value_or("") + parts.reasoning;
  }
  for (CallPiece& piece : parts.calls) {
    if (piece.index >= facts_.calls_max) {
      answer.calls_full = true;
      answer.stream->cancel();
      return;
    }
    ToolCall call{.index = piece.index,
                  .name = std::move(piece.name),
                  .arguments = std::move(piece.arguments)};
    if (!call.name.empty()) call.id = answer.call_ids.emplace_back(drawn_call_id());
    choice.tool_calls.push_back(std::move(call));
  }
}

std::string finish_word(FinishReason reason) {
  if (reason == FinishReason::kRepetition) return "repetition";
  if (reason == FinishReason::kStopId || reason == FinishReason::kStopString) return "stop";
  const bool full = reason == FinishReason::kLength || reason == FinishReason::kDeadline;
  return full ? "length" : "abort";
}

Answers::Answers(AnswerFacts facts, std::vector<Answer> answers, const runtime::Runtime& model)
    : facts_(std::move(facts)), answers_(std::move(answers)), model_(model) {}

TokenReport Answers::report(const runtime::TextPiece& piece) const {
  const auto one = [&](TokenId id, float logprob) {
    return TokenReport{.bytes = model_.describe(id), .logprob = logprob};
  };
  TokenReport token = one(piece.id, piece.logprob);
  token.characters = count_characters(piece.text);
  for (const runtime::TokenLogprob& other : piece.top) {
    token.top.push_back(one(other.id, other.logprob));
  }
  return token;
}

void Answers::add_piece(Answer& answer, const runtime::TextPiece& piece,
                        ReplyChoice& choice) const {
  if (choice.logprobs) choice.logprobs->push_back(report(piece));
  if (answer.parser == nullptr) {
    choice.text += piece.text;
    return;
  }
  AnswerParts parts;
  answer.parser->push(piece.text, parts);
  if (!parts.reasoning.empty()) ++answer.reasoning_tokens;
  // Markers of some syntaxes are control tokens, which print nothing.
  const bool ends = answer.stream->ended();
  if (piece.text.empty() && !ends) {
    const TokenId ids[] = {piece.id};
    const Result<std::string> printed = model_.decode(ids);
    if (printed.ok() && printed->empty()) answer.parser->push(model_.describe(piece.id), parts);
  }
  add_parts(answer, std::move(parts), choice);
}

std::optional<std::string> Answers::matched_stop(const Answer& answer) const {
  if (facts_.stops.size() == 1) return facts_.stops.front();
  std::span<const TokenId> ids = answer.stream->ids();
  if (ids.size() > kStopTokensMax) ids = ids.last(kStopTokensMax);
  const Result<std::string> text = model_.decode(ids);
  if (!text.ok()) return std::nullopt;
  const std::string* first = nullptr;
  std::size_t first_at = std::string::npos;
  for (const std::string& stop : facts_.stops) {
    const std::size_t at = text->find(stop);
    if (at >= first_at) continue;
    first_at = at;
    first = &stop;
  }
  return first == nullptr ? std::optional<std::string>() : *first;
}

void Answers::finish(Answer& answer, ReplyChoice& choice) const {
  const FinishReason reason = *answer.stream->finish_reason();
  answer.finished = true;
  const runtime::Figures figures = answer.stream->figures();
  answer.prompt_s = figures.prompt_s;
  answer.decode_s = figures.decode_s;
  choice.finish_reason = finish_word(reason);
  if (reason == FinishReason::kDeadline) choice.stop_reason = "deadline";
  if (reason == FinishReason::kStopString) choice.stop_reason = matched_stop(answer);
  if (answer.parser == nullptr) return;
  AnswerParts parts;
  answer.parser->finish(parts);
  add_parts(answer, std::move(parts), choice);
  // A call that the limit cut off is none that a client may run (A23).
  if (answer.calls_full || (answer.parser->calls() > 0 && choice.finish_reason == "stop")) {
    choice.finish_reason = "tool_calls";
  }
}

Result<std::optional<ReplyChoice>> Answers::take(Answer& answer) {
  if (answer.finished) return std::optional<ReplyChoice>();
  ReplyChoice choice{.index = answer.index, .text_offset = answer.characters};
  if (facts_.wants_logprobs) choice.logprobs.emplace();
  if (!prompt_is_there(answer.prompt, *answer.stream)) return std::optional<ReplyChoice>();
  bool news = tell_prompt(model_, *answer.stream, answer.prompt, choice);
  const std::size_t before = answer.stream->ids().size();
  for (;;) {
    CAIRN_ASSIGN(const std::optional<runtime::TextPiece> piece, answer.stream->take());
    if (!piece) break;
    news = true;
    add_piece(answer, *piece, choice);
  }
  facts_.watched->tokens(answer.index, answer.stream->ids().size() - before);
  if (answer.stream->ended()) {
    finish(answer, choice);
    count_end(choice);
  } else if (!news) {
    return std::optional<ReplyChoice>();
  }
  if (!facts_.wants_reasoning) choice.reasoning.reset();
  answer.characters += count_characters(choice.text);
  return std::optional<ReplyChoice>(std::move(choice));
}

void Answers::count_end(const ReplyChoice& choice) {
  facts_.watched->ended(*choice.finish_reason);
  const Usage now = usage();
  RequestRecord& record = facts_.watched->record();
  record.prompt_tokens = now.prompt_tokens;
  record.cached_tokens = now.cached_tokens;
  record.prompt_s = now.prompt_s;
  record.decode_s = now.decode_s;
}

Usage Answers::usage() const {
  Usage usage;
  for (const Answer& answer : answers_) {
    usage.completion_tokens += answer.stream->ids().size();
    usage.reasoning_tokens += answer.reasoning_tokens;
    usage.decode_s = std::max(usage.decode_s, answer.decode_s);
    if (!answer.opens_prompt) continue;
    usage.prompt_s += answer.prompt_s;
    usage.prompt_tokens += answer.stream->prompt_ids().size();
    usage.cached_tokens += answer.stream->cached_tokens();
  }
  return usage;
}

}  // namespace cairn::server
