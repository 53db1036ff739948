// The methods of strings that ask what its characters are: isalpha, isupper, ...
#include <algorithm>
#include <array>

#include "tokenizer/template/methods.h"
#include "tokenizer/template/python_text.h"
#include "tokenizer/template/run.h"

namespace cairn::tokenizer::jinja {
namespace {

template <bool (*kIs)(char32_t)>
Value all_are(Run& run, const Value& self, const Arguments& /*arguments*/) {
  const std::u32string codes = decode(self.text().bytes);
  run.step(codes.size() / 16);
  return Value(!codes.empty() && std::all_of(codes.begin(), codes.end(), kIs));
}

bool is_alnum(char32_t code) { return is_alpha(code) || is_numeric(code); }

template <bool (*kWanted)(char32_t), bool (*kBarred)(char32_t)>
Value has_case(Run& run, const Value& self, const Arguments& /*arguments*/) {
  const std::u32string codes = decode(self.text().bytes);
  run.step(codes.size() / 16);
  const bool barred =
      std::any_of(codes.begin(), codes.end(), [](char32_t c) { return kBarred(c) || is_title(c); });
  return Value(!barred && std::any_of(codes.begin(), codes.end(), kWanted));
}

Value is_titled(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  bool in_word = false;
  bool any = false;
  for (const char32_t code : decode(self.text().bytes)) {
    const bool capital = is_upper(code) || is_title(code);
    if ((capital && in_word) || (is_lower(code) && !in_word)) return Value(false);
    in_word = capital || is_lower(code);
    any = any || in_word;
  }
  return Value(any);
}

Value is_ascii(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  const std::string& bytes = self.text().bytes;
  return Value(std::all_of(bytes.begin(), bytes.end(),
                           [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

Value is_all_printable(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  const std::u32string codes = decode(self.text().bytes);
  return Value(std::all_of(codes.begin(), codes.end(), is_printable));
}

Value is_identifier(Run& /*run*/, const Value& self, const Arguments& /*arguments*/) {
  const std::u32string codes = decode(self.text().bytes);
  return Value(!codes.empty() && starts_name(codes[0]) &&
               std::all_of(codes.begin(), codes.end(), continues_name));
}

constexpr std::array<Builtin, 12> kMethodsClassesRows = {{
    {"isalnum", "", 0, &all_are<&is_alnum>},
    {"isalpha", "", 0, &all_are<&is_alpha>},
    {"isascii", "", 0, &is_ascii},
    {"isdecimal", "", 0, &all_are<&is_decimal>},
    {"isdigit", "", 0, &all_are<&is_digit>},
    {"isidentifier", "", 0, &is_identifier},
    {"islower", "", 0, &has_case<&is_lower, &is_upper>},
    {"isnumeric", "", 0, &all_are<&is_numeric>},
    {"isprintable", "", 0, &is_all_printable},
    {"isspace", "", 0, &all_are<&is_space>},
    {"istitle", "", 0, &is_titled},
    {"isupper", "", 0, &has_case<&is_upper, &is_lower>},
}};

}  // namespace

std::span<const Builtin> text_classes() { return kMethodsClassesRows; }

}  // namespace cairn::tokenizer::jinja
