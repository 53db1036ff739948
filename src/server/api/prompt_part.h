// PromptPart: what an answer says of its prompt before it says anything of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/runtime.h"
#include "server/wire/replies.h"
#include "server/wire/request.h"

namespace cairn::server {

/// The prompt's text with echo, and how likely its tokens were.
struct PromptPart {
  std::string echo = {};
  std::optional<std::size_t> echoed_top = {};  // likeliest tokens with echo and logprobs
  std::vector<std::uint64_t> characters = {};  // of each echoed token; only with echoed_top
  std::optional<std::size_t> listed_top = {};  // the same of prompt_logprobs
  bool told = false;
};

/// Of an answer that was just submitted. Its ids were checked then.
PromptPart prompt_part(const GenerationRequest& request, const runtime::Runtime& model,
                       const runtime::TextStream& stream);

/// Whether tell_prompt() has all it needs: log-probabilities come once the prompt is computed.
bool prompt_is_there(const PromptPart& part, const runtime::TextStream& stream);

/// Moves the part into `choice`, once. Whether that was news.
bool tell_prompt(const runtime::Runtime& model, const runtime::TextStream& stream, PromptPart& part,
                 ReplyChoice& choice);

}  // namespace cairn::server
