#include "server/anthropic/format.h"

#include <utility>

#include "base/json.h"

namespace cairn::server {
namespace {

/// What OpenAI's words are here.
std::string stop_reason(const ReplyChoice& choice) {
  const std::string reason = choice.finish_reason.value_or("stop");
  if (reason == "tool_calls") return "tool_use";
  if (reason == "length") return "max_tokens";
  return choice.stop_reason ? "stop_sequence" : "end_turn";
}

/// The text that ended it; a deadline is none.
Json stop_sequence(const ReplyChoice& choice) {
  const bool text = choice.stop_reason && choice.finish_reason == "stop";
  return text ? Json(*choice.stop_reason) : Json();
}

Json anthropic_usage(const Usage& usage) {
  return {{"input_tokens", usage.prompt_tokens - usage.cached_tokens},
          {"cache_creation_input_tokens", 0},
          {"cache_read_input_tokens", usage.cached_tokens},
          {"output_tokens", usage.completion_tokens}};
}

Json message_object(const ReplyHead& head) {
  Json message = {{"id", head.id},           {"type", "message"},        {"role", "assistant"},
                  {"model", head.model},     {"content", Json::array()}, {"stop_reason", nullptr},
                  {"stop_sequence", nullptr}};
  if (!head.ignored_fields.empty()) message["ignored_fields"] = head.ignored_fields;
  if (!head.effective_params.is_null()) message["effective_params"] = head.effective_params;
  return message;
}

Json thinking_block(const std::string& text) {
  return {{"type", "thinking"}, {"thinking", text}, {"signature", ""}};
}

Json text_block(const std::string& text) { return {{"type", "text"}, {"text", text}}; }

Json call_block(const ToolCall& call, Json input) {
  return {{"type", "tool_use"}, {"id", call.id}, {"name", call.name}, {"input", std::move(input)}};
}

/// The arguments as an object; a call that was cut off has none yet.
Json input_of(const ToolCall& call) {
  const Result<Json> input = parse_json(call.arguments);
  return input.ok() && input->is_object() ? *input : Json::object();
}

class MessageFormat final : public ReplyFormat {
 public:
  explicit MessageFormat(ReplyHead head) : head_(std::move(head)) {}

  Flavour flavour() const override { return Flavour::kAnthropic; }

  std::string whole(const std::vector<ReplyChoice>& choices, const Usage& usage) override {
    const ReplyChoice& choice = choices.front();
    Json message = message_object(head_);
    Json& content = message["content"];
    if (choice.reasoning) content.push_back(thinking_block(*choice.reasoning));
    if (!choice.text.empty() || choice.tool_calls.empty()) {
      content.push_back(text_block(choice.text));
    }
    for (const ToolCall& call : choice.tool_calls) {
      content.push_back(call_block(call, input_of(call)));
    }
    message["stop_reason"] = stop_reason(choice);
    message["stop_sequence"] = stop_sequence(choice);
    message["usage"] = anthropic_usage(usage);
    return line_of(message);
  }

  void begin(std::string& out, const Usage& usage) override {
    Json message = message_object(head_);
    message["usage"] = anthropic_usage(usage);
    event(out, {{"type", "message_start"}, {"message", std::move(message)}});
    event(out, {{"type", "ping"}});
  }

  void add(std::string& out, ReplyChoice news) override {
    if (news.reasoning && !news.reasoning->empty()) {
      open(out, Block::kThinking, thinking_block(""));
      delta(out, {{"type", "thinking_delta"}, {"thinking", *news.reasoning}});
    }
    if (!news.text.empty()) {
      open(out, Block::kText, text_block(""));
      delta(out, {{"type", "text_delta"}, {"text", news.text}});
    }
    for (const ToolCall& call : news.tool_calls) add_call(out, call);
    if (!news.finish_reason) return;
    last_.finish_reason = std::move(news.finish_reason);
    last_.stop_reason = std::move(news.stop_reason);
  }

  void end(std::string& out, const Usage& usage) override {
    if (blocks_ == 0) open(out, Block::kText, text_block(""));
    close(out);
    Json delta_object = {{"stop_reason", stop_reason(last_)},
                         {"stop_sequence", stop_sequence(last_)}};
    event(out, {{"type", "message_delta"},
                {"delta", std::move(delta_object)},
                {"usage", anthropic_usage(usage)}});
    event(out, {{"type", "message_stop"}});
  }

  void fail(std::string& out, const WireError& error) override {
    events_.write(out, error_json(Flavour::kAnthropic, error), "error");
  }

 private:
  enum class Block : std::uint8_t { kNone, kThinking, kText, kCall };

  void event(std::string& out, const Json& object) {
    events_.write(out, line_of(object), object["type"].get_ref<const std::string&>());
  }

  /// Goes on in an open block of that kind, or closes what is open and begins one.
  void open(std::string& out, Block kind, Json block) {
    if (open_ == kind && kind != Block::kCall) return;
    close(out);
    event(
        out,
        {{"type", "content_block_start"}, {"index", blocks_}, {"content_block", std::move(block)}});
    ++blocks_;
    open_ = kind;
  }

  void close(std::string& out) {
    if (open_ == Block::kNone) return;
    if (open_ == Block::kThinking) {
      delta(out, {{"type", "signature_delta"}, {"signature", ""}});
    }
    event(out, {{"type", "content_block_stop"}, {"index", blocks_ - 1}});
    open_ = Block::kNone;
  }

  void delta(std::string& out, Json object) {
    event(out,
          {{"type", "content_block_delta"}, {"index", blocks_ - 1}, {"delta", std::move(object)}});
  }

  void add_call(std::string& out, const ToolCall& call) {
    if (!call.id.empty()) open(out, Block::kCall, call_block(call, Json::object()));
    if (call.arguments.empty()) return;
    delta(out, {{"type", "input_json_delta"}, {"partial_json", call.arguments}});
  }

  ReplyHead head_;
  EventWriter events_;
  Block open_ = Block::kNone;
  std::uint64_t blocks_ = 0;  // begun so far
  ReplyChoice last_;          // how it ended
};

}  // namespace

std::unique_ptr<ReplyFormat> message_format(ReplyHead head, const GenerationRequest& /*request*/) {
  return std::make_unique<MessageFormat>(std::move(head));
}

}  // namespace cairn::server
