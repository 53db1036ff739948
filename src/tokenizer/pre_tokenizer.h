// PreTokenizer: cuts a text into the pieces that byte-pair merges never cross, by the patterns that
// a pre-tokenizer's name stands for.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "tokenizer/encoder.h"

namespace cairn::tokenizer {

/// How a vocabulary writes text: GPT-2's alphabet for bytes, or characters as they are.
enum class PieceAlphabet : std::uint8_t { kBytes, kCharacters };

/// A name of tokenizer.ggml.pre and what it stands for.
struct PreTokenizerRow {
  static constexpr std::size_t kStepsMax = 6;

  std::string_view name;
  /// Applied in turn, each to the pieces of the one before: a pattern whose matches become pieces
  /// of their own, or "@name" for a splitter of splitters.cpp. Unused ones are empty.
  std::string_view steps[kStepsMax] = {};
  bool ignore_merges = false;  // a piece that is a token is that token, whatever the merges say
  bool add_bos = false;        // where the file says nothing
  PieceAlphabet alphabet = PieceAlphabet::kBytes;
};

/// The row called `name`. Errors: kUnsupported naming it.
Result<const PreTokenizerRow*> find_pre_tokenizer(std::string_view name);

/// The row that cuts as a published tokenizer.json does, by its steps in words ("ByteLevel",
/// "Digits", "Split PATTERN": formats/huggingface/tokenizer_parts.h), whatever its name and bos.
/// Errors: kUnsupported naming the steps.
Result<const PreTokenizerRow*> find_published_pre_tokenizer(
    const std::vector<std::string_view>& steps, bool ignore_merges);

/// The row of a file's keys: tokenizer.huggingface.pre_tokenizer, else tokenizer.ggml.pre, else
/// "default". Errors: as the two; kInvalidFile for a key of the wrong type.
Result<const PreTokenizerRow*> pre_tokenizer_of(const formats::Metadata& metadata);

/// Immutable after creation; split() may run in many threads at once.
class PreTokenizer {
 public:
  PreTokenizer();
  PreTokenizer(PreTokenizer&&) noexcept;
  PreTokenizer& operator=(PreTokenizer&&) noexcept;
  ~PreTokenizer();

  /// Errors: kInternal when a pattern of the row does not compile.
  static Result<PreTokenizer> create(const PreTokenizerRow& row, StepCounting counting);

  /// The pieces of `text` in order; they lie in it and cover it. Bytes that are not UTF-8 match no
  /// pattern: a run of them is a piece of its own.
  std::vector<std::string_view> split(std::string_view text, std::uint64_t& steps) const;

 private:
  struct Step;
  std::vector<std::unique_ptr<Step>> steps_;
};

}  // namespace cairn::tokenizer
