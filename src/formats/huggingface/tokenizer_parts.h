// The parts of a tokenizer.json that stand around its model, each in words or refused.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "base/status.h"

namespace cairn::formats {

/// The parts of `part` in turn: those of a Sequence, itself, or none where it is null.
/// Errors: kInvalidFile for a part that has no "type".
Result<std::vector<Json>> parts_of(const Json& rest, const char* name, const char* list);

/// How a pre-tokenizer cuts, a line per step: "ByteLevel" (GPT-2's pattern), "Digits", or
/// "Split PATTERN" whose matches become pieces of their own. Errors: kUnsupported naming the part.
Result<std::vector<std::string>> pre_tokenizer_steps(const Json& rest);

/// How a vocabulary in SentencePiece's way writes spaces.
struct SpaceMarks {
  bool is_used = false;    // U+2581 stands for a space
  bool is_prefix = false;  // one stands in front of every text
};

/// What normalizer and pre-tokenizer together say of space marks. Errors: kUnsupported for parts
/// that do something else too.
Result<SpaceMarks> space_marks(const Json& rest);

/// "NFC", or empty for none. Errors: kUnsupported naming another normalizer.
Result<std::string> byte_level_normalizer(const Json& rest);

/// Tokens that the post-processor puts around a text; empty: none.
struct AroundText {
  std::string before;
  std::string behind;
};

/// Errors: kUnsupported naming a post-processor of another form.
Result<AroundText> around_text(const Json& rest);

}  // namespace cairn::formats
