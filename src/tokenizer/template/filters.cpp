#include "tokenizer/template/filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tokenizer/template/arguments.h"

namespace cairn::tokenizer::jinja {
namespace {

const Builtin* find_row(std::span<const Builtin> rows, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [name](const Builtin& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

const Builtin* find_filter(std::string_view name) {
  for (const auto rows : {text_filters(), markup_filters(), wrapping_filters(), number_filters(),
                          sequence_filters(), ordering_filters(), selecting_filters()}) {
    if (const Builtin* row = find_row(rows, name)) return row;
  }
  return nullptr;
}

std::string no_filter(std::string_view name) {
  static constexpr std::array<std::string_view, 4> kRefused = {"pprint", "random", "striptags",
                                                               "urlize"};
  const bool known = std::find(kRefused.begin(), kRefused.end(), name) != kRefused.end();
  return known ? fmt::format("the filter '{}' is not supported", name)
               : fmt::format("no filter named '{}'", name);
}

const Builtin* find_test(std::string_view name) { return find_row(builtin_tests(), name); }

Value apply_filter(Run& run, std::string_view name, const Value& value, Arguments arguments) {
  const Builtin* row = find_filter(name);
  if (row == nullptr) return run.fail(no_filter(name));
  return call_builtin(run, *row, value, std::move(arguments));
}

bool apply_test(Run& run, std::string_view name, const Value& value, Arguments arguments) {
  const Builtin* row = find_test(name);
  if (row == nullptr) {
    run.fail(fmt::format("no test named '{}'", name));
    return false;
  }
  return truthy(call_builtin(run, *row, value, std::move(arguments)));
}

}  // namespace cairn::tokenizer::jinja
