#include "engine/grammar/json_schema.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 7> kAnnotations = {
    "title", "description", "default", "examples", "$schema", "$comment", "$defs"};
constexpr std::array<std::string_view, 3> kOfObjects = {"properties", "required",
                                                        "additionalProperties"};
constexpr std::array<std::string_view, 3> kOfArrays = {"items", "minItems", "maxItems"};
constexpr std::array<std::string_view, 5> kOthers = {"type", "enum", "const", "anyOf", "$ref"};
constexpr std::array<std::string_view, 7> kTypes = {"string", "number", "integer", "boolean",
                                                    "null",   "object", "array"};

bool is_in(Names names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// A name within a JSON pointer (RFC 6901).
std::string escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

Status wrong(const std::string& pointer, std::string_view message) {
  return invalid_argument(fmt::format("{}: {}", pointer, message));
}

Status wrong_value(const std::string& pointer, std::string_view keyword,
                   std::string_view expected) {
  return wrong(pointer, fmt::format("{} has to be {}", keyword, expected));
}

bool has_any(const Json& schema, Names names) {
  return std::ranges::any_of(
      names, [&](std::string_view name) { return schema.contains(std::string(name)); });
}

/// Whether a value is of a type, as JSON Schema has it: 1.0 is an integer.
bool is_of_type(const Json& value, std::string_view type) {
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "number") return value.is_number();
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    return std::trunc(number) == number;
  }
  return value.is_number();
}

class SchemaReader {
 public:
  SchemaReader(Grammar& grammar, const Json& root) : grammar_(grammar), root_(root) {}

  Result<GrammarNode> read() {
    CAIRN_ASSIGN(const GrammarNode node, schema(root_, "#", 0));
    // Each target is read once, when all that is around has been.
    while (!to_read_.empty()) {
      const auto [pointer, reserved] = std::move(to_read_.back());
      to_read_.pop_back();
      CAIRN_ASSIGN(const Json* target, target_of(pointer));
      CAIRN_ASSIGN(const GrammarNode part, schema(*target, pointer, 0));
      grammar_.set_parts(reserved, {part});
    }
    return node;
  }

 private:
  Result<GrammarNode> schema(const Json& schema, const std::string& pointer, int depth);
  Status check_keywords(const Json& schema, const std::string& pointer) const;
  Status check_alone(const Json& schema, const std::string& pointer, std::string_view keyword,
                     Names beside) const;
  Result<GrammarNode> values(const Json& schema, const std::string& pointer);
  Result<GrammarNode> any_of(const Json& schema, const std::string& pointer, int depth);
  Result<GrammarNode> reference(const Json& schema, const std::string& pointer);
  Result<const Json*> target_of(const std::string& pointer) const;
  Result<std::vector<std::string>> types_of(const Json& schema, const std::string& pointer) const;
  Result<GrammarNode> of_type(std::string_view type, const Json& schema, const std::string& pointer,
                              int depth);
  Result<GrammarNode> object(const Json& schema, const std::string& pointer, int depth);
  Result<std::vector<std::string>> required(const Json& schema, const std::string& pointer) const;
  Result<GrammarNode> array(const Json& schema, const std::string& pointer, int depth);

  Grammar& grammar_;
  const Json& root_;
  std::map<std::string, GrammarNode> references_;
  std::vector<std::pair<std::string, GrammarNode>> to_read_;
};

Status SchemaReader::check_keywords(const Json& schema, const std::string& pointer) const {
  for (const auto& [name, value] : schema.items()) {
    if (is_in(kAnnotations, name) || is_in(kOfObjects, name) || is_in(kOfArrays, name) ||
        is_in(kOthers, name)) {
      continue;
    }
    return wrong(pointer, fmt::format("the keyword '{}' is not supported; there are {}, {}, {}, {}",
                                      name, fmt::join(kOthers, ", "), fmt::join(kOfObjects, ", "),
                                      fmt::join(kOfArrays, ", "), fmt::join(kAnnotations, ", ")));
  }
  return {};
}

/// `keyword` together with others would be what satisfies all of them, which is not worked out.
Status SchemaReader::check_alone(const Json& schema, const std::string& pointer,
                                 std::string_view keyword, Names beside) const {
  for (const auto& [name, value] : schema.items()) {
    if (name == keyword || is_in(kAnnotations, name) || is_in(beside, name)) continue;
    return wrong(pointer, fmt::format("the keyword '{}' beside '{}' is not supported; of the two "
                                      "one is accepted",
                                      name, keyword));
  }
  return {};
}

