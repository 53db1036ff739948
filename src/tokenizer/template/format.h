// Python's two ways to format: "..." % values and "...".format(...).
#pragma once

#include <string>
#include <string_view>

#include "tokenizer/template/run.h"
#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

/// format % values: %s %r %a %d %i %u %x %X %o %e %E %f %F %g %G %c %%, with flags, width,
/// precision and %(key)s.
Value format_percent(Run& run, const Text& format, const Value& values);

/// format.format(*positional, **keywords): {}, {0}, {name.field[key]}, !r !s !a, and format
/// specifications of strings and numbers.
Value format_braces(Run& run, const Text& format, const Arguments& arguments);

/// What both share. A number or text brought to its width.
struct FormatSpec {
  std::string fill = " ";
  char align = 0;  // '<', '>', '^', '=' or 0: the type's own
  char sign = '-';
  bool sign_given = false;
  bool alternate = false;
  bool comma = false;
  bool underscore = false;
  std::size_t width = 0;
  int precision = -1;
  char type = 0;
};

/// Widths and precisions are refused past this.
constexpr std::size_t kFormatWidthMax = 10'000;

/// `value` as digits by spec.type (d b o x X c n e f g % ...); fails the run for other types.
std::string format_number(Run& run, const Value& value, const FormatSpec& spec);

}  // namespace cairn::tokenizer::jinja
