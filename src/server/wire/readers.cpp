#include "server/wire/readers.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "base/utf8.h"
#include "server/wire/reading.h"

namespace cairn::server {
namespace {

// Whole numbers up to here are exact as doubles.
constexpr double kExactMax = 9007199254740992.0;
constexpr std::int64_t kTokenIdMax = 2147483647;
constexpr std::size_t kShownBytesMax = 60;

std::string range_words(const Field& field) {
  const bool low = std::isfinite(field.min);
  const bool high = std::isfinite(field.max);
  if (low && high) return fmt::format(" from {} to {}", field.min, field.max);
  if (low) return fmt::format(" of at least {}", field.min);
  return high ? fmt::format(" of at most {}", field.max) : std::string();
}

std::optional<std::int64_t> whole_number(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return {};
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const auto number = value.get<double>();
  if (std::trunc(number) != number || std::abs(number) > kExactMax) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

bool in_range(const Field& field, double number) {
  return number >= field.min && number <= field.max;
}

std::string at(std::size_t index) { return fmt::format("[{}]", index); }

Fault check_text(const Json& text, std::string path) {
  if (!text.is_string()) return wrong(text, "a text", std::move(path));
  const std::size_t bytes = text.get_ref<const std::string&>().size();
  if (bytes == 0) return fault("an empty text stands here, which would match everywhere", path);
  if (bytes > kTextBytesMax) {
    return fault(fmt::format("a text of {} bytes; at most {} are accepted", bytes, kTextBytesMax),
                 std::move(path));
  }
  return std::nullopt;
}

}  // namespace

std::string shown(const Json& value) {
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  if (value.is_object()) return fmt::format("an object of {}", value.size());
  std::string text = line_of(value);
  if (text.size() > kShownBytesMax) {
    text.resize(kShownBytesMax);
    text.resize(text.size() - incomplete_utf8_suffix(text));
    text += "…";
  }
  return text;
}

Fault read_value(const Field& /*field*/, const Json& value, std::optional<bool>& out) {
  if (!value.is_boolean()) return wrong(value, "true or false");
  out = value.get<bool>();
  return std::nullopt;
}

Fault read_value(const Field& field, const Json& value, std::optional<std::int64_t>& out) {
  const std::optional<std::int64_t> number = whole_number(value);
  if (!number.has_value() || !in_range(field, static_cast<double>(*number))) {
    return wrong(value, "a whole number" + range_words(field));
  }
  out = number;
  return std::nullopt;
}

Fault read_value(const Field& field, const Json& value, std::optional<double>& out) {
  if (!value.is_number() || !std::isfinite(value.get<double>()) ||
      !in_range(field, value.get<double>())) {
    return wrong(value, "a number" + range_words(field));
  }
  out = value.get<double>();
  return std::nullopt;
}

Fault read_value(const Field& /*field*/, const Json& value, std::optional<std::string>& out) {
  if (!value.is_string()) return wrong(value, "a text");
  out = value.get<std::string>();
  return std::nullopt;
}

Fault read_value(const Field& field, const Json& value, std::vector<std::string>& out) {
  if (value.is_string() && field.shape == Shape::kTextOrTexts) {
    if (Fault bad = check_text(value, {})) return bad;
    out = {value.get<std::string>()};
    return std::nullopt;
  }
  if (!value.is_array()) {
    return wrong(value, field.shape == Shape::kTextOrTexts ? "a text or an array of texts"
                                                           : "an array of texts");
  }
  if (value.size() > kTextsMax) {
    return fault(fmt::format("{} texts; at most {} are accepted", value.size(), kTextsMax));
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (Fault bad = check_text(value[i], at(i))) return bad;
    out.push_back(value[i].get<std::string>());
  }
  return std::nullopt;
}

std::optional<std::int64_t> token_id(const Json& value) {
  const std::optional<std::int64_t> id = whole_number(value);
  return id.has_value() && *id >= 0 && *id <= kTokenIdMax ? id : std::nullopt;
}

Fault read_value(const Field& /*field*/, const Json& value, std::vector<std::int64_t>& out) {
  if (!value.is_array()) return wrong(value, "an array of token ids");
  if (value.size() > kIdsMax) {
    return fault(fmt::format("{} ids; at most {} are accepted", value.size(), kIdsMax));
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::optional<std::int64_t> id = token_id(value[i]);
    if (!id.has_value()) return wrong(value[i], "a token id, 0 to 2147483647", at(i));
    out.push_back(*id);
  }
  return std::nullopt;
}

Fault read_value(const Field& field, const Json& value,
                 std::optional<std::vector<std::int64_t>>& out) {
  out.emplace();
  if (Fault bad = read_value(field, value, *out)) return bad;
  if (out->empty()) return fault("an empty list would allow nothing");
  return std::nullopt;
}

Fault read_value(const Field& field, const Json& value, Json& out) {
  const bool array = field.shape == Shape::kObjects;
  if (array ? !value.is_array() : !value.is_object()) {
    return wrong(value, array ? "an array of objects" : "an object");
  }
  for (std::size_t i = 0; array && i < value.size(); ++i) {
    if (!value[i].is_object()) return wrong(value[i], "an object", at(i));
  }
  out = value;
  return std::nullopt;
}

Fault read_logit_bias(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  constexpr double kBiasMax = 100;
  if (!value.is_object() && !value.is_array()) {
    return wrong(value, "an object from token ids to numbers, or an array of pairs");
  }
  if (value.size() > kIdsMax) {
    return fault(fmt::format("{} ids; at most {} are accepted", value.size(), kIdsMax));
  }
  const auto add = [&](const Json& id_value, const Json& bias, const std::string& path) -> Fault {
    const std::optional<std::int64_t> id = token_id(id_value);
    if (!id.has_value()) return wrong(id_value, "a token id, 0 to 2147483647", path);
    // llama.cpp's false: never.
    const double number = bias.is_boolean() && !bias.get<bool>()
                              ? -std::numeric_limits<double>::infinity()
                              : (bias.is_number() ? bias.get<double>() : std::nan(""));
    if (std::isnan(number) || (std::isfinite(number) && std::abs(number) > kBiasMax)) {
      return wrong(bias, "a number from -100 to 100, or false", path);
    }
    request.logit_bias.emplace_back(*id, number);
    return std::nullopt;
  };
  for (const auto& [key, bias] : value.items()) {
    Fault bad;
    if (value.is_array()) {
      const std::string path = "[" + key + "]";
      if (!bias.is_array() || bias.size() != 2) return wrong(bias, "a pair of id and bias", path);
      bad = add(bias[0], bias[1], path);
    } else {
      const Json id = Json::parse(key, nullptr, false);
      bad = add(id.is_discarded() ? Json(key) : id, bias, "[\"" + key + "\"]");
    }
    if (bad) return bad;
  }
  return std::nullopt;
}

Fault read_stream_options(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  if (!value.is_object()) return wrong(value, "an object");
  for (const auto& [key, member] : value.items()) {
    const bool usage = key == "include_usage";
    if (!usage && key != "continuous_usage_stats") {
      if (key == "include_obfuscation") continue;  // padding against listeners; TLS is ours
      return fault("the members are include_usage and continuous_usage_stats", "." + key);
    }
    if (member.is_null()) continue;
    if (!member.is_boolean()) return wrong(member, "true or false", "." + key);
    (usage ? request.include_usage : request.continuous_usage_stats) = member.get<bool>();
  }
  return std::nullopt;
}

Fault read_chat_logprobs(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  if (!value.is_boolean()) return wrong(value, "true or false");
  if (value.get<bool>()) request.logprobs = 0;
  return std::nullopt;
}

Fault read_n_predict(const Field& field, const Json& value, GenerationRequest& request) {
  std::optional<std::int64_t> number;
  if (Fault bad = read_value(field, value, number)) return bad;
  if (*number == 0) return wrong(value, "-1, or a whole number of at least 1");
  if (*number > 0) request.max_tokens = number;
  return std::nullopt;
}

Fault read_text_prompt(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  if (!value.is_string()) return wrong(value, "a text");
  request.prompts = {value.get<std::string>()};
  return std::nullopt;
}

Fault read_cache_salt(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  constexpr std::size_t kSaltBytesMax = 128;
  if (!value.is_string()) return wrong(value, "a text");
  const auto& text = value.get_ref<const std::string&>();
  if (text.empty() || text.size() > kSaltBytesMax ||
      text.find_first_of(std::string_view("@/\\\0", 4)) != std::string::npos) {
    return wrong(value, "1 to 128 bytes without @, /, backslash and NUL");
  }
  request.cache_salt = text;
  return std::nullopt;
}

Fault read_reasoning_effort(const Field& /*field*/, const Json& value, GenerationRequest& request) {
  constexpr std::array<std::string_view, 7> kWords = {"none", "minimal", "low", "medium",
                                                      "high", "xhigh",   "max"};
  for (const std::string_view word : kWords) {
    if (value == word) request.reasoning_effort = word;
  }
  if (request.reasoning_effort.has_value()) return std::nullopt;
  return wrong(value, "none, minimal, low, medium, high, xhigh or max");
}

}  // namespace cairn::server
