#include "tokenizer/wordpiece.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "tokenizer/characters.h"
#include "tokenizer/trie.h"

namespace cairn::tokenizer {
namespace {

constexpr std::string_view kWordStart = "\xE2\x96\x81";  // U+2581
constexpr std::size_t kWordCharactersMax = 100;          // longer words are unknown, as in BERT

enum class Accents : std::uint8_t { kKeep, kStrip };
enum class Case : std::uint8_t { kKeep, kLower };

class WordPiece final : public Encoder {
 public:
  WordPiece(const Vocabulary& vocabulary, Accents accents, Case letters);

  void encode(std::string_view text, EncodeSink& sink) const override;
  std::string token_bytes(TokenId id) const override {
    return sentence_piece_bytes(vocabulary_, id);
  }

 private:
  /// A word with kWordStart in front.
  struct Word {
    std::string text = std::string(kWordStart);
    std::size_t characters = 0;
  };

  void add_character(char32_t code, Word& word, EncodeSink& sink) const;
  void end_word(Word& word, EncodeSink& sink) const;

  const Vocabulary& vocabulary_;
  Accents accents_;
  Case case_;
  Trie trie_;
};

WordPiece::WordPiece(const Vocabulary& vocabulary, Accents accents, Case letters)
    : vocabulary_(vocabulary), accents_(accents), case_(letters) {
  std::vector<std::pair<std::string_view, std::int32_t>> entries;
  for (TokenId id = 0; vocabulary.contains(id); ++id) {
    if (vocabulary.type(id) == TokenType::kNormal) entries.emplace_back(vocabulary.text(id), id);
  }
  trie_ = Trie(std::move(entries));
}

void WordPiece::encode(std::string_view text, EncodeSink& sink) const {
  Word word;
  std::u32string parts;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char character = decode_utf8(text, at);
    at += character.size;
    sink.steps += character.size;
    parts.clear();
    if (accents_ == Accents::kStrip) {
      append_decomposed(parts, character.code);
    } else {
      parts.push_back(character.code);
    }
    const bool ideograph = is_bert_ideograph(character.code);
    if (ideograph) end_word(word, sink);
    for (const char32_t code : parts) add_character(code, word, sink);
    if (ideograph) end_word(word, sink);
  }
  end_word(word, sink);
}

void WordPiece::add_character(char32_t code, Word& word, EncodeSink& sink) const {
  if (is_space(code)) {
    end_word(word, sink);
    return;
  }
  if (code == kReplacementCharacter || is_other(code)) return;
  if (accents_ == Accents::kStrip && is_nonspacing_mark(code)) return;
  const bool alone = is_punctuation(code);
  if (alone) end_word(word, sink);
  append_utf8(word.text, case_ == Case::kLower ? to_lower(code) : code);
  ++word.characters;
  if (alone) end_word(word, sink);
}

void WordPiece::end_word(Word& word, EncodeSink& sink) const {
  if (word.characters == 0) return;
  const std::size_t begin = sink.ids->size();
  bool known = word.characters <= kWordCharactersMax;
  for (std::size_t at = 0; known && at < word.text.size();) {
    std::size_t longest = at;
    TokenId id = Trie::kNone;
    sink.steps += 1 + trie_.walk(word.text, at, [&](std::size_t end, std::int32_t number) {
      longest = end;
      id = number;
    });
    known = longest > at;
    if (known) sink.ids->push_back(id);
    at = longest;
  }
  if (!known) {
    sink.ids->resize(begin);
    sink.ids->push_back(*vocabulary_.special().unknown);
  }
  word = Word();
}

}  // namespace

Result<EncoderDefaults> wordpiece_defaults(const formats::Metadata& /*metadata*/) {
  return EncoderDefaults{.add_bos = true, .add_eos = true, .add_space_prefix = true};
}

Result<std::unique_ptr<Encoder>> create_wordpiece(const EncoderSource& source) {
  SpecialIds& special = source.vocabulary->special();
  const auto fill = [&](std::optional<TokenId>& id, std::string_view text) {
    if (!id) id = source.vocabulary->find(text);
  };
  fill(special.unknown, "[UNK]");
  fill(special.classification, "[CLS]");
  fill(special.separator, "[SEP]");
  if (!special.unknown) {
    return invalid_file(
        "tokenizer.ggml.unknown_token_id is missing and no token is [UNK]; a \"bert\" vocabulary "
        "needs one");
  }
  // BERT puts [CLS] in front and [SEP] behind.
  if (!special.bos) special.bos = special.classification;
  if (special.separator) special.eos = special.separator;
  CAIRN_ASSIGN(const bool lower,
               source.metadata->boolean_or("tokenizer.ggml.normalizer.lowercase", true));
  CAIRN_ASSIGN(const bool strip,
               source.metadata->boolean_or("tokenizer.ggml.normalizer.strip_accents", lower));
  return std::unique_ptr<Encoder>(
      std::make_unique<WordPiece>(*source.vocabulary, strip ? Accents::kStrip : Accents::kKeep,
                                  lower ? Case::kLower : Case::kKeep));
}

}  // namespace cairn::tokenizer
