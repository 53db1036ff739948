// What Python's str does with characters: counting, white space, case, quoting. All on UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tokenizer::jinja {

/// Number of characters.
std::size_t char_count(std::string_view text);

/// Byte places of all characters and the end: entry i is where character i starts.
std::vector<std::size_t> char_starts(std::string_view text);

/// str.isspace() of one character; also what \s matches.
bool is_space(char32_t code);
/// unicodedata categories as str.isalpha, isdigit, isupper, ... use them.
bool is_alpha(char32_t code);
bool is_decimal(char32_t code);
bool is_digit(char32_t code);
bool is_numeric(char32_t code);
bool is_upper(char32_t code);
bool is_lower(char32_t code);
bool is_title(char32_t code);
bool is_printable(char32_t code);
/// Has case, and does not end a word for the final sigma (Unicode 15, 3.13, D135 and D136).
bool is_cased(char32_t code);
bool is_case_ignorable(char32_t code);
/// str.isidentifier(): the first character, and the others.
bool starts_name(char32_t code);
bool continues_name(char32_t code);
/// `text` with every decimal digit of any script as 0 to 9: what int() and float() read.
std::string ascii_digits(std::string_view text);
/// What can stand in a name (\w and marks).
bool is_name_char(char32_t code);

/// All characters of `text` as code points.
std::u32string decode(std::string_view text);

/// First byte that is not white space, and one past the last: of the whole text.
std::size_t skip_space(std::string_view text);
std::size_t skip_space_back(std::string_view text);

/// str.upper() and friends, with the multi-character mappings of Unicode.
std::string to_upper(std::string_view text);
std::string to_lower(std::string_view text);
std::string to_title(std::string_view text);
std::string to_capitalized(std::string_view text);
std::string to_swapped(std::string_view text);
std::string to_folded(std::string_view text);

/// repr() of a str.
std::string quote(std::string_view text);

/// Ends (one past) of every line, the line break included, as splitlines(keepends=True), and the
/// size of the break.
struct Line {
  std::size_t begin = 0;
  std::size_t end = 0;  // before the break
  std::size_t next = 0;
};
std::vector<Line> split_lines(std::string_view text);

}  // namespace cairn::tokenizer::jinja
