#include "runtime/prompt.h"

#include <fmt/core.h>

#include <string_view>

#include "base/utf8.h"

namespace cairn::runtime {
namespace {

using tokenizer::AddSpecial;
using tokenizer::Special;
using tokenizer::TextSegment;
using tokenizer::Tokenizer;

/// One function per kind of prompt.
struct Encode {
  const Tokenizer& tokenizer;
  const Chat& chat;

  Result<std::vector<TokenId>> operator()(const TextPrompt& prompt) const {
    const bool parse = prompt.markers == MarkersInText::kTokens;
    const bool add = prompt.start == StartToken::kAdd;
    return tokenizer.encode(prompt.text,
                            {.special = parse ? Special::kParse : Special::kPlain,
                             .add_special = add ? AddSpecial::kAdd : AddSpecial::kNone});
  }

  Result<std::vector<TokenId>> operator()(const IdsPrompt& prompt) const {
    CAIRN_TRY(check_ids(tokenizer, prompt.ids));
    return prompt.ids;
  }

  Result<std::vector<TokenId>> operator()(const ChatPrompt& prompt) const {
    CAIRN_ASSIGN(const tokenizer::Rendered rendered, chat.render(prompt));
    return encode_rendered(tokenizer, rendered);
  }
};

}  // namespace

SpecialTexts special_texts(const Tokenizer& tokenizer) {
  SpecialTexts texts;
  const auto add = [&](std::string name, std::optional<TokenId> id) {
    if (id) texts.emplace_back(std::move(name), tokenizer.piece(*id));
  };
  add("bos_token", tokenizer.bos());
  add("eos_token", tokenizer.eos());
  add("unk_token", tokenizer.unknown());
  add("pad_token", tokenizer.padding());
  return texts;
}

std::vector<TokenId> encode_rendered(const Tokenizer& tokenizer,
                                     const tokenizer::Rendered& rendered) {
  const std::string_view text = rendered.text;
  std::vector<TextSegment> segments;
  std::size_t at = 0;
  for (const tokenizer::TextSpan& span : rendered.from_input) {
    segments.push_back({.text = text.substr(at, span.begin - at), .special = Special::kParse});
    segments.push_back(
        {.text = text.substr(span.begin, span.end - span.begin), .special = Special::kPlain});
    at = span.end;
  }
  segments.push_back({.text = text.substr(at), .special = Special::kParse});
  return tokenizer.encode(segments, {.add_special = AddSpecial::kNone});
}

Result<std::vector<TokenId>> encode_prompt(const Tokenizer& tokenizer, const Chat& chat,
                                           const Prompt& prompt) {
  return std::visit(Encode{tokenizer, chat}, prompt);
}

Status check_ids(const Tokenizer& tokenizer, std::span<const TokenId> ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0 && static_cast<std::size_t>(ids[i]) < tokenizer.size()) continue;
    return invalid_argument(fmt::format("id number {} of {} is {}, the vocabulary has ids 0 to {}",
                                        i + 1, ids.size(), ids[i], tokenizer.size() - 1));
  }
  return {};
}

std::string describe_token(const Tokenizer& tokenizer, TokenId id) {
  if (tokenizer.is_control(id)) return std::string(tokenizer.piece(id));
  return replace_invalid_utf8(tokenizer.bytes(id));
}

}  // namespace cairn::runtime
