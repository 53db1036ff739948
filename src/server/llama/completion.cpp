// POST /completion, llama.cpp's own endpoint. Source: its server's README.
#include <utility>

#include "server/api/generating.h"
#include "server/llama/timings.h"

namespace cairn::server {
namespace {

/// Why it ended, in llama.cpp's words.
std::string_view stop_type(const ReplyChoice& choice) {
  if (choice.finish_reason == "length") return "limit";
  return choice.stop_reason ? "word" : "eos";
}

Json probabilities(const std::vector<TokenReport>& tokens) {
  Json list = Json::array();
  for (const TokenReport& token : tokens) {
    Json entry = {{"token", token.bytes}, {"logprob", token.logprob.value_or(0)}};
    entry["top_logprobs"] = Json::array();
    for (const TokenReport& other : token.top) {
      entry["top_logprobs"].push_back(
          {{"token", other.bytes}, {"logprob", other.logprob.value_or(0)}});
    }
    list.push_back(std::move(entry));
  }
  return list;
}

class NativeFormat final : public ReplyFormat {
 public:
  explicit NativeFormat(ReplyHead head) : head_(std::move(head)) {}

  Flavour flavour() const override { return Flavour::kLlama; }

  std::string whole(const std::vector<ReplyChoice>& choices, const Usage& usage) override {
    Json list = Json::array();
    for (const ReplyChoice& choice : choices) list.push_back(last(choice, choice.text, usage));
    return line_of(choices.size() == 1 ? list.front() : list);
  }

  void add(std::string& out, ReplyChoice news) override {
    if (!news.text.empty()) {
      Json piece = {{"index", news.index}, {"content", news.text}, {"stop", false}};
      if (news.logprobs) piece["completion_probabilities"] = probabilities(*news.logprobs);
      events_.write(out, line_of(piece));
    }
    if (news.finish_reason) {
      news.logprobs.reset();
      ended_.push_back(std::move(news));
    }
  }

  void end(std::string& out, const Usage& usage) override {
    for (const ReplyChoice& choice : ended_) events_.write(out, line_of(last(choice, "", usage)));
  }

  void fail(std::string& out, const WireError& error) override {
    events_.write(out, error_json(Flavour::kLlama, error));
  }

 private:
  Json last(const ReplyChoice& choice, const std::string& text, const Usage& usage) const {
    Json object = {
        {"index", choice.index},
        {"content", text},
        {"stop", true},
        {"stop_type", stop_type(choice)},
        {"stopping_word", choice.finish_reason == "stop" ? choice.stop_reason.value_or("") : ""},
        {"id", head_.id},
        {"model", head_.model},
        {"tokens_predicted", usage.completion_tokens},
        {"tokens_evaluated", usage.prompt_tokens},
        {"tokens_cached", usage.cached_tokens},
        {"truncated", false},
        {"timings", timings_of(usage)}};
    if (choice.logprobs) object["completion_probabilities"] = probabilities(*choice.logprobs);
    if (!head_.ignored_fields.empty()) object["ignored_fields"] = head_.ignored_fields;
    if (!head_.effective_params.is_null()) object["generation_settings"] = head_.effective_params;
    return object;
  }

  ReplyHead head_;
  EventWriter events_;
  std::vector<ReplyChoice> ended_;
};

std::unique_ptr<ReplyFormat> native_format(ReplyHead head, const GenerationRequest& /*request*/) {
  return std::make_unique<NativeFormat>(std::move(head));
}

}  // namespace

Reply post_completion(const Api& api, Exchange& exchange) {
  return generate(api,
                  {.endpoint = Endpoint::kNativeCompletion,
                   .flavour = Flavour::kLlama,
                   .id_prefix = "cmpl-",
                   .format = &native_format},
                  exchange);
}

}  // namespace cairn::server
