// Filters that run another filter or test over a sequence: map, select, reject and their attr
// kinds. As in Python their items are made when they are asked for.
#include <fmt/format.h>

#include <algorithm>
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

/// What map(attribute=..., default=...) was given.
struct AttributeMap {
  Value path;
  Value otherwise;
};

/// map's items, one at a time.
class Mapper {
 public:
  Mapper(Run& run, const Value& self, const Arguments& arguments)
      : run_(run), source_(run, self), arguments_(arguments) {}

  Value operator()() {
    if (!started_ && !start()) return {};
    Value item = source_.next();
    if (item.missing()) return item;
    if (by_attribute_) return attribute_of(item);
    return apply_filter(run_, arguments_.at(0).text().bytes, item, after(arguments_, 1));
  }

 private:
  /// Reads the arguments; false after failing the run.
  bool start() {
    started_ = true;
    const bool named =
        std::any_of(arguments_.keywords.begin(), arguments_.keywords.end(),
                    [](const auto& keyword) { return keyword.first == "attribute"; });
    by_attribute_ = arguments_.positional.empty() && named;
    if (by_attribute_) return start_attribute();
    if (arguments_.positional.empty()) run_.fail("map requires a filter argument");
    return !run_.failed() && text_argument(run_, arguments_, 0) != nullptr;
  }

  bool start_attribute() {
    for (const auto& [name, value] : arguments_.keywords) {
      if (name == "attribute") {
        attribute_.path = value;
      } else if (name == "default") {
        attribute_.otherwise = value;
      } else {
        run_.fail(fmt::format("Unexpected keyword argument '{}'", name));
      }
    }
    return !run_.failed();
  }

  Value attribute_of(const Value& item) {
    Value found = get_path(run_, item, attribute_.path);
    const Value& otherwise = attribute_.otherwise;
    const bool replaced = found.undefined() && !otherwise.missing() && !otherwise.none();
    return replaced ? otherwise : found;
  }

  Run& run_;
  ItemSource source_;
  Arguments arguments_;
  AttributeMap attribute_;
  bool started_ = false;
  bool by_attribute_ = false;
};

Value map(Run& run, const Value& self, const Arguments& arguments) {
  if (!truthy(self)) return run.generator({});
  return run.generator(Mapper(run, self, arguments), self);
}

enum class Keep : std::uint8_t { kPassing, kFailing };
enum class Look : std::uint8_t { kItem, kAttribute };

/// What select, reject and their attr kinds keep, one at a time.
template <Keep kKeep, Look kLook>
class Chooser {
 public:
  Chooser(Run& run, const Value& self, const Arguments& arguments)
      : run_(run), source_(run, self), arguments_(arguments) {}

  Value operator()() {
    if (arguments_.positional.size() < kOffset) {
      return run_.fail("Missing parameter for attribute name");
    }
    for (Value item = source_.next(); !item.missing(); item = source_.next()) {
      const bool kept = passes(item) == (kKeep == Keep::kPassing);
      if (run_.failed()) break;
      if (kept) return item;
    }
    return {};
  }

 private:
  static constexpr std::size_t kOffset = kLook == Look::kAttribute ? 1 : 0;

  bool passes(const Value& item) {
    const Value looked = kOffset == 1 ? get_path(run_, item, arguments_.at(0)) : item;
    if (arguments_.positional.size() == kOffset) return truthy(looked);
    const Text* name = text_argument(run_, arguments_, kOffset);
    return name != nullptr && apply_test(run_, name->bytes, looked, after(arguments_, kOffset + 1));
  }

  Run& run_;
  ItemSource source_;
  Arguments arguments_;
};

template <Keep kKeep, Look kLook>
Value choose(Run& run, const Value& self, const Arguments& arguments) {
  if (!truthy(self)) return run.generator({});
  return run.generator(Chooser<kKeep, kLook>(run, self, arguments), self);
}

constexpr std::array<Builtin, 5> kFiltersSelectRows = {{
    {"map", "*", 0, &map},
    {"reject", "*", 0, &choose<Keep::kFailing, Look::kItem>},
    {"rejectattr", "*", 0, &choose<Keep::kFailing, Look::kAttribute>},
    {"select", "*", 0, &choose<Keep::kPassing, Look::kItem>},
    {"selectattr", "*", 0, &choose<Keep::kPassing, Look::kAttribute>},
}};

}  // namespace

std::span<const Builtin> selecting_filters() { return kFiltersSelectRows; }

}  // namespace cairn::tokenizer::jinja
