#include "server/openai/formats.h"

#include <set>
#include <utility>

namespace cairn::server {
namespace {

/// Text and finish reason come in chunks of their own, as clients expect them.
class OpenAiFormat : public ReplyFormat {
 public:
  OpenAiFormat(ReplyHead head, const GenerationRequest& request)
      : head_(std::move(head)), wants_usage_(request.include_usage.value_or(false)) {}

  Flavour flavour() const override { return Flavour::kOpenAi; }

  void add(std::string& out, ReplyChoice news) override {
    std::optional<std::string> reason = std::exchange(news.finish_reason, std::nullopt);
    std::optional<std::string> stop = std::exchange(news.stop_reason, std::nullopt);
    const bool empty = news.text.empty() && !news.reasoning && news.tool_calls.empty() &&
                       (!news.logprobs || news.logprobs->empty());
    if (!empty || !begun_.contains(news.index)) chunk(out, news);
    if (!reason) return;
    chunk(
        out,
        {.index = news.index, .finish_reason = std::move(reason), .stop_reason = std::move(stop)});
  }

  void end(std::string& out, const Usage& usage) override {
    if (wants_usage_) events_.write(out, usage_chunk(usage));
    events_.write(out, kDoneWord);
  }

  void fail(std::string& out, const WireError& error) override {
    events_.write(out, error_json(Flavour::kOpenAi, error));
    events_.write(out, kDoneWord);
  }

 protected:
  const ReplyHead& head() const { return head_; }
  virtual std::string text_chunk(const ReplyChoice& choice, ChunkKind kind) const = 0;
  virtual std::string usage_chunk(const Usage& usage) const = 0;

 private:
  void chunk(std::string& out, const ReplyChoice& choice) {
    const bool first = begun_.insert(choice.index).second;
    events_.write(out, text_chunk(choice, first ? ChunkKind::kFirst : ChunkKind::kNext));
  }

  ReplyHead head_;
  bool wants_usage_ = false;
  EventWriter events_;
  std::set<std::uint64_t> begun_;  // answers of which a chunk went out
};

class CompletionFormat final : public OpenAiFormat {
 public:
  using OpenAiFormat::OpenAiFormat;

  std::string whole(const std::vector<ReplyChoice>& choices, const Usage& usage) override {
    return completion_reply(head(), choices, usage);
  }

 private:
  std::string text_chunk(const ReplyChoice& choice, ChunkKind /*kind*/) const override {
    return completion_chunk(head(), choice);
  }
  std::string usage_chunk(const Usage& usage) const override {
    return completion_usage_chunk(head(), usage);
  }
};

class ChatFormat final : public OpenAiFormat {
 public:
  using OpenAiFormat::OpenAiFormat;

  std::string whole(const std::vector<ReplyChoice>& choices, const Usage& usage) override {
    return chat_reply(head(), choices, usage);
  }

 private:
  std::string text_chunk(const ReplyChoice& choice, ChunkKind kind) const override {
    return chat_chunk(head(), choice, kind);
  }
  std::string usage_chunk(const Usage& usage) const override {
    return chat_usage_chunk(head(), usage);
  }
};

}  // namespace

std::unique_ptr<ReplyFormat> completion_format(ReplyHead head, const GenerationRequest& request) {
  return std::make_unique<CompletionFormat>(std::move(head), request);
}

std::unique_ptr<ReplyFormat> chat_format(ReplyHead head, const GenerationRequest& request) {
  return std::make_unique<ChatFormat>(std::move(head), request);
}

}  // namespace cairn::server
