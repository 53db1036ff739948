#include "tokenizer/vocabulary.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::tokenizer {
namespace {

using formats::Metadata;
using formats::MetadataArray;
using formats::MetadataType;

constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";
constexpr std::string_view kScoresKey = "tokenizer.ggml.scores";
constexpr std::string_view kTypesKey = "tokenizer.ggml.token_type";
constexpr std::size_t kTokensMax = std::numeric_limits<TokenId>::max();

struct SpecialKey {
  std::string_view key;
  std::optional<TokenId> SpecialIds::*member = nullptr;
};

constexpr SpecialKey kSpecialKeys[] = {
    {"tokenizer.ggml.bos_token_id", &SpecialIds::bos},
    {"tokenizer.ggml.eos_token_id", &SpecialIds::eos},
    {"tokenizer.ggml.eot_token_id", &SpecialIds::eot},
    {"tokenizer.ggml.eom_token_id", &SpecialIds::eom},
    {"tokenizer.ggml.unknown_token_id", &SpecialIds::unknown},
    {"tokenizer.ggml.seperator_token_id", &SpecialIds::separator},  // spelled so by the writers
    {"tokenizer.ggml.separator_token_id", &SpecialIds::separator},
    {"tokenizer.ggml.padding_token_id", &SpecialIds::padding},
    {"tokenizer.ggml.mask_token_id", &SpecialIds::mask},
    {"tokenizer.ggml.cls_token_id", &SpecialIds::classification},
};

/// Floats of both sizes and int32 (an old writer) are scores; other types are a damaged list.
Status check_score_type(const Metadata& metadata) {
  const auto* array = std::get_if<MetadataArray>(metadata.find(kScoresKey));
  if (array != nullptr &&
      (array->element_type == MetadataType::kF32 || array->element_type == MetadataType::kF64 ||
       array->element_type == MetadataType::kI32)) {
    return {};
  }
  return invalid_file(fmt::format("{} is {}; an array of float32 is expected", kScoresKey,
                                  array != nullptr
                                      ? fmt::format("an array of {}", name_of(array->element_type))
                                      : formats::describe_type(*metadata.find(kScoresKey))));
}

Status check_count(std::string_view key, std::size_t found, std::size_t tokens) {
  if (found == tokens) return {};
  return invalid_file(fmt::format("{} has {} entries for {} tokens: index {} is {}", key, found,
                                  tokens, std::min(found, tokens),
                                  found < tokens ? "missing" : "no token"));
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

std::optional<std::uint8_t> parse_byte_token(std::string_view text) {
  if (text.size() != 6 || !text.starts_with("<0x") || text[5] != '>') return std::nullopt;
  const int high = hex_digit(text[3]);
  const int low = hex_digit(text[4]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<std::uint8_t>(high * 16 + low);
}

Result<Vocabulary> Vocabulary::load(const Metadata& metadata) {
  Vocabulary vocabulary;
  CAIRN_TRY(vocabulary.load_texts(metadata));
  CAIRN_TRY(vocabulary.load_scores(metadata));
  CAIRN_TRY(vocabulary.load_types(metadata));
  vocabulary.find_byte_tokens();
  CAIRN_TRY(vocabulary.load_special_ids(metadata));
  return vocabulary;
}

std::string_view Vocabulary::text(TokenId id) const {
  const auto index = static_cast<std::size_t>(id);
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(texts_).substr(begin, ends_[index] - begin);
}

float Vocabulary::score(TokenId id) const {
  return scores_.empty() ? 0.0F : scores_[static_cast<std::size_t>(id)];
}

std::optional<TokenId> Vocabulary::find(std::string_view text) const {
  const std::uint32_t found =
      index_.find(text, [this](std::uint32_t id) { return this->text(static_cast<TokenId>(id)); });
  if (found == TextIndex::kNone) return std::nullopt;
  return static_cast<TokenId>(found);
}

Status Vocabulary::load_texts(const Metadata& metadata) {
  CAIRN_ASSIGN(const std::vector<std::string_view> texts, metadata.strings(kTokensKey));
  if (texts.empty()) return invalid_file(fmt::format("{} is empty", kTokensKey));
  if (texts.size() > kTokensMax) {
    return invalid_file(fmt::format("{} has {} entries; at most {} are accepted", kTokensKey,
                                    texts.size(), kTokensMax));
  }
  for (const std::string_view text : texts) {
    texts_ += text;
    ends_.push_back(texts_.size());
    text_bytes_max_ = std::max(text_bytes_max_, text.size());
  }
  types_.assign(texts.size(), TokenType::kNormal);
  index_.reset(texts.size());
  for (std::uint32_t id = 0; id < texts.size(); ++id) {
    if (texts[id].empty()) {
      warn(fmt::format("{}: token {} is empty; it is never found in a text", kTokensKey, id));
      continue;
    }
    const std::uint32_t first = index_.add(
        id, [this](std::uint32_t number) { return this->text(static_cast<TokenId>(number)); });
    if (first != id) {
      warn(fmt::format("{}: tokens {} and {} are both \"{}\"; the first one is used", kTokensKey,
                       first, id, texts[id]));
    }
  }
  return {};
}

Status Vocabulary::load_scores(const Metadata& metadata) {
  if (!metadata.has(kScoresKey)) return {};
  CAIRN_TRY(check_score_type(metadata));
  CAIRN_ASSIGN(const std::vector<double> scores, metadata.f64s(kScoresKey));
  CAIRN_TRY(check_count(kScoresKey, scores.size(), size()));
  scores_.reserve(scores.size());
  for (std::size_t id = 0; id < scores.size(); ++id) {
    if (!(scores[id] >= -std::numeric_limits<float>::max() &&
          scores[id] <= std::numeric_limits<float>::max())) {
      return invalid_file(
          fmt::format("{}[{}] is {}; a finite number is expected", kScoresKey, id, scores[id]));
    }
    scores_.push_back(static_cast<float>(scores[id]));
  }
  return {};
}

Status Vocabulary::load_types(const Metadata& metadata) {
  if (!metadata.has(kTypesKey)) return {};
  CAIRN_ASSIGN(const std::vector<std::int64_t> types, metadata.i64s(kTypesKey));
  CAIRN_TRY(check_count(kTypesKey, types.size(), size()));
  for (std::size_t id = 0; id < types.size(); ++id) {
    if (types[id] >= 1 && types[id] <= 6) {
      types_[id] = static_cast<TokenType>(types[id]);
    } else if (types[id] != 0) {  // 0 is "undefined" and means normal
      warn(fmt::format("{}[{}] is {}; read as 1 (normal)", kTypesKey, id, types[id]));
    }
  }
  return {};
}

void Vocabulary::find_byte_tokens() {
  for (TokenId id = 0; contains(id); ++id) {
    const std::string_view token = text(id);
    if (const auto byte = parse_byte_token(token)) {
      if (!byte_ids_[*byte]) byte_ids_[*byte] = id;
    } else if (type(id) == TokenType::kByte) {
      warn(fmt::format("{}: token {} is of type byte but \"{}\" is not <0xHH>; read as normal",
                       kTypesKey, id, token));
      set_type(id, TokenType::kNormal);
    }
  }
}

Status Vocabulary::load_special_ids(const Metadata& metadata) {
  for (const SpecialKey& row : kSpecialKeys) {
    if (!metadata.has(row.key)) continue;
    CAIRN_ASSIGN(const std::uint64_t id, metadata.u64(row.key));
    if (id >= size()) {
      return invalid_file(fmt::format("{} is {}; an id below {} is expected", row.key, id, size()));
    }
    special_.*row.member = static_cast<TokenId>(id);
  }
  return {};
}

}  // namespace cairn::tokenizer
