#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/utf8.h"
#include "tokenizer/merge.h"
#include "tokenizer/normalizer.h"
#include "tokenizer/sentence_piece.h"

namespace cairn::tokenizer {
namespace {

/// Text may become these by merging; control and byte tokens never come from letters.
bool is_text(TokenType type) {
  return type == TokenType::kNormal || type == TokenType::kUserDefined;
}

class Spm final : public Encoder {
 public:
  Spm(const Vocabulary& vocabulary, Normalizer normalizer)
      : vocabulary_(vocabulary), normalizer_(std::move(normalizer)), fallback_(vocabulary) {
    rank_by_score();
    look_for_joined_words();
  }

  void encode(std::string_view text, EncodeSink& sink) const override;
  std::string token_bytes(TokenId id) const override {
    return sentence_piece_bytes(vocabulary_, id);
  }

 private:
  void rank_by_score();
  void look_for_joined_words();
  std::int32_t find(std::string_view text) const;
  std::size_t piece_end(std::string_view text, std::size_t begin) const;
  /// `begin` is where the whole text's ids start.
  void encode_piece(std::string_view text, std::size_t begin, Merger& merger,
                    EncodeSink& sink) const;

  const Vocabulary& vocabulary_;
  Normalizer normalizer_;
  ByteFallback fallback_;
  std::vector<std::uint32_t> ranks_;  // by id: 0 is the highest score; equal scores share one
  bool joins_words_ = false;          // some token goes on from a word into the next
};

/// Where a word of `text` ends after `begin`: before a space mark that does not follow another.
std::size_t word_end(std::string_view text, std::size_t begin) {
  for (std::size_t at = begin;;) {
    const std::size_t mark = text.find(kSpaceMark, at);
    if (mark == std::string_view::npos) return text.size();
    if (mark > begin && !text.substr(0, mark).ends_with(kSpaceMark)) return mark;
    at = mark + kSpaceMark.size();
  }
}

void Spm::rank_by_score() {
  std::vector<TokenId> order(vocabulary_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [this](TokenId a, TokenId b) {
    return vocabulary_.score(a) > vocabulary_.score(b);
  });
  ranks_.resize(order.size());
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && vocabulary_.score(order[i]) != vocabulary_.score(order[i - 1])) ++rank;
    ranks_[static_cast<std::size_t>(order[i])] = rank;
  }
}

void Spm::look_for_joined_words() {
  for (std::size_t i = 0; i < vocabulary_.size() && !joins_words_; ++i) {
    const auto id = static_cast<TokenId>(i);
    const std::string_view text = vocabulary_.text(id);
    joins_words_ = is_text(vocabulary_.type(id)) && word_end(text, 0) != text.size();
  }
}

std::int32_t Spm::find(std::string_view text) const {
  if (text.size() > vocabulary_.text_bytes_max()) return Symbol::kNoSymbol;
  const auto id = vocabulary_.find(text);
  return id && is_text(vocabulary_.type(*id)) ? *id : Symbol::kNoSymbol;
}

/// Where no token joins two words no merge does, and words are merged one by one: the same ids from
/// short queues. Else the text is one piece; only texts of more than a gigabyte are cut.
std::size_t Spm::piece_end(std::string_view text, std::size_t begin) const {
  std::size_t end = joins_words_ ? text.size() : word_end(text, begin);
  end = std::min(end, begin + Merger::kTextBytesMax);
  while (end < text.size() && (static_cast<std::uint8_t>(text[end]) & 0xC0U) == 0x80U) --end;
  return end;
}

void Spm::encode(std::string_view text, EncodeSink& sink) const {
  const std::string normal = normalizer_.apply(text, sink.steps);
  const std::size_t begin = sink.ids->size();
  Merger merger;
  std::size_t end = 0;
  for (std::size_t at = 0; at < normal.size(); at = end) {
    end = piece_end(normal, at);
    merger.clear();
    encode_piece(std::string_view(normal).substr(at, end - at), begin, merger, sink);
  }
}

void Spm::encode_piece(std::string_view text, std::size_t begin, Merger& merger,
                       EncodeSink& sink) const {
  sink.steps += text.size();
  for (std::size_t at = 0; at < text.size();) {
    const auto size = static_cast<std::uint32_t>(decode_utf8(text, at).size);
    merger.add(size, find(text.substr(at, size)));
    at += size;
  }
  merger.run(
      [&](const Symbol& left, const Symbol& right) -> std::optional<Merge> {
        const std::int32_t id = find(text.substr(left.begin, left.size + right.size));
        if (id == Symbol::kNoSymbol) return std::nullopt;
        return Merge{.rank = ranks_[static_cast<std::size_t>(id)], .id = id};
      },
      sink.steps);
  merger.for_each([&](const Symbol& symbol) {
    if (symbol.id != Symbol::kNoSymbol) {
      sink.ids->push_back(symbol.id);
    } else {
      fallback_.append(text.substr(symbol.begin, symbol.size), begin, sink);
    }
  });
}

/// The ids that Llama's first vocabulary gave, for files that name none.
void default_ids(Vocabulary& vocabulary) {
  SpecialIds& special = vocabulary.special();
  const auto fill = [&](std::optional<TokenId>& id, std::string_view text) {
    if (!id) id = vocabulary.find(text);
  };
  fill(special.bos, "<s>");
  fill(special.eos, "</s>");
  fill(special.unknown, "<unk>");
}

}  // namespace

Result<EncoderDefaults> spm_defaults(const formats::Metadata& /*metadata*/) {
  return EncoderDefaults{.add_bos = true, .add_space_prefix = true};
}

Result<std::unique_ptr<Encoder>> create_spm(const EncoderSource& source) {
  if (!source.vocabulary->has_scores()) {
    return invalid_file("tokenizer.ggml.scores is missing; a \"llama\" vocabulary merges by score");
  }
  default_ids(*source.vocabulary);
  CAIRN_ASSIGN(Normalizer normalizer,
               Normalizer::create(*source.metadata, source.add_space_prefix, {}));
  return std::unique_ptr<Encoder>(std::make_unique<Spm>(*source.vocabulary, std::move(normalizer)));
}

}  // namespace cairn::tokenizer