Result<GrammarNode> SchemaReader::schema(const Json& schema, const std::string& pointer,
                                         int depth) {
  if (depth > kSchemaDepthMax) {
    return wrong(pointer, fmt::format("schemas nested deeper than {}", kSchemaDepthMax));
  }
  if (grammar_.size() > kGrammarRulesMax) {
    return wrong(pointer, fmt::format("more than {} rules", kGrammarRulesMax));
  }
  if (schema.is_boolean()) return schema.get<bool>() ? grammar_.any() : grammar_.words({});
  if (!schema.is_object()) return wrong(pointer, "a schema has to be an object, true or false");
  CAIRN_TRY(check_keywords(schema, pointer));
  if (schema.contains("$ref")) return reference(schema, pointer);
  if (schema.contains("anyOf")) return any_of(schema, pointer, depth);
  if (schema.contains("enum") || schema.contains("const")) return values(schema, pointer);
  CAIRN_ASSIGN(const std::vector<std::string> types, types_of(schema, pointer));
  if (types.empty()) return grammar_.any();
  std::vector<GrammarNode> parts;
  for (const std::string& type : types) {
    CAIRN_ASSIGN(const GrammarNode part, of_type(type, schema, pointer, depth));
    parts.push_back(part);
  }
  return parts.size() == 1 ? parts[0] : grammar_.choice(std::move(parts));
}

Result<GrammarNode> SchemaReader::reference(const Json& schema, const std::string& pointer) {
  CAIRN_TRY(check_alone(schema, pointer, "$ref", {}));
  const Json& to = schema["$ref"];
  if (!to.is_string() || !to.get_ref<const std::string&>().starts_with('#')) {
    return wrong_value(pointer, "$ref", "a pointer into the schema, such as #/$defs/name");
  }
  const auto& target = to.get_ref<const std::string&>();
  if (!target_of(target).ok()) {
    return wrong(pointer, fmt::format("$ref points to {}, where no schema is", target));
  }
  const auto found = references_.find(target);
  if (found != references_.end()) return found->second;
  const GrammarNode reserved = grammar_.reserve();
  references_.emplace(target, reserved);
  to_read_.emplace_back(target, reserved);
  return reserved;
}

Result<const Json*> SchemaReader::target_of(const std::string& pointer) const {
  try {
    return &root_.at(Json::json_pointer(pointer.substr(1)));
  } catch (const Json::exception& error) {
    return wrong(pointer, error.what());
  }
}

Result<GrammarNode> SchemaReader::any_of(const Json& schema, const std::string& pointer,
                                         int depth) {
  CAIRN_TRY(check_alone(schema, pointer, "anyOf", {}));
  const Json& list = schema["anyOf"];
  if (!list.is_array() || list.empty()) {
    return wrong_value(pointer, "anyOf", "an array of at least one schema");
  }
  std::vector<GrammarNode> parts;
  for (std::size_t i = 0; i < list.size(); ++i) {
    CAIRN_ASSIGN(const GrammarNode part,
                 this->schema(list[i], fmt::format("{}/anyOf/{}", pointer, i), depth + 1));
    parts.push_back(part);
  }
  return grammar_.choice(std::move(parts));
}

Result<GrammarNode> SchemaReader::values(const Json& schema, const std::string& pointer) {
  constexpr std::array<std::string_view, 3> kBeside = {"type", "enum", "const"};
  const bool listed = schema.contains("enum");
  CAIRN_TRY(check_alone(schema, pointer, listed ? "enum" : "const", kBeside));
  if (listed && !schema["enum"].is_array()) {
    return wrong_value(pointer, "enum", "an array of values");
  }
  CAIRN_ASSIGN(const std::vector<std::string> types, types_of(schema, pointer));
  std::vector<std::string> words;
  for (const Json& value : listed ? schema["enum"] : Json::array({schema["const"]})) {
    if (schema.contains("const") && value != schema["const"]) continue;
    const bool fits = std::ranges::any_of(
        types, [&](const std::string& type) { return is_of_type(value, type); });
    if (types.empty() || fits) words.push_back(line_of(value));
  }
  return grammar_.words(std::move(words));
}

