// json.dumps as Python prints it.
#pragma once

#include <optional>
#include <string>

#include "tokenizer/template/run.h"
#include "tokenizer/template/value.h"

namespace cairn::tokenizer::jinja {

/// json.dumps's options.
struct JsonStyle {
  bool ensure_ascii = false;
  bool sort_keys = false;
  std::optional<std::string> indent;  // what one level adds; none: one line
  std::string item_separator = ", ";
  std::string key_separator = ": ";
};

/// Adds `value` as JSON; fails the run for values JSON has no form for.
void print_json(Run& run, const Value& value, const JsonStyle& style, TextBuilder& out);

}  // namespace cairn::tokenizer::jinja
