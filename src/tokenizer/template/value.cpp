#include "tokenizer/template/value.h"

#include <algorithm>
#include <array>

#include "tokenizer/template/loop.h"

namespace cairn::tokenizer::jinja {

const Value* Dict::find(const std::string& key) const {
  const auto found = index.find(key);
  return found == index.end() ? nullptr : &entries[found->second].value;
}

Value* Namespace::find(std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [name](const auto& field) { return field.first == name; });
  return found == fields.end() ? nullptr : &found->second;
}

const Value& Arguments::at(std::size_t place) const {
  static const Value kMissing;
  return place < positional.size() ? positional[place] : kMissing;
}

bool Arguments::has(std::size_t place) const { return !at(place).missing(); }

const BoundMethod& Value::method() const {
  return *std::get<std::shared_ptr<const BoundMethod>>(state_);
}

bool Value::is_list(ListKind list_kind) const {
  return is(ValueKind::kList) && list().kind == list_kind;
}

unsigned depth_of(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kList:
      return value.list().depth;
    case ValueKind::kDict:
      return value.dict().depth;
    case ValueKind::kGenerator:
      return value.generator().depth;
    case ValueKind::kCounter:
      return value.counter().depth;
    case ValueKind::kMethod:
      return value.method().depth;
    default:
      return 0;
  }
}

unsigned depth_over(const std::vector<Value>& values) {
  unsigned depth = 0;
  for (const Value& value : values) depth = std::max(depth, depth_of(value));
  return depth + 1;
}

std::string_view type_name(const Value& value) {
  static constexpr std::array<std::string_view, 16> kNames = {"missing",
                                                              "Undefined",
                                                              "NoneType",
                                                              "bool",
                                                              "int",
                                                              "float",
                                                              "str",
                                                              "list",
                                                              "dict",
                                                              "generator",
                                                              "Cycler",
                                                              "LoopContext",
                                                              "TemplateNamespace",
                                                              "Macro",
                                                              "function",
                                                              "builtin_function_or_method"};
  static constexpr std::array<std::string_view, 6> kListNames = {
      "list", "tuple", "range", "dict_keys", "dict_values", "dict_items"};
  if (value.is(ValueKind::kList)) return kListNames[static_cast<std::size_t>(value.list().kind)];
  if (value.is(ValueKind::kCounter) && value.counter().kind == CounterKind::kJoiner) {
    return "Joiner";
  }
  return kNames[static_cast<std::size_t>(value.kind())];
}

bool truthy(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kMissing:
    case ValueKind::kUndefined:
    case ValueKind::kNone:
      return false;
    case ValueKind::kBool:
      return value.boolean();
    case ValueKind::kInt:
      return value.integer() != 0;
    case ValueKind::kFloat:
      return value.floating() != 0.0;
    case ValueKind::kString:
      return !value.text().bytes.empty();
    case ValueKind::kList:
      return !value.list().items.empty();
    case ValueKind::kDict:
      return !value.dict().entries.empty();
    case ValueKind::kLoop:
      return value.loop().count() != 0;
    default:
      return true;
  }
}

bool is_sequence(const Value& value) {
  return value.is_list(ListKind::kList) || value.is_list(ListKind::kTuple) ||
         value.is_list(ListKind::kRange);
}

}  // namespace cairn::tokenizer::jinja
