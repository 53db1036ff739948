#include "tokenizer/template/format_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tokenizer/template/operators.h"
#include "tokenizer/template/python_text.h"

namespace cairn::tokenizer::jinja {

std::size_t read_width(Run& run, std::string_view text, std::size_t& at) {
  std::size_t value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    value = std::min(value * 10 + static_cast<std::size_t>(text[at] - '0'), kFormatWidthMax + 1);
  }
  if (value > kFormatWidthMax) {
    run.refuse(fmt::format("a format width is more than {}", kFormatWidthMax));
  }
  return value;
}

void add_padded(const Text& text, const FormatSpec& spec, char own, TextBuilder& out) {
  const std::size_t size = char_count(text.bytes);
  const std::size_t fill = spec.width > size ? spec.width - size : 0;
  const char align = spec.align == 0 ? own : spec.align;
  const std::size_t before = align == '<' ? 0 : align == '^' ? fill / 2 : fill;
  for (std::size_t i = 0; i < before; ++i) out.add(spec.fill);
  out.add(text);
  for (std::size_t i = before; i < fill; ++i) out.add(spec.fill);
}

Text plain_text(std::string bytes) {
  Text text;
  text.bytes = std::move(bytes);
  return text;
}

Text printed_text(Run& run, const Value& value, char conversion) {
  TextBuilder builder;
  if (conversion == 's') {
    print(run, value, builder);
  } else {
    print_repr(run, value, builder);
  }
  Text text;
  text.bytes = builder.take_bytes();
  text.input = builder.take_input();
  return text;
}

Text shortened_text(Text text, int precision) {
  if (precision < 0) return text;
  const std::vector<std::size_t> starts = char_starts(text.bytes);
  const auto keep = std::min(static_cast<std::size_t>(precision), starts.size() - 1);
  TextBuilder builder;
  builder.add_part(text, 0, starts[keep]);
  Text out;
  out.bytes = builder.take_bytes();
  out.input = builder.take_input();
  return out;
}

}  // namespace cairn::tokenizer::jinja
