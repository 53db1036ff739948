// Fields of /v1/embeddings. Source: OpenAI's API reference; the refused ones are vLLM's.
#include <array>

#include "server/wire/readers.h"

namespace cairn::server {
namespace {

using Request = GenerationRequest;

constexpr std::array kEmbeddingRows = {
    Field{.name = "input",
          .endpoints = kEmbeddingsOnly,
          .shape = Shape::kPrompt,
          .read = &read_prompt,
          .sentence = "Required: a text, ids, or an array of these; at most 1,024; none empty."},
    Field{.name = "encoding_format",
          .endpoints = kEmbeddingsOnly,
          .shape = Shape::kText,
          .read = &read_encoding_format,
          .sentence = "float, or base64 of little-endian 32-bit floats; float."},
    Field{.name = "dimensions",
          .endpoints = kEmbeddingsOnly,
          .shape = Shape::kInteger,
          .min = 1,
          .max = 2147483647,
          .read = &read<&Request::dimensions>,
          .sentence = "The model's own number of them; another is refused with it: no file says "
                      "that its vectors may be cut."},
    Field{.name = "add_special_tokens",
          .endpoints = kEmbeddingsOnly,
          .shape = Shape::kBoolean,
          .read = &read<&Request::add_special_tokens>,
          .sentence = "Whether the tokenizer adds its begin token; true."},
    Field{.name = "priority",
          .endpoints = kEmbeddingsOnly,
          .shape = Shape::kInteger,
          .min = -1000,
          .max = 1000,
          .read = &read<&Request::priority>,
          .sentence = "Smaller goes first; 0."},
    Field{.name = "cache_salt",
          .endpoints = kEmbeddingsOnly,
          .shape = Shape::kText,
          .read = &read_cache_salt,
          .sentence = "Only requests of the same salt share cached pages."},
    Field{.name = "user",
          .endpoints = kEmbeddingsOnly,
          .behaviour = Behaviour::kInert,
          .shape = Shape::kText,
          .sentence = "Of OpenAI's accounting."},
    Field{.name = "truncate_prompt_tokens",
          .endpoints = kEmbeddingsOnly,
          .behaviour = Behaviour::kRefused,
          .shape = Shape::kInteger,
          .sentence = "No text is cut: one that does not fit is refused with both lengths."},
    Field{.name = "normalize",
          .endpoints = kEmbeddingsOnly,
          .behaviour = Behaviour::kRefused,
          .shape = Shape::kBoolean,
          .neutral = "true",
          .sentence = "Vectors always have length 1."},
    Field{.name = "use_activation",
          .endpoints = kEmbeddingsOnly,
          .behaviour = Behaviour::kRefused,
          .shape = Shape::kBoolean,
          .neutral = "true",
          .sentence = "Vectors always have length 1."},
    Field{.name = "embed_dtype",
          .endpoints = kEmbeddingsOnly,
          .behaviour = Behaviour::kRefused,
          .shape = Shape::kText,
          .neutral = "\"float32\"",
          .sentence = "Numbers have 32 bits."},
    Field{.name = "endianness",
          .endpoints = kEmbeddingsOnly,
          .behaviour = Behaviour::kRefused,
          .shape = Shape::kText,
          .neutral = "\"little\"",
          .sentence = "The low byte comes first."},
};

}  // namespace

std::span<const Field> embedding_fields() { return kEmbeddingRows; }

}  // namespace cairn::server
