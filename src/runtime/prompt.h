// Prompts of every kind into ids.
#pragma once

#include <vector>

#include "base/status.h"
#include "runtime/chat.h"
#include "runtime/runtime.h"
#include "tokenizer/tokenizer.h"

namespace cairn::runtime {

/// The texts that templates know special tokens by.
SpecialTexts special_texts(const tokenizer::Tokenizer& tokenizer);

/// Tokenizes a rendered conversation: markers that the template wrote are control tokens, the same
/// letters from input are text. No start token is added: the template writes it where it belongs.
std::vector<TokenId> encode_rendered(const tokenizer::Tokenizer& tokenizer,
                                     const tokenizer::Rendered& rendered);

/// Errors: the template's; kInvalidArgument for an id outside the vocabulary.
Result<std::vector<TokenId>> encode_prompt(const tokenizer::Tokenizer& tokenizer, const Chat& chat,
                                           const Prompt& prompt);

/// OK when every id is one of the vocabulary; else kInvalidArgument naming the first that is not.
Status check_ids(const tokenizer::Tokenizer& tokenizer, std::span<const TokenId> ids);

/// One token as a person can read it.
std::string describe_token(const tokenizer::Tokenizer& tokenizer, TokenId id);

}  // namespace cairn::runtime
