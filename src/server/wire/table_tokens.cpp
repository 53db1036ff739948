// Fields of what turns text into tokens and back.
#include <array>

#include "server/wire/readers.h"

namespace cairn::server {
namespace {

using Request = GenerationRequest;

constexpr std::array kTokens = {
    Field{.name = "prompt",
          .endpoints = kTokenizeOnly,
          .shape = Shape::kText,
          .read = &read_text_prompt,
          .sentence = "A text; messages may stand instead of it."},
    Field{.name = "content",
          .endpoints = kTokenizeOnly,
          .shape = Shape::kText,
          .read = &read_text_prompt,
          .sentence = "llama.cpp's name of prompt; its begin token is left out unless asked for."},
    Field{.name = "add_special",
          .endpoints = kTokenizeOnly,
          .shape = Shape::kBoolean,
          .read = &read<&Request::add_special_tokens>,
          .sentence = "llama.cpp's name of add_special_tokens."},
    Field{.name = "parse_special",
          .endpoints = kTokenizeOnly,
          .shape = Shape::kBoolean,
          .read = &read<&Request::parse_special>,
          .sentence = "Whether control tokens written in the text count as such; true."},
    Field{.name = "with_pieces",
          .endpoints = kTokenizeOnly,
          .shape = Shape::kBoolean,
          .read = &read<&Request::with_pieces>,
          .sentence = "Whether tokens come as {id, piece}; false."},
    Field{.name = "return_token_strs",
          .endpoints = kTokenizeOnly,
          .shape = Shape::kBoolean,
          .read = &read<&Request::return_token_strs>,
          .sentence = "Whether token_strs is added; false."},
    Field{.name = "tokens",
          .endpoints = kDetokenizeOnly,
          .shape = Shape::kIds,
          .read = &read_detokenized,
          .sentence = "Required: token ids."},
};

}  // namespace

std::span<const Field> token_fields() { return kTokens; }

}  // namespace cairn::server
