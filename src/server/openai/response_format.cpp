#include "server/openai/response_format.h"

#include <fmt/core.h>

#include <random>
#include <utility>

#include "base/clock.h"
#include "server/openai/response_object.h"

namespace cairn::server {
namespace {

/// 128 bits that nobody can guess.
std::string drawn_response_id() {
  std::random_device source;
  std::string id = "resp_";
  for (int i = 0; i < 4; ++i) id += fmt::format("{:08x}", source());
  return id;
}

/// What the parts of an item are, and how the events about its text are called.
struct TextKind {
  std::string_view item = {};   // the prefix of its id
  std::string_view part = {};   // the type of its only part
  std::string_view event = {};  // continued by .delta and .done
};

constexpr TextKind kMessageKind = {"msg", "output_text", "response.output_text"};
constexpr TextKind kReasoningKind = {"rs", "reasoning_text", "response.reasoning_text"};

/// Items are written one after the other: what opens one closes the one before.
class ResponseFormat final : public ReplyFormat {
 public:
  ResponseFormat(ReplyHead head, const GenerationRequest& request,
                 std::shared_ptr<ResponseStore> store)
      : store_(request.store.value_or(true) ? std::move(store) : nullptr),
        items_(request.input_items),
        messages_(request.messages) {
    head.id = drawn_response_id();
    id_ = head.id;
    object_ = response_object(head, request);
  }

  Flavour flavour() const override { return Flavour::kOpenAi; }

  std::string whole(const std::vector<ReplyChoice>& choices, const Usage& usage) override {
    std::string events;  // a whole reply is what its events would have added up to
    add(events, choices.front());
    close_all(events);
    complete(usage);
    return line_of(object_);
  }

  void begin(std::string& out, const Usage& /*usage*/) override {
    event(out, "response.created", {{"response", object_}});
    event(out, "response.in_progress", {{"response", object_}});
  }

  void add(std::string& out, ReplyChoice news) override {
    if (news.reasoning && !news.reasoning->empty()) {
      open_text(out, kReasoningKind, reasoning_item());
      delta(out, *news.reasoning, Json::array());
    }
    if (!news.text.empty()) {
      open_text(out, kMessageKind, message_item());
      delta(out, news.text, news.logprobs ? token_list(*news.logprobs) : Json::array());
    }
    for (const ToolCall& call : news.tool_calls) add_call(out, call);
    if (!news.finish_reason) return;
    last_.finish_reason = std::move(news.finish_reason);
    last_.stop_reason = std::move(news.stop_reason);
  }

  void end(std::string& out, const Usage& usage) override {
    close_all(out);
    complete(usage);
    event(out, fmt::format("response.{}", status()), {{"response", object_}});
  }

  void fail(std::string& out, const WireError& error) override {
    object_["status"] = "failed";
    object_["error"] = {{"code", "server_error"}, {"message", error.message}};
    event(out, "response.failed", {{"response", object_}});
  }

 private:
  enum class Open : std::uint8_t { kNothing, kText, kCall };

  void event(std::string& out, std::string_view type, const Json& fields) {
    Json object = {{"type", type}, {"sequence_number", sequence_++}};
    object.update(fields);
    events_.write(out, line_of(object), type);
  }

  /// Fields of every event about the open item.
  Json place() const { return {{"item_id", item_["id"]}, {"output_index", index()}}; }
  Json part_place() const {
    Json fields = place();
    fields["content_index"] = 0;
    return fields;
  }
  std::size_t index() const { return object_["output"].size(); }

  std::string item_id(std::string_view prefix) const {
    return fmt::format("{}_{}_{}", prefix, id_.substr(id_.find('_') + 1), index());
  }
  Json message_item() const {
    return {{"id", ""},
            {"type", "message"},
            {"status", "in_progress"},
            {"role", "assistant"},
            {"content", Json::array()}};
  }
  Json reasoning_item() const {
    return {{"id", ""},
            {"type", "reasoning"},
            {"status", "in_progress"},
            {"summary", Json::array()},
            {"content", Json::array()}};
  }
  /// The only part of the open item, with what was said so far.
  Json part() const {
    Json object = {{"type", kind_->part}, {"text", text_}};
    if (kind_ != &kMessageKind) return object;
    object["annotations"] = Json::array();
    object["logprobs"] = logprobs_;
    return object;
  }

  void open_text(std::string& out, const TextKind& kind, Json item) {
    if (open_ == Open::kText && kind_ == &kind) return;
    close(out);
    open_ = Open::kText;
    kind_ = &kind;
    text_.clear();
    logprobs_ = Json::array();
    item_ = std::move(item);
    item_["id"] = item_id(kind.item);
    event(out, "response.output_item.added", {{"output_index", index()}, {"item", item_}});
    Json fields = part_place();
    fields["part"] = part();
    event(out, "response.content_part.added", fields);
  }

