// TextAssembler: bytes of tokens into whole characters.
#pragma once

#include <string>
#include <string_view>

namespace cairn::runtime {

/// A character may be spread over tokens; it comes out once it is whole. Bytes that are no
/// character come out as U+FFFD, as replace_invalid_utf8 has it.
class TextAssembler {
 public:
  /// Takes the bytes of the next token; returns the characters that are whole by now.
  std::string push(std::string_view bytes);
  /// What was left of an unfinished character.
  std::string finish();

 private:
  std::string held_;
};

}  // namespace cairn::runtime
