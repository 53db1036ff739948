#include "tokenizer/template/from_json.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "tokenizer/template/operators.h"

namespace cairn::tokenizer::jinja {
namespace {

enum class Source : std::uint8_t { kInput, kTrusted };

class Converter {
 public:
  explicit Converter(Run& run) : run_(run) {}

  Value value(const Json& json, Source source) {
    switch (json.type()) {
      case Json::value_t::boolean:
        return Value(json.get<bool>());
      case Json::value_t::number_integer:
        return Value(Int{json.get<std::int64_t>()});
      case Json::value_t::number_unsigned:
        return Value(Int{json.get<std::uint64_t>()});
      case Json::value_t::number_float:
        return Value(json.get<double>());
      case Json::value_t::string:
        return text(json.get_ref<const std::string&>(), source);
      case Json::value_t::array:
        return array(json, source);
      case Json::value_t::object:
        return object(json, source);
      default:
        return Value(NoneTag());
    }
  }

  /// One message: its role is no input when it is a known one.
  Value message(const Json& json) {
    const auto& roles = run_.options().trusted_roles;
    if (!json.is_object()) return value(json, Source::kInput);
    std::vector<Entry> entries;
    for (const auto& [key, item] : json.items()) {
      const bool known =
          key == "role" && item.is_string() &&
          std::find(roles.begin(), roles.end(), item.get_ref<const std::string&>()) != roles.end();
      entries.push_back({.key = text(key, Source::kInput),
                         .value = value(item, known ? Source::kTrusted : Source::kInput)});
    }
    return run_.dict(std::move(entries));
  }

  Value messages(const Json& json) {
    std::vector<Value> items;
    for (const Json& item : json) items.push_back(message(item));
    return run_.list(std::move(items));
  }

 private:
  // Below the values' own bound, so that a template can still wrap what it is given.
  static constexpr unsigned kDepthMax = kValueDepthMax - 50;

  Value text(const std::string& bytes, Source source) {
    if (replace_invalid_utf8(bytes) != bytes) {
      return run_.fail("a string of the context is not valid UTF-8");
    }
    TextBuilder out;
    if (source == Source::kInput) {
      out.add_input(bytes);
    } else {
      out.add(bytes);
    }
    return run_.text(std::move(out));
  }

  bool deeper() {
    if (depth_ < kDepthMax) return true;
    run_.refuse("the context nests too deeply");
    return false;
  }

  Value array(const Json& json, Source source) {
    if (!deeper()) return run_.fail("");
    ++depth_;
    std::vector<Value> items;
    items.reserve(json.size());
    for (const Json& item : json) items.push_back(value(item, source));
    --depth_;
    return run_.list(std::move(items));
  }

  Value object(const Json& json, Source source) {
    if (!deeper()) return run_.fail("");
    ++depth_;
    std::vector<Entry> entries;
    entries.reserve(json.size());
    for (const auto& [key, item] : json.items()) {
      entries.push_back({.key = text(key, source), .value = value(item, source)});
    }
    --depth_;
    return run_.dict(std::move(entries));
  }

  Run& run_;
  unsigned depth_ = 0;
};

}  // namespace

Value context_from_json(Run& run, const Json& context) {
  if (!context.is_object()) return run.fail("the context must be an object");
  const auto& trusted = run.options().trusted_keys;
  Converter converter(run);
  std::vector<Entry> entries;
  for (const auto& [key, item] : context.items()) {
    const bool own = std::find(trusted.begin(), trusted.end(), key) != trusted.end();
    Value value = key == "messages" && item.is_array()
                      ? converter.messages(item)
                      : converter.value(item, own ? Source::kTrusted : Source::kInput);
    entries.push_back({.key = run.text(key), .value = std::move(value)});
  }
  return run.dict(std::move(entries));
}

}  // namespace cairn::tokenizer::jinja
