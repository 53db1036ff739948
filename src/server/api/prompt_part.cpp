#include "server/api/prompt_part.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/utf8.h"

namespace cairn::server {
namespace {

using runtime::PromptLogprobs;
using runtime::PromptToken;
using runtime::TokenLogprob;

std::span<const TokenLogprob> first_of(const PromptToken& token, std::size_t count) {
  return std::span(token.top).first(std::min(count, token.top.size()));
}

/// One report per token of the prompt. The first has no log-probability, and neither has any where
/// the answer ended before its prompt was computed.
std::vector<TokenReport> echoed(const runtime::Runtime& model, const PromptPart& part,
                                const std::vector<TokenId>& prompt, const PromptLogprobs* told) {
  std::vector<TokenReport> reports;
  for (std::size_t i = 0; i < prompt.size(); ++i) {
    TokenReport report{.bytes = model.describe(prompt[i]), .characters = part.characters[i]};
    if (i > 0 && told != nullptr) {
      const PromptToken& token = (*told)[i - 1];
      report.logprob = token.logprob;
      for (const TokenLogprob& each : first_of(token, *part.echoed_top)) {
        report.top.push_back({.bytes = model.describe(each.id), .logprob = each.logprob});
      }
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

Json listed_token(const runtime::Runtime& model, const TokenLogprob& token, std::size_t rank) {
  return {{"logprob", token.logprob},
          {"rank", rank},
          {"decoded_token", replace_invalid_utf8(model.describe(token.id))}};
}

/// vLLM's layout: null for the first token, then one object per token: the likeliest ids and the
/// token's own, by id.
Json listed(const runtime::Runtime& model, std::size_t top, const PromptLogprobs* told) {
  Json list = Json::array({Json()});
  if (told == nullptr) return list;
  for (const PromptToken& token : *told) {
    Json entry = Json::object();
    std::size_t rank = 0;
    for (const TokenLogprob& each : first_of(token, top)) {
      entry[std::to_string(each.id)] = listed_token(model, each, ++rank);
    }
    entry[std::to_string(token.id)] =
        listed_token(model, {.id = token.id, .logprob = token.logprob}, token.rank);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

PromptPart prompt_part(const GenerationRequest& request, const runtime::Runtime& model,
                       const runtime::TextStream& stream) {
  PromptPart part;
  if (request.prompt_logprobs) part.listed_top = static_cast<std::size_t>(*request.prompt_logprobs);
  if (!request.echo.value_or(false)) return part;
  const std::vector<std::string> pieces = model.pieces(stream.prompt_ids()).value();
  for (const std::string& piece : pieces) {
    part.echo += piece;
    part.characters.push_back(count_characters(piece));
  }
  if (request.logprobs) part.echoed_top = static_cast<std::size_t>(*request.logprobs);
  return part;
}

bool prompt_is_there(const PromptPart& part, const runtime::TextStream& stream) {
  const bool waits = !part.told && (part.echoed_top || part.listed_top);
  return !waits || stream.ended() || stream.prompt_logprobs() != nullptr;
}

bool tell_prompt(const runtime::Runtime& model, const runtime::TextStream& stream, PromptPart& part,
                 ReplyChoice& choice) {
  if (std::exchange(part.told, true)) return false;
  const std::shared_ptr<const PromptLogprobs> told = stream.prompt_logprobs();
  if (part.echoed_top) choice.logprobs = echoed(model, part, stream.prompt_ids(), told.get());
  if (part.listed_top) choice.prompt_logprobs = listed(model, *part.listed_top, told.get());
  choice.text = std::move(part.echo);
  return !choice.text.empty() || part.echoed_top || part.listed_top;
}

}  // namespace cairn::server
