#include "server/wire/strict_json.h"

#include <set>
#include <string>
#include <vector>

namespace cairn::server {
namespace {

/// The keys of the objects that are being read; what is wrong with one leaves it out of its object.
class KeyWatch {
 public:
  bool take(Json::parse_event_t event, const Json& value) {
    using Event = Json::parse_event_t;
    if (!fault_.empty()) return false;
    if (event == Event::object_start) open_.emplace_back();
    if (event == Event::object_end) open_.pop_back();
    if (event != Event::key) return true;
    const auto& key = value.get_ref<const std::string&>();
    if (open_.back().size() >= kJsonKeysMax) {
      fault_ = "an object has more than " + std::to_string(kJsonKeysMax) + " keys";
    } else if (!open_.back().insert(key).second) {
      fault_ = "the key " + line_of(value) + " stands twice in one object";
    }
    return fault_.empty();
  }
  const std::string& fault() const { return fault_; }

 private:
  std::vector<std::set<std::string>> open_;
  std::string fault_;
};

/// Looked at before parsing, whose memory grows with the depth. Right for valid texts; others fail
/// to parse anyway.
bool nests_deeper(std::string_view text, int depth_max) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size() && depth <= depth_max; ++at) {
    const char c = text[at];
    if (in_string && c == '\\') ++at;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
  }
  return depth > depth_max;
}

/// nlohmann's message without its "[json.exception...] " head.
std::string plain_message(const std::exception& error) {
  const std::string_view message = error.what();
  const std::size_t head = message.find("] ");
  return std::string(head == std::string_view::npos ? message : message.substr(head + 2));
}

}  // namespace

Result<Json> parse_strict_json(std::string_view text, int depth_max) {
  if (nests_deeper(text, depth_max)) {
    return invalid_argument("JSON: arrays and objects are nested deeper than " +
                            std::to_string(depth_max) + ", which is the most accepted");
  }
  KeyWatch watch;
  try {
    Json value = Json::parse(text, [&](int /*depth*/, Json::parse_event_t event, Json& parsed) {
      return watch.take(event, parsed);
    });
    if (!watch.fault().empty()) return invalid_argument("JSON: " + watch.fault());
    return value;
  } catch (const Json::exception& error) {
    return invalid_argument("JSON: " + plain_message(error));
  }
}

}  // namespace cairn::server
