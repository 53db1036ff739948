// Properties of characters that tokenizers ask for. Source: the Unicode character database, by
// utf8proc.
#pragma once

#include <string>
#include <string_view>

namespace cairn::tokenizer {

/// White_Space of Unicode, what "\s" means in the published patterns.
constexpr bool is_space(char32_t code) {
  return (code >= 0x09 && code <= 0x0D) || code == 0x20 || code == 0x85 || code == 0xA0 ||
         code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 ||
         code == 0x202F || code == 0x205F || code == 0x3000;
}

/// General category Nd.
bool is_decimal_digit(char32_t code);
/// Cc, Cf, Cs, Co or Cn.
bool is_other(char32_t code);
/// Mn.
bool is_nonspacing_mark(char32_t code);
/// P*, and the ASCII symbols.
bool is_punctuation(char32_t code);
/// The ideographs that BERT's tokenizer sets apart. Source: BERT, tokenization.py, with the one
/// block boundary that the Rust tokenizers use (U+2B920).
bool is_bert_ideograph(char32_t code);
char32_t to_lower(char32_t code);
/// `code` decomposed canonically (NFD), appended to `out`.
void append_decomposed(std::u32string& out, char32_t code);
/// `text` composed canonically (NFC, Unicode 15, 3.11); bytes that are no UTF-8 stay. Time grows
/// as n log n, also for long runs of marks.
std::string composed(std::string_view text);

}  // namespace cairn::tokenizer
