// Filters that run another filter or test over a sequence: map, select, reject and their attr
// kinds.
#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "tokenizer/template/access.h"
#include "tokenizer/template/arguments.h"
#include "tokenizer/template/filters.h"
#include "tokenizer/template/operators.h"

namespace cairn::tokenizer::jinja {
namespace {

/// The arguments after the first `count`.
Arguments after(const Arguments& arguments, std::size_t count) {
  Arguments rest = arguments;
  rest.positional.erase(rest.positional.begin(),
                        rest.positional.begin() + static_cast<std::ptrdiff_t>(count));
  return rest;
}

Value map_attribute(Run& run, const std::vector<Value>& items, const Arguments& arguments) {
  Value path;
  Value otherwise;
  for (const auto& [name, value] : arguments.keywords) {
    if (name == "attribute") {
      path = value;
    } else if (name == "default") {
      otherwise = value;
    } else {
      return run.fail(fmt::format("Unexpected keyword argument '{}'", name));
    }
  }
  std::vector<Value> out;
  for (const Value& item : items) {
    if (run.failed()) break;
    Value found = get_path(run, item, path);
    const bool replaced = found.undefined() && !otherwise.missing() && !otherwise.none();
    out.push_back(replaced ? otherwise : std::move(found));
  }
  return run.generator(std::move(out));
}

bool names_attribute(const Arguments& arguments) {
  for (const auto& [name, value] : arguments.keywords) {
    if (name == "attribute") return true;
  }
  return false;
}

Value map(Run& run, const Value& self, const Arguments& arguments) {
  if (!truthy(self)) return run.generator({});
  const std::vector<Value> items = iterate(run, self);
  if (arguments.positional.empty() && names_attribute(arguments)) {
    return map_attribute(run, items, arguments);
  }
  if (arguments.positional.empty()) return run.fail("map requires a filter argument");
  const Text* name = text_argument(run, arguments, 0);
  std::vector<Value> out;
  for (const Value& item : items) {
    if (run.failed()) break;
    out.push_back(apply_filter(run, name->bytes, item, after(arguments, 1)));
  }
  return run.generator(std::move(out));
}

enum class Keep : std::uint8_t { kPassing, kFailing };
enum class Look : std::uint8_t { kItem, kAttribute };

template <Keep kKeep, Look kLook>
Value choose(Run& run, const Value& self, const Arguments& arguments) {
  if (!truthy(self)) return run.generator({});
  constexpr std::size_t kOffset = kLook == Look::kAttribute ? 1 : 0;
  if (arguments.positional.size() < kOffset) {
    return run.fail("Missing parameter for attribute name");
  }
  const bool tests = arguments.positional.size() > kOffset;
  const Text* name = tests ? text_argument(run, arguments, kOffset) : nullptr;
  std::vector<Value> out;
  for (const Value& item : iterate(run, self)) {
    if (run.failed()) break;
    const Value looked = kOffset == 1 ? get_path(run, item, arguments.at(0)) : item;
    const bool passes = tests ? apply_test(run, name->bytes, looked, after(arguments, kOffset + 1))
                              : truthy(looked);
    if (passes == (kKeep == Keep::kPassing)) out.push_back(item);
  }
  return run.generator(std::move(out));
}

constexpr std::array<Builtin, 5> kRows = {{
    {"map", "*", 0, &map},
    {"reject", "*", 0, &choose<Keep::kFailing, Look::kItem>},
    {"rejectattr", "*", 0, &choose<Keep::kFailing, Look::kAttribute>},
    {"select", "*", 0, &choose<Keep::kPassing, Look::kItem>},
    {"selectattr", "*", 0, &choose<Keep::kPassing, Look::kAttribute>},
}};

}  // namespace

std::span<const Builtin> selecting_filters() { return kRows; }

}  // namespace cairn::tokenizer::jinja