  void delta(std::string& out, const std::string& text, Json logprobs) {
    text_ += text;
    Json fields = part_place();
    fields["delta"] = text;
    if (kind_ == &kMessageKind) fields["logprobs"] = logprobs;
    event(out, fmt::format("{}.delta", kind_->event), fields);
    for (Json& each : logprobs) logprobs_.push_back(std::move(each));
  }

  void add_call(std::string& out, const ToolCall& call) {
    if (!call.id.empty()) {
      close(out);
      open_ = Open::kCall;
      text_.clear();
      item_ = {{"id", item_id("fc")}, {"type", "function_call"}, {"status", "in_progress"},
               {"call_id", call.id},  {"name", call.name},       {"arguments", ""}};
      event(out, "response.output_item.added", {{"output_index", index()}, {"item", item_}});
    }
    if (call.arguments.empty()) return;
    text_ += call.arguments;
    Json fields = place();
    fields["delta"] = call.arguments;
    event(out, "response.function_call_arguments.delta", fields);
  }

  void close(std::string& out) {
    if (open_ == Open::kNothing) return;
    if (open_ == Open::kText) close_text(out);
    if (open_ == Open::kCall) close_call(out);
    item_["status"] = last_.finish_reason == "length" ? "incomplete" : "completed";
    event(out, "response.output_item.done", {{"output_index", index()}, {"item", item_}});
    object_["output"].push_back(std::move(item_));
    open_ = Open::kNothing;
  }

  /// Clients expect a message, even one that says nothing.
  void close_all(std::string& out) {
    close(out);
    if (!object_["output"].empty()) return;
    open_text(out, kMessageKind, message_item());
    close(out);
  }

  void close_text(std::string& out) {
    Json fields = part_place();
    fields["text"] = text_;
    if (kind_ == &kMessageKind) fields["logprobs"] = logprobs_;
    event(out, fmt::format("{}.done", kind_->event), fields);
    fields = part_place();
    fields["part"] = part();
    event(out, "response.content_part.done", fields);
    item_["content"].push_back(part());
  }

  void close_call(std::string& out) {
    item_["arguments"] = text_;
    Json fields = place();
    fields["name"] = item_["name"];
    fields["arguments"] = text_;
    event(out, "response.function_call_arguments.done", fields);
  }

  std::string_view status() const {
    const std::string reason = last_.finish_reason.value_or("stop");
    return reason == "stop" || reason == "tool_calls" ? "completed" : "incomplete";
  }

  void complete(const Usage& usage) {
    object_["status"] = status();
    object_["completed_at"] = utc_s();
    object_["usage"] = response_usage(usage);
    if (status() == "incomplete") {
      const bool full = last_.finish_reason == "length" && !last_.stop_reason;
      const std::string reason = last_.stop_reason.value_or(last_.finish_reason.value_or(""));
      object_["incomplete_details"] = {{"reason", full ? "max_output_tokens" : reason}};
    }
    if (store_ == nullptr) return;
    messages_.push_back(answer_message());
    store_->keep(
        id_,
        {.response = line_of(object_), .items = line_of(items_), .messages = line_of(messages_)});
  }

  /// The answer as a message of a chat, for responses that go on from it.
  Json answer_message() const {
    Json message = {{"role", "assistant"}, {"content", ""}};
    std::string text;
    for (const Json& item : object_["output"]) {
      if (item["type"] == "message") text += item["content"][0]["text"].get<std::string>();
      if (item["type"] == "reasoning") message["reasoning_content"] = item["content"][0]["text"];
      if (item["type"] != "function_call") continue;
      message["tool_calls"].push_back(
          {{"id", item["call_id"]},
           {"type", "function"},
           {"function", {{"name", item["name"]}, {"arguments", item["arguments"]}}}});
    }
    message["content"] = text;
    return message;
  }

  std::shared_ptr<ResponseStore> store_;  // null: it is not to be kept
  Json items_;
  Json messages_;
  std::string id_;
  Json object_;
  EventWriter events_;
  std::uint64_t sequence_ = 0;
  Open open_ = Open::kNothing;
  const TextKind* kind_ = &kMessageKind;
  Json item_;                      // the open one
  std::string text_;               // of its part, or its arguments
  Json logprobs_ = Json::array();  // of its part
  ReplyChoice last_;               // how it ended
};

}  // namespace

std::unique_ptr<ReplyFormat> response_format(ReplyHead head, const GenerationRequest& request,
                                             std::shared_ptr<ResponseStore> store) {
  return std::make_unique<ResponseFormat>(std::move(head), request, std::move(store));
}

}  // namespace cairn::server
