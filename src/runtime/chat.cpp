#include "runtime/chat.h"

#include <fmt/core.h>

#include <chrono>
#include <ctime>

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

}  // namespace

Chat::Chat(std::optional<std::string> source, SpecialTexts special) : special_(std::move(special)) {
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
  tokenizer::RenderOptions options;
  options.now = local_time();
  return template_->render(context, options);
}

}  // namespace cairn::runtime
