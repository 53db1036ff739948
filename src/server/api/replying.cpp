#include "server/api/replying.h"

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
  explicit WholeReply(Replying replying) : replying_(std::move(replying)) {
    for (const Answer& answer : replying_.answers->all()) {
      choices_.push_back({.index = answer.index});
      if (replying_.answers->facts().wants_logprobs) choices_.back().logprobs.emplace();
    }
  }

  std::optional<Reply> poll() override {
    bool all = true;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      Answer& answer = replying_.answers->all()[i];
      Result<std::optional<ReplyChoice>> news = replying_.answers->take(answer);
      if (!news.ok()) return refuse(wire_error(news.status()));
      if (*news) add_to(choices_[i], std::move(**news));
      all = all && answer.finished;
    }
    if (!all) return std::nullopt;
    Response response;
    response.body = replying_.format->whole(choices_, replying_.answers->usage());
    return response;
  }

  Response end_early(EndReason /*reason*/) override { return refuse(stopping()); }

 private:
  Response refuse(const WireError& error) const {
    return error_response(replying_.format->flavour(), error);
  }

  Replying replying_;
  std::vector<ReplyChoice> choices_;
};

class StreamReply final : public EventSource {
 public:
  explicit StreamReply(Replying replying) : replying_(std::move(replying)) {}

  Pulled pull(std::string& out, std::size_t /*bytes_wanted*/) override {
    if (!std::exchange(begun_, true)) replying_.format->begin(out, replying_.answers->usage());
    bool all = true;
    for (Answer& answer : replying_.answers->all()) {
      Result<std::optional<ReplyChoice>> news = replying_.answers->take(answer);
      if (!news.ok()) {
        replying_.format->fail(out, wire_error(news.status()));
        return Pulled::kEnd;
      }
      if (*news) replying_.format->add(out, std::move(**news));
      all = all && answer.finished;
    }
    if (!all) return Pulled::kMore;
    replying_.format->end(out, replying_.answers->usage());
    return Pulled::kEnd;
  }

  void end_early(std::string& out, EndReason /*reason*/) override {
    replying_.format->fail(out, stopping());
  }

 private:
  Replying replying_;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<PendingAnswer> reply_whole(Replying replying) {
  return std::make_unique<WholeReply>(std::move(replying));
}

std::unique_ptr<EventSource> reply_stream(Replying replying) {
  return std::make_unique<StreamReply>(std::move(replying));
}

}  // namespace cairn::server
