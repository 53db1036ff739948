// Source: the chat templates of Hermes 2 Pro, Qwen 2.5 and Qwen 3.
#include "server/parts/call_form.h"
#include "server/parts/call_object.h"
#include "server/parts/parsers.h"

namespace cairn::server {
namespace {

constexpr std::string_view kHermesOpen = "<tool_call>";
constexpr std::string_view kHermesClose = "</tool_call>";

class Hermes final : public StepParser {
 protected:
  bool step(AnswerParts& out) override {
    switch (place_) {
      case Place::kText:
        return step_text(out);
      case Place::kObject:
        return step_object(out);
      case Place::kAfter:
        return step_after();
      case Place::kLost:
        break;
    }
    std::string lost;
    if (!held().take_until(kHermesClose, lost)) return false;
    place_ = Place::kText;
    return true;
  }

  void at_end(AnswerParts& out) override {
    if (place_ == Place::kText) text().add(held().take_all(), out);
    if (place_ != Place::kObject || object_.begun()) return;
    text().add(std::string(kHermesOpen) + object_.raw() + held().take_all(), out);
  }

 private:
  enum class Place : std::uint8_t { kText, kObject, kAfter, kLost };

  bool step_text(AnswerParts& out) {
    std::string before;
    const bool found = held().take_until(kHermesOpen, before);
    text().add(before, out);
    if (!found) return false;
    object_ = CallObject(ArgumentsAre::kOptional);
    place_ = Place::kObject;
    return true;
  }

  bool step_object(AnswerParts& out) {
    if (object_.raw().empty() && !object_.begun()) {
      if (!held().drop_blanks()) return false;
      if (held().view().front() != '{') {
        text().add(kHermesOpen, out);
        place_ = Place::kText;
        return true;
      }
    }
    held().drop(object_.feed(held().view(), call(), out));
    if (object_.begun()) text().at_call();
    switch (object_.state()) {
      case CallObject::State::kMore:
        return false;
      case CallObject::State::kDone:
        place_ = Place::kAfter;
        return true;
      case CallObject::State::kNoCall:
        text().add(std::string(kHermesOpen) + object_.raw(), out);
        place_ = Place::kText;
        return true;
      case CallObject::State::kBroken:
        place_ = Place::kLost;
        return true;
    }
    return false;
  }

  /// The closing marker, which some answers leave out.
  bool step_after() {
    if (!held().drop_optional(kHermesClose)) return false;
    place_ = Place::kText;
    return true;
  }

  Place place_ = Place::kText;
  CallObject object_ = CallObject(ArgumentsAre::kOptional);
};

}  // namespace

Result<runtime::GrammarNode> hermes_form(const CallForm& form) {
  CAIRN_ASSIGN(const runtime::GrammarNode one,
               one_call(form, {{.before_name = {"\n{\"name\": \""},
                                .after_name = {"\", \"arguments\": "},
                                .after_arguments = {"}\n", kHermesClose}}}));
  return marked_calls(form, {.open = kHermesOpen, .separator = "\n"}, one);
}

std::unique_ptr<AnswerParser> make_hermes(const Json& /*tools*/) {
  return std::make_unique<Hermes>();
}

}  // namespace cairn::server
