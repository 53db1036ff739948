// Source: the chat template of Qwen3-Coder.
#include <array>
#include <utility>

#include "server/parts/parsers.h"
#include "server/parts/step_parser.h"

namespace cairn::server {
namespace {

constexpr std::array<std::string_view, 2> kQwenTextEnds = {"<tool_call>", "<function="};
constexpr std::array<std::string_view, 2> kQwenBodyEnds = {"<parameter=", "</function>"};
constexpr std::array<std::string_view, 3> kQwenValueEnds = {"</parameter>",
                                                            "<parameter=", "</function>"};

class QwenCoder final : public StepParser {
 public:
  explicit QwenCoder(Json tools) : tools_(std::move(tools)) {}

 protected:
  bool step(AnswerParts& out) override {
    switch (place_) {
      case Place::kText:
        return step_text(out);
      case Place::kName:
        if (!held().take_until(">", name_)) return false;
        call().begin(name_, out);
        call().add("{", out);
        parameters_ = 0;
        place_ = Place::kBody;
        return true;
      case Place::kBody:
        return step_body(out);
      case Place::kKey:
        if (!held().take_until(">", key_)) return false;
        place_ = Place::kValue;
        return true;
      case Place::kValue:
        return step_value(out);
      case Place::kAfter:
        return step_after();
    }
    return false;
  }

  void at_end(AnswerParts& out) override {
    if (place_ == Place::kText) text().add(held().take_all(), out);
    if (place_ == Place::kName) text().add(std::string(kQwenTextEnds[1]) + name_, out);
  }

 private:
  enum class Place : std::uint8_t { kText, kName, kBody, kKey, kValue, kAfter };

  bool step_text(AnswerParts& out) {
    const std::optional<std::size_t> marker = text_until_call(kQwenTextEnds, out);
    if (!marker) return false;
    name_.clear();
    if (*marker == 1) place_ = Place::kName;
    return true;
  }

  bool step_body(AnswerParts& out) {
    std::string between;
    const std::optional<std::size_t> marker = held().take_until(kQwenBodyEnds, between);
    if (!marker) return false;
    enter(*marker == 0 ? Place::kKey : Place::kAfter, out);
    return true;
  }

  bool step_value(AnswerParts& out) {
    const std::optional<std::size_t> marker = held().take_until(kQwenValueEnds, value_);
    if (!marker) return false;
    const std::string comma = parameters_++ == 0 ? "" : ", ";
    call().add(comma + line_of(key_) + ": " + value_text(), out);
    constexpr std::array kNext = {Place::kBody, Place::kKey, Place::kAfter};
    enter(kNext[*marker], out);
    return true;
  }

  void enter(Place place, AnswerParts& out) {
    place_ = place;
    key_.clear();
    value_.clear();
    if (place != Place::kAfter) return;
    call().add("}", out);
    call().end();
  }

  bool step_after() {
    if (!held().drop_optional("</tool_call>")) return false;
    place_ = Place::kText;
    return true;
  }

  /// The type that the tool's schema gives the parameter; empty: none.
  std::string type_of_key() const {
    for (const Json& tool : tools_) {
      const Json& function = tool["function"];
      if (function["name"] != name_ || !function.contains("parameters")) continue;
      const Json::json_pointer at = Json::json_pointer("/properties") / key_ / "type";
      const Json& parameters = function["parameters"];
      const Json type = parameters.contains(at) ? parameters.at(at) : Json();
      return type.is_string() ? type.get<std::string>() : std::string();
    }
    return {};
  }

  /// The value as JSON (A28). One line's end on each side is the syntax's.
  std::string value_text() const {
    std::string value = value_;
    if (value.starts_with('\n')) value.erase(0, 1);
    if (value.ends_with('\n')) value.pop_back();
    const bool is_text = type_of_key() == "string";
    if (!is_text && Json::accept(value)) return value;
    return line_of(value);
  }

  const Json tools_;
  Place place_ = Place::kText;
  std::string name_;
  std::string key_;
  std::string value_;
  std::uint64_t parameters_ = 0;
};

}  // namespace

std::unique_ptr<AnswerParser> make_qwen_coder(const Json& tools) {
  return std::make_unique<QwenCoder>(tools);
}

}  // namespace cairn::server
