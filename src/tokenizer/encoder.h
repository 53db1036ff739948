// Encoder: one tokenizer model, from text without special tokens to ids.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/token.h"
#include "formats/metadata.h"
#include "tokenizer/vocabulary.h"

namespace cairn::tokenizer {

/// Whether patterns report each of their steps (slow; for tests of linear time).
enum class StepCounting : std::uint8_t { kOff, kOn };

/// Where an encoder writes: ids, and how many steps it took. A step is a unit of constant work: a
/// byte read, a queue operation, a table look-up, an item of a pattern tried.
struct EncodeSink {
  std::vector<TokenId>* ids = nullptr;
  std::uint64_t steps = 0;
};

/// Immutable after creation; encode() may run in many threads at once.
class Encoder {
 public:
  virtual ~Encoder() = default;

  /// Appends the ids of `text`: any bytes, also ones that are not UTF-8; no special tokens are
  /// looked for. Time grows linearly with the text, apart from the logarithm of a queue.
  virtual void encode(std::string_view text, EncodeSink& sink) const = 0;

  /// The bytes that token `id` prints: spaces as spaces, byte tokens as their byte.
  virtual std::string token_bytes(TokenId id) const = 0;
};

/// What a model kind assumes where the file says nothing.
struct EncoderDefaults {
  bool add_bos = false;
  bool add_eos = false;
  bool add_space_prefix = false;
};

/// What makes an encoder. `vocabulary` outlives it and may be corrected (warnings, default ids).
struct EncoderSource {
  const formats::Metadata* metadata = nullptr;
  Vocabulary* vocabulary = nullptr;
  StepCounting step_counting = StepCounting::kOff;
  bool add_space_prefix = false;
};

/// One row of the table of tokenizer models.
struct EncoderKind {
  std::string_view model;  // value of tokenizer.ggml.model
  Result<std::unique_ptr<Encoder>> (*create)(const EncoderSource& source) = nullptr;
  /// Errors: kUnsupported for a pre-tokenizer name that is not known.
  Result<EncoderDefaults> (*defaults)(const formats::Metadata& metadata) = nullptr;
};

/// The row of `model`. Errors: kUnsupported naming it and what is accepted.
Result<const EncoderKind*> find_encoder_kind(std::string_view model);

/// `text` with U+2581 as spaces, or the byte of a "<0xHH>" token of type byte: how SentencePiece
/// vocabularies print.
std::string sentence_piece_bytes(const Vocabulary& vocabulary, TokenId id);

/// How vocabularies with byte fallback write a character they have no token for: its byte tokens
/// if all are there, else the unknown token (one for a run of such characters), else nothing.
class ByteFallback {
 public:
  explicit ByteFallback(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  /// Appends to sink.ids; `begin` is where this text's ids start.
  void append(std::string_view character, std::size_t begin, EncodeSink& sink) const;

 private:
  const Vocabulary& vocabulary_;
};

}  // namespace cairn::tokenizer
