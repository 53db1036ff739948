#include "evidence/bench/sse.h"

#include <algorithm>
#include <array>

namespace cairn::evidence {
namespace {

constexpr std::size_t kEventBytesMax = 16U << 20U;
/// What OpenAI's interface ends with; chunks view these.
constexpr std::array<std::string_view, 4> kFinishReasons = {"stop", "length", "tool_calls",
                                                            "content_filter"};

std::string_view finish_word(const std::string& reason) {
  const auto* const found = std::ranges::find(kFinishReasons, reason);
  return found == kFinishReasons.end() ? "other" : *found;
}

/// A member that is a whole number; nothing for any other.
std::optional<std::int64_t> count_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

/// A member's text; empty for any other kind.
std::string said_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

void SseReader::feed(std::string_view bytes, double at_ms) {
  while (!bytes.empty() && error_.empty()) {
    const std::size_t end = bytes.find('\n');
    line_ += bytes.substr(0, end);
    if (line_.size() + event_.size() > kEventBytesMax) {
      error_ = "an event of more than 16 MiB";
      return;
    }
    if (end == std::string_view::npos) return;
    bytes.remove_prefix(end + 1);
    if (line_.ends_with('\r')) line_.pop_back();
    take_line(line_, at_ms);
    line_.clear();
  }
}

void SseReader::take_line(std::string_view line, double at_ms) {
  constexpr std::string_view kData = "data:";
  if (line.empty()) {
    take_event(at_ms);
  } else if (line.starts_with(kData)) {
    line.remove_prefix(kData.size());
    if (line.starts_with(' ')) line.remove_prefix(1);
    if (has_data_) event_ += '\n';
    event_ += line;
    has_data_ = true;
  }
}

void SseReader::take_event(double at_ms) {
  const std::string data = std::move(event_);
  event_.clear();
  if (!has_data_) return;
  has_data_ = false;
  if (data == "[DONE]") {
    done_ = true;
    return;
  }
  const Result<Json> event = parse_json(data);
  if (event.ok() && event->is_object()) {
    take_json(*event, at_ms);
  } else {
    error_ = "an event that is no JSON object: " + data.substr(0, 80);
  }
}

void SseReader::take_json(const Json& event, double at_ms) {
  if (const auto said = event.find("error"); said != event.end() && !said->is_null()) {
    error_ = "the server said: " + line_of(*said).substr(0, 200);
    return;
  }
  StreamChunk chunk = {.at_milliseconds = at_ms};
  if (const auto choices = event.find("choices"); choices != event.end() && choices->is_array() &&
                                                  !choices->empty() &&
                                                  choices->front().is_object()) {
    take_choice(choices->front(), chunk);
  }
  if (const auto usage = event.find("usage"); usage != event.end() && usage->is_object()) {
    chunk.output_tokens = count_in(*usage, "completion_tokens");
    if (const auto prompt = count_in(*usage, "prompt_tokens")) prompt_tokens_ = prompt;
  }
  chunks_.push_back(chunk);
}

void SseReader::take_choice(const Json& choice, StreamChunk& chunk) {
  std::string said = said_in(choice, "text");
  if (const auto delta = choice.find("delta"); delta != choice.end() && delta->is_object()) {
    // Servers name reasoning in two ways; none sends both.
    for (const char* key : {"content", "reasoning_content", "reasoning"}) {
      said += said_in(*delta, key);
    }
  }
  chunk.has_text = !said.empty();
  text_ += said;
  const std::string reason = said_in(choice, "finish_reason");
  if (!reason.empty()) chunk.finish_reason = finish_word(reason);
}

}  // namespace cairn::evidence
