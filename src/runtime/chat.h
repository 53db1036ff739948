// Chat: conversations into prompts through a model's chat template.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/status.h"
#include "runtime/runtime.h"
#include "tokenizer/template/chat_template.h"

namespace cairn::runtime {

/// Text of a special token under the name that templates know it by: {"bos_token", "<s>"}.
using SpecialTexts = std::vector<std::pair<std::string, std::string>>;

class Chat {
 public:
  /// `source` is a template, or nothing where the model has none. One that can not be parsed makes
  /// a Chat whose status() says why, because the model is good for plain text all the same.
  Chat(std::optional<std::string> source, SpecialTexts special);

  /// Of the template; empty without one.
  const std::string& source() const { return source_; }
  /// OK, kNotFound without a template, or why the template does not work.
  const Status& status() const { return status_; }

  /// Errors: status(); kInvalidArgument for messages that are no list of objects with a role, and
  /// with the template's own message where it refuses.
  Result<tokenizer::Rendered> render(const ChatPrompt& prompt) const;

 private:
  std::string source_;
  std::optional<tokenizer::ChatTemplate> template_;
  Status status_;
  SpecialTexts special_;
};

}  // namespace cairn::runtime
