#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/utf8.h"
#include "tokenizer/normalizer.h"
#include "tokenizer/sentence_piece.h"
#include "tokenizer/trie.h"

namespace cairn::tokenizer {
namespace {

/// An unknown character scores so much below the worst token. Source: sentencepiece,
/// unigram_model.cc.
constexpr double kUnknownPenalty = 10.0;

class Unigram final : public Encoder {
 public:
  Unigram(const Vocabulary& vocabulary, Normalizer normalizer);

  void encode(std::string_view text, EncodeSink& sink) const override;
  std::string token_bytes(TokenId id) const override {
    return sentence_piece_bytes(vocabulary_, id);
  }

 private:
  static constexpr TokenId kUnknown = -1;
  /// The best way to cut the text up to here.
  struct Best {
    double score = -std::numeric_limits<double>::infinity();
    std::size_t begin = 0;  // of the last token
    TokenId id = kUnknown;
  };

  std::vector<Best> best_cuts(std::string_view text, EncodeSink& sink) const;

  const Vocabulary& vocabulary_;
  Normalizer normalizer_;
  ByteFallback fallback_;
  Trie trie_;
  double unknown_score_ = 0.0;
};

Unigram::Unigram(const Vocabulary& vocabulary, Normalizer normalizer)
    : vocabulary_(vocabulary), normalizer_(std::move(normalizer)), fallback_(vocabulary) {
  std::vector<std::pair<std::string_view, std::int32_t>> entries;
  double lowest = 0.0;
  for (TokenId id = 0; vocabulary.contains(id); ++id) {
    const TokenType type = vocabulary.type(id);
    if (type == TokenType::kNormal) {
      lowest = std::min(lowest, static_cast<double>(vocabulary.score(id)));
    }
    if (type == TokenType::kNormal || type == TokenType::kUserDefined) {
      entries.emplace_back(vocabulary.text(id), id);
    }
  }
  unknown_score_ = lowest - kUnknownPenalty;
  trie_ = Trie(std::move(entries));
}

std::vector<Unigram::Best> Unigram::best_cuts(std::string_view text, EncodeSink& sink) const {
  std::vector<Best> best(text.size() + 1);
  best[0].score = 0.0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = decode_utf8(text, at).size;
    bool whole = false;
    const auto offer = [&](std::size_t end, TokenId id, double score) {
      const double sum = best[at].score + score;
      if (sum > best[end].score) best[end] = {.score = sum, .begin = at, .id = id};
    };
    sink.steps += 1 + trie_.walk(text, at, [&](std::size_t end, std::int32_t id) {
      whole = whole || end == at + size;
      const bool user = vocabulary_.type(id) == TokenType::kUserDefined;
      offer(end, id, user ? 0.0 : static_cast<double>(vocabulary_.score(id)));
    });
    if (!whole) offer(at + size, kUnknown, unknown_score_);
    at += size;
  }
  return best;
}

void Unigram::encode(std::string_view text, EncodeSink& sink) const {
  const std::string normal = normalizer_.apply(text, sink.steps);
  const std::vector<Best> best = best_cuts(normal, sink);
  std::vector<std::size_t> ends;
  for (std::size_t end = normal.size(); end > 0; end = best[end].begin) ends.push_back(end);
  const std::size_t begin = sink.ids->size();
  for (std::size_t i = ends.size(); i-- > 0;) {
    const Best& cut = best[ends[i]];
    if (cut.id != kUnknown) {
      sink.ids->push_back(cut.id);
    } else {
      fallback_.append(std::string_view(normal).substr(cut.begin, ends[i] - cut.begin), begin,
                       sink);
    }
  }
}

}  // namespace

Result<EncoderDefaults> unigram_defaults(const formats::Metadata& /*metadata*/) {
  return EncoderDefaults{.add_eos = true, .add_space_prefix = true};
}

Result<std::unique_ptr<Encoder>> create_unigram(const EncoderSource& source) {
  Vocabulary& vocabulary = *source.vocabulary;
  if (!vocabulary.has_scores()) {
    return invalid_file("tokenizer.ggml.scores is missing; a \"t5\" vocabulary needs it");
  }
  SpecialIds& special = vocabulary.special();
  if (!special.unknown) special.unknown = vocabulary.find("<unk>");
  if (!special.eos) special.eos = vocabulary.find("</s>");
  std::vector<std::string_view> user_defined;
  for (TokenId id = 0; vocabulary.contains(id); ++id) {
    if (vocabulary.type(id) == TokenType::kUserDefined) user_defined.push_back(vocabulary.text(id));
  }
  CAIRN_ASSIGN(Normalizer normalizer,
               Normalizer::create(*source.metadata, source.add_space_prefix, user_defined));
  return std::unique_ptr<Encoder>(std::make_unique<Unigram>(vocabulary, std::move(normalizer)));
}

}  // namespace cairn::tokenizer