Result<std::vector<std::string>> SchemaReader::types_of(const Json& schema,
                                                        const std::string& pointer) const {
  const auto found = schema.find("type");
  std::vector<std::string> types;
  if (found == schema.end()) {
    if (has_any(schema, kOfObjects)) types.emplace_back("object");
    if (has_any(schema, kOfArrays)) types.emplace_back("array");
    return types;
  }
  const Json list = found->is_array() ? *found : Json::array({*found});
  for (const Json& type : list) {
    if (!type.is_string() || !is_in(kTypes, type.get_ref<const std::string&>())) {
      return wrong_value(pointer, "type",
                         fmt::format("one of {}, or several in an array", fmt::join(kTypes, ", ")));
    }
    types.push_back(type.get<std::string>());
  }
  if (types.empty()) return wrong_value(pointer, "type", "at least one type");
  return types;
}

Result<GrammarNode> SchemaReader::of_type(std::string_view type, const Json& schema,
                                          const std::string& pointer, int depth) {
  if (type == "string") return grammar_.string();
  if (type == "number") return grammar_.number();
  if (type == "integer") return grammar_.integer();
  if (type == "boolean") return grammar_.words({"true", "false"});
  if (type == "null") return grammar_.words({"null"});
  return type == "object" ? object(schema, pointer, depth) : array(schema, pointer, depth);
}

Result<std::vector<std::string>> SchemaReader::required(const Json& schema,
                                                        const std::string& pointer) const {
  std::vector<std::string> names;
  const auto found = schema.find("required");
  if (found == schema.end()) return names;
  const bool texts = found->is_array() &&
                     std::ranges::all_of(*found, [](const Json& each) { return each.is_string(); });
  if (!texts) return wrong_value(pointer, "required", "an array of names");
  for (const Json& name : *found) names.push_back(name.get<std::string>());
  return names;
}

Result<GrammarNode> SchemaReader::object(const Json& schema, const std::string& pointer,
                                         int depth) {
  CAIRN_ASSIGN(const std::vector<std::string> names, required(schema, pointer));
  const bool lists = schema.contains("properties");
  const Json properties = lists ? schema["properties"] : Json::object();
  if (!properties.is_object()) {
    return wrong_value(pointer, "properties", "an object of schemas");
  }
  std::optional<GrammarNode> others;
  if (schema.contains("additionalProperties")) {
    CAIRN_ASSIGN(others, this->schema(schema["additionalProperties"],
                                      pointer + "/additionalProperties", depth + 1));
  } else if (!lists) {
    others = grammar_.any();
  }
  std::vector<GrammarMember> members;
  for (const auto& [name, value] : properties.items()) {
    CAIRN_ASSIGN(const GrammarNode node,
                 this->schema(value, pointer + "/properties/" + escaped(name), depth + 1));
    members.push_back({.name = name, .value = node});
  }
  for (const std::string& name : names) {
    auto member = std::ranges::find(members, name, &GrammarMember::name);
    if (member == members.end()) {
      members.push_back({.name = name, .value = others ? *others : grammar_.any()});
      member = members.end() - 1;
    }
    member->required = true;
  }
  return grammar_.object(std::move(members), others);
}

Result<GrammarNode> SchemaReader::array(const Json& schema, const std::string& pointer, int depth) {
  std::array<std::uint32_t, 2> bounds = {0, kItemsAny};
  constexpr std::array<const char*, 2> kBounds = {"minItems", "maxItems"};
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    const auto found = schema.find(kBounds[i]);
    if (found == schema.end()) continue;
    const bool whole = is_of_type(*found, "integer") && found->get<double>() >= 0 &&
                       found->get<double>() < static_cast<double>(kItemsAny);
    if (!whole) return wrong_value(pointer, kBounds[i], "a whole number of at least 0");
    bounds[i] = static_cast<std::uint32_t>(found->get<double>());
  }
  GrammarNode items = 0;
  if (schema.contains("items")) {
    CAIRN_ASSIGN(items, this->schema(schema["items"], pointer + "/items", depth + 1));
  } else {
    items = grammar_.any();
  }
  return grammar_.array(items, bounds[0], bounds[1]);
}

}  // namespace

Result<GrammarNode> add_json_schema(Grammar& grammar, const Json& schema) {
  const std::size_t bytes = line_of(schema).size();
  if (bytes > kSchemaBytesMax) {
    return wrong("#", fmt::format("the schema has {} bytes; at most {} are accepted", bytes,
                                  kSchemaBytesMax));
  }
  return SchemaReader(grammar, schema).read();
}

}  // namespace cairn::engine
