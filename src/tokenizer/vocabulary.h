// Vocabulary: the token list of a model file, checked, with the special ids and flags around it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/token.h"
#include "formats/metadata.h"
#include "tokenizer/text_index.h"

namespace cairn::tokenizer {

/// What a token is. The numbers are GGUF's (gguf-py, class TokenType).
enum class TokenType : std::uint8_t {
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,
  kUserDefined = 4,
  kUnused = 5,
  kByte = 6,
};

/// Ids with a meaning; each may be absent.
struct SpecialIds {
  std::optional<TokenId> bos;
  std::optional<TokenId> eos;
  std::optional<TokenId> eot;
  std::optional<TokenId> eom;
  std::optional<TokenId> unknown;
  std::optional<TokenId> separator;
  std::optional<TokenId> padding;
  std::optional<TokenId> mask;
  std::optional<TokenId> classification;
};

/// The tokens of a file. Texts are as stored: byte-level ones in GPT-2's alphabet, SentencePiece
/// ones with U+2581 for a space. Of tokens with one text the lowest id is found.
class Vocabulary {
 public:
  /// Reads tokenizer.ggml.{tokens,scores,token_type} and the special ids.
  /// Errors: kInvalidFile naming the key, the index and what was found: tokens that are no strings,
  /// lists of the wrong type or length, an id outside the vocabulary.
  static Result<Vocabulary> load(const formats::Metadata& metadata);

  std::size_t size() const { return types_.size(); }
  bool contains(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < size(); }
  /// The next three take ids of the vocabulary only.
  std::string_view text(TokenId id) const;
  TokenType type(TokenId id) const { return types_[static_cast<std::size_t>(id)]; }
  float score(TokenId id) const;

  /// Whether the file gives scores.
  bool has_scores() const { return !scores_.empty(); }
  std::optional<TokenId> find(std::string_view text) const;
  /// The id of "<0xHH>" for each byte, where the vocabulary has it.
  const std::array<std::optional<TokenId>, 256>& byte_ids() const { return byte_ids_; }
  /// Bytes of the longest text.
  std::size_t text_bytes_max() const { return text_bytes_max_; }

  const SpecialIds& special() const { return special_; }
  SpecialIds& special() { return special_; }
  void set_type(TokenId id, TokenType type) { types_[static_cast<std::size_t>(id)] = type; }

  /// What was odd in the file and how it is read.
  const std::vector<std::string>& warnings() const { return warnings_; }
  void warn(std::string text) { warnings_.push_back(std::move(text)); }

  /// Bytes of UTF-8 that no token stands for: they are left out of any text.
  const std::string& missing_bytes() const { return missing_bytes_; }
  void set_missing_bytes(std::string bytes) { missing_bytes_ = std::move(bytes); }

 private:
  Status load_texts(const formats::Metadata& metadata);
  Status load_scores(const formats::Metadata& metadata);
  Status load_types(const formats::Metadata& metadata);
  Status load_special_ids(const formats::Metadata& metadata);
  void find_byte_tokens();

  std::string texts_;
  std::vector<std::size_t> ends_;
  std::vector<TokenType> types_;
  std::vector<float> scores_;
  TextIndex index_;
  std::array<std::optional<TokenId>, 256> byte_ids_;
  std::size_t text_bytes_max_ = 0;
  SpecialIds special_;
  std::vector<std::string> warnings_;
  std::string missing_bytes_;
};

/// The byte that "<0xHH>" (exactly two hexadecimal digits) stands for.
std::optional<std::uint8_t> parse_byte_token(std::string_view text);

}  // namespace cairn::tokenizer
