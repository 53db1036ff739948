#include "base/json.h"

#include <cstddef>
#include <string>

namespace cairn {
namespace {

/// The byte where nesting first exceeds `depth_max`, or npos. Right for valid texts; others fail to
/// parse anyway.
std::size_t find_too_deep(std::string_view text, int depth_max) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > depth_max) return at;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return std::string_view::npos;
}

/// nlohmann's message without its "[json.exception...] " head.
std::string plain_message(const std::exception& error) {
  const std::string_view message = error.what();
  const std::size_t head = message.find("] ");
  return std::string(head == std::string_view::npos ? message : message.substr(head + 2));
}

}  // namespace

Result<Json> parse_json(std::string_view text, int depth_max) {
  return parse_json(text, depth_max, nullptr);
}

Result<Json> parse_json(std::string_view text, int depth_max, const Json::parser_callback_t& keep) {
  const std::size_t too_deep = find_too_deep(text, depth_max);
  if (too_deep != std::string_view::npos) {
    return invalid_argument("JSON: at byte " + std::to_string(too_deep) +
                            " arrays and objects are nested deeper than " +
                            std::to_string(depth_max) + ", which is the most accepted");
  }
  try {
    return Json::parse(text, keep);
  } catch (const Json::exception& error) {
    return invalid_argument("JSON: " + plain_message(error));
  }
}

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cairn
