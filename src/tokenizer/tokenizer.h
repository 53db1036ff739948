// Tokenizer: text to ids and back, as a model file's tokenizer.ggml.* keys say.
//
// Purpose     the one way the rest of cairn turns text into ids and ids into text.
// Invariants  any bytes encode, and none of it fails; every id prints some bytes, maybe none; text
//             that is not parsed never yields a control token. Time is linear in the text.
// Threads     a Tokenizer never changes: use it from many threads. A StreamDecoder has one owner.
// Adding      a pre-tokenizer: a row in pre_tokenizer_table.cpp. A model kind: its file and its row
//             in encoder.cpp. A turn marker: a line in special_tokens.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/token.h"
#include "formats/metadata.h"
#include "tokenizer/encoder.h"
#include "tokenizer/special_tokens.h"
#include "tokenizer/vocabulary.h"

namespace cairn::tokenizer {

/// What text that looks like a control token is: letters, or that token.
enum class Special : std::uint8_t { kPlain, kParse };

/// Whether the tokens that the file puts around a text (bos, eos) are added.
enum class AddSpecial : std::uint8_t { kNone, kAdd };

struct EncodeOptions {
  Special special = Special::kPlain;
  AddSpecial add_special = AddSpecial::kNone;
  /// Where not null, the steps taken are added (see EncodeSink).
  std::uint64_t* steps = nullptr;
};

/// A part of a text; parts are encoded as one text, so merges go across their borders, but a
/// control token is found only inside kParse parts (neighbouring ones count as one).
struct TextSegment {
  std::string_view text = {};
  Special special = Special::kPlain;
};

/// Whether control tokens show when ids are turned into text.
enum class ShowSpecial : std::uint8_t { kHide, kShow };

struct DecodeOptions {
  ShowSpecial special = ShowSpecial::kHide;
  /// The id that stands before the first one, where the text goes on from others: after ordinary
  /// text a first space is kept; at the start or after a marker a vocabulary that puts a space in
  /// front of every text has it taken off again.
  std::optional<TokenId> previous = std::nullopt;
};

struct TokenizerOptions {
  StepCounting step_counting = StepCounting::kOff;
};

class Tokenizer {
 public:
  /// Errors: kUnsupported for a model kind or pre-tokenizer name that is not known, kInvalidFile or
  /// kNotFound naming the key for a damaged vocabulary. What is odd but harmless is in warnings().
  static Result<std::unique_ptr<Tokenizer>> create(const formats::Metadata& metadata,
                                                   const TokenizerOptions& options = {});

  /// The ids of `text`, any bytes.
  std::vector<TokenId> encode(std::string_view text, const EncodeOptions& options) const;
  /// The same for a text in parts; their own `special` counts, not the one in `options`.
  std::vector<TokenId> encode(std::span<const TextSegment> segments,
                              const EncodeOptions& options) const;

  /// The text of `ids`: always UTF-8, bytes that are none become U+FFFD (Unicode 15, 3.9, maximal
  /// subparts). Ids outside the vocabulary print nothing.
  std::string decode(std::span<const TokenId> ids, const DecodeOptions& options = {}) const;

  /// Number of ids.
  std::size_t size() const { return vocabulary_.size(); }
  /// The raw bytes that `id` prints; empty for control tokens and ids outside the vocabulary.
  std::string_view bytes(TokenId id) const;
  /// The token's text as the file has it; empty for ids outside the vocabulary.
  std::string_view piece(TokenId id) const;
  /// The lowest id whose text in the file is `piece`.
  std::optional<TokenId> find(std::string_view piece) const { return vocabulary_.find(piece); }
  /// Whether `id` is a marker for the model and no text: a control or unknown token.
  bool is_control(TokenId id) const;

  std::optional<TokenId> bos() const { return vocabulary_.special().bos; }
  std::optional<TokenId> eos() const { return vocabulary_.special().eos; }
  std::optional<TokenId> eot() const { return vocabulary_.special().eot; }
  std::optional<TokenId> eom() const { return vocabulary_.special().eom; }
  std::optional<TokenId> unknown() const { return vocabulary_.special().unknown; }
  std::optional<TokenId> padding() const { return vocabulary_.special().padding; }
  /// Whether AddSpecial::kAdd puts bos in front, eos behind.
  bool adds_bos() const { return add_bos_; }
  bool adds_eos() const { return add_eos_; }
  /// Ids that end an answer, ascending: eos, eot, eom and end-of-turn markers known by their text.
  const std::vector<TokenId>& stop_ids() const { return stop_ids_; }
  /// What was odd in the file and how it is read.
  const std::vector<std::string>& warnings() const { return vocabulary_.warnings(); }
  /// Bytes of UTF-8, ascending, that no token stands for: they are left out of any text.
  const std::string& missing_bytes() const { return vocabulary_.missing_bytes(); }

 private:
  friend class StreamDecoder;

  explicit Tokenizer(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}

  Status load_flags(const formats::Metadata& metadata, const EncoderDefaults& defaults);
  void load_bytes();
  void encode_text(std::string_view text, std::span<const ByteRange> parsed,
                   EncodeSink& sink) const;
  std::vector<TokenId> encode_ranges(std::string_view text, std::span<const ByteRange> parsed,
                                     const EncodeOptions& options) const;
  /// Whether a text starts after `id`: it is control or user-defined.
  bool ends_text(TokenId id) const;

  Vocabulary vocabulary_;
  std::unique_ptr<Encoder> encoder_;
  std::unique_ptr<SpecialMatcher> matcher_;
  std::string bytes_;
  std::vector<std::size_t> byte_ends_;
  std::vector<TokenId> stop_ids_;
  bool add_bos_ = false;
  bool add_eos_ = false;
  bool add_space_prefix_ = false;
};

/// Turns ids into text one by one. Characters come out whole: what push() returned so far and
/// finish() at the end together are decode() of the same ids.
class StreamDecoder {
 public:
  /// `tokenizer` outlives this.
  explicit StreamDecoder(const Tokenizer& tokenizer, const DecodeOptions& options = {});

  /// The text that is certain after `id`; empty while a character is incomplete.
  std::string push(TokenId id);
  /// What is left: U+FFFD for a character that was cut.
  std::string finish();

 private:
  const Tokenizer& tokenizer_;
  ShowSpecial special_ = ShowSpecial::kHide;
  bool at_text_start_ = true;
  std::string pending_;
};

}  // namespace cairn::tokenizer
