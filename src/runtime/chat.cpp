#include "runtime/chat.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "base/ascii.h"

namespace cairn::runtime {
namespace {

tokenizer::LocalTime local_time() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm parts = {};
  if (localtime_r(&seconds, &parts) == nullptr) return {};
  const auto since = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch());
  return {.year = parts.tm_year + 1900,
          .month = parts.tm_mon + 1,
          .day = parts.tm_mday,
          .hour = parts.tm_hour,
          .minute = parts.tm_min,
          .second = parts.tm_sec,
          .microsecond = static_cast<int>(since.count() % 1'000'000)};
}

Status check_messages(const Json& messages) {
  if (!messages.is_array()) {
    return invalid_argument(
        fmt::format("messages: found a JSON {}, expected a list of objects", messages.type_name()));
  }
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Json& message = messages[i];
    if (message.is_object() && message.contains("role") && message["role"].is_string()) continue;
    return invalid_argument(
        fmt::format("messages: number {} is no object with a text as \"role\"", i));
  }
  return {};
}

/// Ends what was rendered where the content of the last message, the assistant's, ends.
Status cut_behind_last(const Json& messages, tokenizer::Rendered& rendered) {
  const Json message = messages.empty() ? Json::object() : messages.back();
  if (message.value("role", "") != "assistant" || !message.contains("content") ||
      !message["content"].is_string() || trimmed(message["content"].get<std::string>()).empty()) {
    return invalid_argument(
        "messages: the last one is to be continued; it needs a text of the role assistant");
  }
  const std::string content = message["content"];
  std::string_view shown = content;  // templates may trim it
  std::size_t at = rendered.text.rfind(shown);
  if (at == std::string::npos) {
    shown = trimmed(content);
    at = rendered.text.rfind(shown);
  }
  if (at == std::string::npos) {
    return invalid_argument(
        "messages: the last one cannot be continued, the template does not show it as it is");
  }
  const std::size_t end = at + shown.size();
  rendered.text.resize(end);
  std::erase_if(rendered.from_input, [&](const auto& span) { return span.begin >= end; });
  for (auto& span : rendered.from_input) span.end = std::min(span.end, end);
  return {};
}

}  // namespace

Chat::Chat(std::optional<std::string> source, SpecialTexts special)
    : source_(source.value_or("")), special_(std::move(special)) {
  if (!source) {
    status_ = not_found("the model has no chat template, it continues plain text only");
    return;
  }
  Result<tokenizer::ChatTemplate> parsed = tokenizer::ChatTemplate::parse(*source);
  if (!parsed.ok()) {
    status_ = parsed.status();
    return;
  }
  template_ = std::move(parsed).value();
}

Result<tokenizer::Rendered> Chat::render(const ChatPrompt& prompt) const {
  CAIRN_TRY(status_);
  CAIRN_TRY(check_messages(prompt.messages));
  if (!prompt.variables.is_object()) {
    return invalid_argument(fmt::format("template variables: found a JSON {}, expected an object",
                                        prompt.variables.type_name()));
  }
  Json context = {{"messages", prompt.messages},
                  {"tools", prompt.tools},
                  {"documents", nullptr},
                  {"add_generation_prompt", true}};
  for (const auto& [name, text] : special_) context[name] = text;
  for (const auto& [name, value] : prompt.variables.items()) context[name] = value;
  const bool goes_on = prompt.final_message == FinalMessage::kContinued;
  if (goes_on) context["add_generation_prompt"] = false;
  tokenizer::RenderOptions options;
  options.now = local_time();
  CAIRN_ASSIGN(tokenizer::Rendered rendered, template_->render(context, options));
  if (goes_on) CAIRN_TRY(cut_behind_last(prompt.messages, rendered));
  return rendered;
}

}  // namespace cairn::runtime
