// Source: the chat template of FunctionGemma.
#include <optional>
#include <utility>

#include "server/parts/parsers.h"
#include "server/parts/step_parser.h"

namespace cairn::server {
namespace {

constexpr std::string_view kGemmaOpen = "<start_function_call>";
constexpr std::string_view kGemmaClose = "<end_function_call>";
constexpr std::string_view kQuote = "<escape>";
constexpr int kDepthMax = 32;

/// Reads {key:value,...} whose texts stand between <escape> markers.
class GemmaReader {
 public:
  explicit GemmaReader(std::string_view text) : text_(text) {}

  /// The object, or nothing where the text is none.
  std::optional<Json> read() {
    std::optional<Json> value = object(0);
    return at_ == text_.size() ? value : std::nullopt;
  }

 private:
  bool eat(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  std::optional<Json> value(int depth) {
    if (depth > kDepthMax) return std::nullopt;
    if (eat(kQuote)) {
      const std::size_t end = text_.find(kQuote, at_);
      if (end == std::string_view::npos) return std::nullopt;
      const std::string text(text_.substr(at_, end - at_));
      at_ = end + kQuote.size();
      return Json(text);
    }
    if (text_.substr(at_).starts_with('{')) return object(depth);
    if (text_.substr(at_).starts_with('[')) return list(depth);
    const std::size_t end = std::min(text_.find_first_of(",]}", at_), text_.size());
    Json word = Json::parse(text_.substr(at_, end - at_), nullptr, false);
    at_ = end;
    if (word.is_discarded()) return std::nullopt;
    return word;
  }

  std::optional<Json> object(int depth) {
    if (!eat("{")) return std::nullopt;
    Json members = Json::object();
    while (!eat("}")) {
      const std::size_t colon = text_.find(':', at_);
      if (colon == std::string_view::npos) return std::nullopt;
      const std::string key(text_.substr(at_, colon - at_));
      at_ = colon + 1;
      std::optional<Json> member = value(depth + 1);
      if (!member) return std::nullopt;
      members[key] = std::move(*member);
      if (!eat(",") && !text_.substr(at_).starts_with('}')) return std::nullopt;
    }
    return members;
  }

  std::optional<Json> list(int depth) {
    if (!eat("[")) return std::nullopt;
    Json items = Json::array();
    while (!eat("]")) {
      std::optional<Json> item = value(depth + 1);
      if (!item) return std::nullopt;
      items.push_back(std::move(*item));
      if (!eat(",") && !text_.substr(at_).starts_with(']')) return std::nullopt;
    }
    return items;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// A call is told once it is whole: its values change their spelling.
class Gemma final : public StepParser {
 protected:
  bool step(AnswerParts& out) override {
    if (!in_call_) {
      in_call_ = text_until_call(kGemmaOpen, out);
      return in_call_;
    }
    if (!held().take_until(kGemmaClose, body_)) return false;
    in_call_ = false;
    add_call(std::exchange(body_, {}), out);
    return true;
  }

  void at_end(AnswerParts& out) override {
    if (!in_call_) text().add(held().take_all(), out);
  }

 private:
  void add_call(const std::string& body, AnswerParts& out) {
    constexpr std::string_view kCall = "call:";
    const std::size_t brace = body.find('{');
    const bool named = body.starts_with(kCall) && brace != std::string::npos;
    const std::optional<Json> arguments =
        named ? GemmaReader(std::string_view(body).substr(brace)).read() : std::nullopt;
    if (!arguments) {
      text().add(std::string(kGemmaOpen) + body + std::string(kGemmaClose), out);
      return;
    }
    call().begin(body.substr(kCall.size(), brace - kCall.size()), out);
    call().add(line_of(*arguments), out);
    call().end();
  }

  bool in_call_ = false;
  std::string body_;
};

}  // namespace

std::unique_ptr<AnswerParser> make_gemma(const Json& /*tools*/) {
  return std::make_unique<Gemma>();
}

}  // namespace cairn::server
