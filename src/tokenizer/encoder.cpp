#include "tokenizer/encoder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tokenizer/bpe.h"
#include "tokenizer/normalizer.h"
#include "tokenizer/sentence_piece.h"
#include "tokenizer/wordpiece.h"

namespace cairn::tokenizer {
namespace {

// A model kind is one row here and one file.
constexpr EncoderKind kKinds[] = {
    {.model = "gpt2", .create = &create_bpe, .defaults = &bpe_defaults},
    {.model = "gemma4", .create = &create_bpe, .defaults = &bpe_defaults},
    {.model = "llama", .create = &create_spm, .defaults = &spm_defaults},
    {.model = "t5", .create = &create_unigram, .defaults = &unigram_defaults},
    {.model = "bert", .create = &create_wordpiece, .defaults = &wordpiece_defaults},
};

}  // namespace

Result<const EncoderKind*> find_encoder_kind(std::string_view model) {
  std::vector<std::string_view> known;
  for (const EncoderKind& kind : kKinds) {
    if (kind.model == model) return &kind;
    known.push_back(kind.model);
  }
  return unsupported(fmt::format("tokenizer.ggml.model is \"{}\"; this build has {}", model,
                                 fmt::join(known, ", ")));
}

std::string sentence_piece_bytes(const Vocabulary& vocabulary, TokenId id) {
  const std::string_view text = vocabulary.text(id);
  const TokenType type = vocabulary.type(id);
  if (type == TokenType::kByte) {
    if (const auto byte = parse_byte_token(text)) return {static_cast<char>(*byte)};
  }
  if (type != TokenType::kNormal && type != TokenType::kUnused) return std::string(text);
  std::string bytes;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with(kSpaceMark)) {
      bytes += ' ';
      at += kSpaceMark.size();
    } else {
      bytes += text[at++];
    }
  }
  return bytes;
}

void ByteFallback::append(std::string_view character, std::size_t begin, EncodeSink& sink) const {
  bool all = true;
  for (const char byte : character) {
    all = all && vocabulary_.byte_ids()[static_cast<std::uint8_t>(byte)].has_value();
  }
  if (all) {
    for (const char byte : character) {
      sink.ids->push_back(*vocabulary_.byte_ids()[static_cast<std::uint8_t>(byte)]);
    }
    return;
  }
  const auto unknown = vocabulary_.special().unknown;
  if (!unknown) return;
  if (sink.ids->size() > begin && sink.ids->back() == *unknown) return;
  sink.ids->push_back(*unknown);
}

}  // namespace cairn::tokenizer
