#include "server/api/replying.h"

#include <algorithm>
#include <utility>

#include "server/http/errors.h"

namespace cairn::server {
namespace {

WireError wire_error(const Status& status) {
  return {.cause = cause_of(status.code()), .message = status.message(), .param = {}, .code = {}};
}

WireError stopping() {
  return {.cause = Cause::kDraining, .message = "the server stops", .param = {}, .code = {}};
}

class WholeReply final : public PendingAnswer {
 public:
  WholeReply(std::unique_ptr<Subscription> place, std::unique_ptr<Answers> answers)
      : answers_(std::move(answers)), place_(std::move(place)) {
    for (const Answer& answer : answers_->all()) {
      choices_.push_back({.index = answer.index});
      if (answers_->facts().wants_logprobs) choices_.back().logprobs.emplace();
    }
  }

  std::optional<Reply> poll() override {
    bool all = true;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      Answer& answer = answers_->all()[i];
      Result<std::optional<ReplyChoice>> news = answers_->take(answer);
      if (!news.ok()) return error_response(Flavour::kOpenAi, wire_error(news.status()));
      if (*news) add(std::move(**news), choices_[i]);
      all = all && answer.finished;
    }
    if (!all) return std::nullopt;
    const AnswerFacts& facts = answers_->facts();
    const bool chat = facts.endpoint == Endpoint::kChat;
    Response response;
    response.body = chat ? chat_reply(facts.head, choices_, answers_->usage())
                         : completion_reply(facts.head, choices_, answers_->usage());
    return response;
  }

  Response end_early(EndReason /*reason*/) override {
    return error_response(Flavour::kOpenAi, stopping());
  }

 private:
  static void add(ReplyChoice news, ReplyChoice& choice) {
    choice.text += news.text;
    choice.finish_reason = std::move(news.finish_reason);
    if (news.logprobs) {
      std::ranges::move(*news.logprobs, std::back_inserter(*choice.logprobs));
    }
  }

  std::unique_ptr<Answers> answers_;
  std::unique_ptr<Subscription> place_;
  std::vector<ReplyChoice> choices_;
};

class StreamReply final : public EventSource {
 public:
  StreamReply(std::unique_ptr<Subscription> place, std::unique_ptr<Answers> answers)
      : answers_(std::move(answers)), place_(std::move(place)) {}

  Pulled pull(std::string& out, std::size_t /*bytes_wanted*/) override {
    bool all = true;
    for (Answer& answer : answers_->all()) {
      Result<std::optional<ReplyChoice>> news = answers_->take(answer);
      if (!news.ok()) return fail(out, wire_error(news.status()));
      if (*news) say(out, answer, **news);
      all = all && answer.finished;
    }
    if (!all) return Pulled::kMore;
    const AnswerFacts& facts = answers_->facts();
    if (facts.wants_usage) {
      event(out, facts.endpoint == Endpoint::kChat
                     ? chat_usage_chunk(facts.head, answers_->usage())
                     : completion_usage_chunk(facts.head, answers_->usage()));
    }
    event(out, kDone);
    return Pulled::kEnd;
  }

  void end_early(std::string& out, EndReason /*reason*/) override { fail(out, stopping()); }

 private:
  /// Text and finish reason come in chunks of their own, as clients expect them.
  void say(std::string& out, Answer& answer, ReplyChoice news) {
    std::optional<std::string> reason = std::exchange(news.finish_reason, std::nullopt);
    const bool empty = news.text.empty() && (!news.logprobs || news.logprobs->empty());
    if (!empty || !answer.begun) chunk(out, answer, news);
    if (!reason) return;
    chunk(out, answer, {.index = news.index, .finish_reason = std::move(reason)});
  }

  void chunk(std::string& out, Answer& answer, const ReplyChoice& choice) {
    const AnswerFacts& facts = answers_->facts();
    const ChunkKind kind = answer.begun ? ChunkKind::kNext : ChunkKind::kFirst;
    answer.begun = true;
    event(out, facts.endpoint == Endpoint::kChat ? chat_chunk(facts.head, choice, kind)
                                                 : completion_chunk(facts.head, choice));
  }

  Pulled fail(std::string& out, const WireError& error) {
    event(out, error_json(Flavour::kOpenAi, error));
    event(out, kDone);
    return Pulled::kEnd;
  }

  void event(std::string& out, std::string_view data) {
    const std::string id = std::to_string(next_event_++);
    append_event(out, {.data = data, .name = {}, .id = id});
  }

  std::unique_ptr<Answers> answers_;
  std::unique_ptr<Subscription> place_;
  std::uint64_t next_event_ = 0;
};

}  // namespace

std::unique_ptr<PendingAnswer> reply_whole(std::unique_ptr<Subscription> place,
                                           std::unique_ptr<Answers> answers) {
  return std::make_unique<WholeReply>(std::move(place), std::move(answers));
}

std::unique_ptr<EventSource> reply_stream(std::unique_ptr<Subscription> place,
                                          std::unique_ptr<Answers> answers) {
  return std::make_unique<StreamReply>(std::move(place), std::move(answers));
}

}  // namespace cairn::server
