#include "tokenizer/template/arguments.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "tokenizer/template/operators.h"

namespace cairn::tokenizer::jinja {
namespace {

std::vector<std::string_view> split_names(std::string_view names) {
  std::vector<std::string_view> out;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    out.push_back(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return out;
}

bool bind(Run& run, const Builtin& row, Arguments& arguments) {
  const std::vector<std::string_view> names = split_names(row.parameters);
  std::vector<Value>& values = arguments.positional;
  if (values.size() > names.size()) {
    run.fail(fmt::format("{}() takes at most {} arguments, got {}", row.name, names.size(),
                         values.size()));
    return false;
  }
  values.resize(names.size());
  for (auto& [name, value] : arguments.keywords) {
    std::size_t place = 0;
    while (place < names.size() && names[place] != name) ++place;
    if (place == names.size() || !values[place].missing()) {
      run.fail(fmt::format("{}() got {} argument '{}'", row.name,
                           place == names.size() ? "an unexpected keyword" : "twice the", name));
      return false;
    }
    values[place] = std::move(value);
  }
  for (std::size_t place = 0; place < row.required; ++place) {
    if (!values[place].missing()) continue;
    run.fail(fmt::format("{}() missing the argument '{}'", row.name, names[place]));
    return false;
  }
  return true;
}

}  // namespace

Value call_builtin(Run& run, const Builtin& row, const Value& self, Arguments arguments) {
  if (!run.step()) return run.fail("");
  if (row.call == nullptr) return run.fail(fmt::format("{}() is not supported", row.name));
  if (row.parameters != "*" && !bind(run, row, arguments)) return run.fail("");
  return row.call(run, self, arguments);
}

const Text* text_argument(Run& run, const Arguments& arguments, std::size_t place) {
  const Value& value = arguments.at(place);
  if (value.is_string()) return &value.text();
  run.fail(fmt::format("a string is required, not '{}'", type_name(value)));
  return nullptr;
}

Int int_argument(Run& run, const Arguments& arguments, std::size_t place, Int otherwise) {
  const Value& value = arguments.at(place);
  if (value.missing()) return otherwise;
  if (value.is_integral()) return value.as_int();
  run.fail(fmt::format("'{}' object cannot be interpreted as an integer", type_name(value)));
  return otherwise;
}

Int size_argument(Run& run, const Arguments& arguments, std::size_t place, Int otherwise) {
  const Int value = int_argument(run, arguments, place, otherwise);
  constexpr Int kMost = (Int{1} << 63) - 1;
  if (value <= kMost && value >= -kMost - 1) return value;
  run.fail("Python int too large to convert to C ssize_t");
  return otherwise;
}

bool flag_argument(const Arguments& arguments, std::size_t place) {
  return truthy(arguments.at(place));
}

Value soft_text(Run& run, const Value& value) { return to_text(run, value); }

}  // namespace cairn::tokenizer::jinja
