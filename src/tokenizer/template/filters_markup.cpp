// Filters for HTML and URLs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/url_escape.h"
#include "tokenizer/template/arguments.h"
#include "tokenizer/template/filters.h"
#include "tokenizer/template/operators.h"

namespace cairn::tokenizer::jinja {
namespace {

Value marked_up(Run& run, const Value& self, bool escape) {
  Value text = to_text(run, self);
  if (run.failed() || (escape && text.text().markup)) return text;
  TextBuilder out;
  if (escape) {
    print_escaped(text.text(), out);
  } else {
    out.add(text.text());
  }
  return run.markup(std::move(out));
}

Value safe(Run& run, const Value& self, const Arguments& /*arguments*/) {
  return marked_up(run, self, false);
}

Value escape(Run& run, const Value& self, const Arguments& /*arguments*/) {
  return marked_up(run, self, true);
}

Value force_escape(Run& run, const Value& self, const Arguments& /*arguments*/) {
  Value text = to_text(run, self);
  if (run.failed()) return text;
  TextBuilder out;
  print_escaped(text.text(), out);
  return run.markup(std::move(out));
}

/// As in a URL's query, which has + for spaces.
std::string query_quoted(std::string_view text) {
  std::string out = url_escape(text, " ");
  std::replace(out.begin(), out.end(), ' ', '+');
  return out;
}

void add_quoted(Run& run, const Value& value, TextBuilder& out) {
  const Value text = to_text(run, value);
  if (!run.failed()) out.add_made(text.text(), query_quoted(text.text().bytes));
}

Value url_query(Run& run, const std::vector<Value>& pairs) {
  TextBuilder out;
  for (const Value& pair : pairs) {
    const std::vector<Value> parts = iterate(run, pair);
    if (parts.size() != 2) run.fail("urlencode wants pairs of a key and a value");
    if (run.failed()) break;
    if (out.size() != 0) out.add("&");
    add_quoted(run, parts[0], out);
    out.add("=");
    add_quoted(run, parts[1], out);
  }
  return run.text(std::move(out));
}

Value url_encode(Run& run, const Value& self, const Arguments& /*arguments*/) {
  if (self.is(ValueKind::kDict)) return url_query(run, pairs_of(run, self.dict()));
  if (!self.is_string() && is_iterable(self)) return url_query(run, iterate(run, self));
  const Value text = to_text(run, self);
  return run.failed() ? text : run.text_from(text.text(), url_escape(text.text().bytes));
}

Value xml_attributes(Run& run, const Value& self, const Arguments& arguments) {
  if (self.undefined()) return fail_undefined(run, self);
  if (!self.is(ValueKind::kDict)) {
    return run.fail(fmt::format("xmlattr wants a dict, not '{}'", type_name(self)));
  }
  const bool space = !arguments.has(0) || flag_argument(arguments, 0);
  TextBuilder out;
  for (const auto& [key, value] : self.dict().entries) {
    if (value.none() || value.undefined()) continue;
    if (!key.is_string() || key.text().bytes.find_first_of(" \t\n\r\f\v/>=") != std::string::npos) {
      return run.fail("xmlattr: a key is no string or has a character that none may have");
    }
    Value text = to_text(run, value);
    if (run.failed()) return text;
    if (space || out.size() != 0) out.add(" ");
    print_escaped(key.text(), out);
    out.add("=\"");
    print_as_markup(text.text(), out);
    out.add("\"");
  }
  return run.text(std::move(out));
}

constexpr std::array<Builtin, 6> kFiltersMarkupRows = {{
    {"e", "", 0, &escape},
    {"escape", "", 0, &escape},
    {"forceescape", "", 0, &force_escape},
    {"safe", "", 0, &safe},
    {"urlencode", "", 0, &url_encode},
    {"xmlattr", "autospace", 0, &xml_attributes},
}};

}  // namespace

std::span<const Builtin> markup_filters() { return kFiltersMarkupRows; }

}  // namespace cairn::tokenizer::jinja
