// Source: mistral-common, instruct tokenizers V3 to V13.
#include <array>
#include <utility>

#include "server/parts/call_form.h"
#include "server/parts/call_object.h"
#include "server/parts/parsers.h"

namespace cairn::server {
namespace {

constexpr std::string_view kCalls = "[TOOL_CALLS]";
constexpr std::array<std::string_view, 2> kNameEnds = {"[ARGS]", "[CALL_ID]"};

class Mistral final : public StepParser {
 protected:
  bool step(AnswerParts& out) override {
    switch (place_) {
      case Place::kText:
        return step_text(out);
      case Place::kHead:
        return step_head();
      case Place::kObject:
        return step_object(out);
      case Place::kBetween:
        return step_between();
      case Place::kName:
        return step_name(out);
      case Place::kId:
        return step_id(out);
      case Place::kArguments:
        return step_arguments(out);
    }
    return false;
  }

  void at_end(AnswerParts& out) override {
    if (place_ == Place::kText) text().add(held().take_all(), out);
    if (place_ == Place::kObject && !object_.begun()) {
      text().add(std::string(kCalls) + object_.raw(), out);
    }
    if (place_ == Place::kName) text().add(std::string(kCalls) + name_ + held().take_all(), out);
  }

 private:
  enum class Place : std::uint8_t { kText, kHead, kObject, kBetween, kName, kId, kArguments };

  bool go(Place place) {
    place_ = place;
    return true;
  }

  bool step_text(AnswerParts& out) {
    if (!text_until_call(kCalls, out)) return false;
    return go(Place::kHead);
  }

  bool step_head() {
    if (!held().drop_blanks()) return false;
    const char c = held().view().front();
    name_.clear();
    if (c != '[' && c != '{') return go(Place::kName);
    if (c == '[') held().drop(1);
    object_ = CallObject(ArgumentsAre::kOptional);
    return go(Place::kObject);
  }

  bool step_object(AnswerParts& out) {
    if (object_.raw().empty() && !object_.begun() && !held().drop_blanks()) return false;
    held().drop(object_.feed(held().view(), call(), out));
    if (object_.state() == CallObject::State::kMore) return false;
    if (object_.state() == CallObject::State::kDone) return go(Place::kBetween);
    if (object_.state() == CallObject::State::kNoCall) {
      text().add(std::string(kCalls) + object_.raw(), out);
    }
    return go(Place::kText);
  }

  bool step_between() {
    if (!held().drop_blanks()) return false;
    const char c = held().view().front();
    if (c == ',' || c == ']') held().drop(1);
    if (c != ',') return go(Place::kText);
    object_ = CallObject(ArgumentsAre::kOptional);
    return go(Place::kObject);
  }

  bool step_name(AnswerParts& out) {
    const std::optional<std::size_t> end = held().take_until(kNameEnds, name_);
    if (!end) return false;
    if (*end == 1) return go(Place::kId);
    return begin_arguments(out);
  }

  /// The model's own id of the call, which is given anew.
  bool step_id(AnswerParts& out) {
    std::string id;
    if (!held().take_until(kNameEnds.front(), id)) return false;
    return begin_arguments(out);
  }

  bool begin_arguments(AnswerParts& out) {
    call().begin(std::exchange(name_, {}), out);
    arguments_ = {};
    return go(Place::kArguments);
  }

  bool step_arguments(AnswerParts& out) {
    if (!arguments_.take(held(), call(), out)) return false;
    return go(Place::kText);
  }

  Place place_ = Place::kText;
  std::string name_;
  CallObject object_ = CallObject(ArgumentsAre::kOptional);
  CallArguments arguments_;
};

}  // namespace

/// Older models write a list of objects, newer ones a name and arguments behind each marker.
Result<runtime::GrammarNode> mistral_form(const CallForm& form) {
  CAIRN_ASSIGN(const runtime::GrammarNode object,
               one_call(form, {{.before_name = {"{\"name\": \""},
                                .after_name = {"\", \"arguments\": "},
                                .after_arguments = {"}"}}}));
  CAIRN_ASSIGN(const runtime::GrammarNode named, one_call(form, {{.after_name = {"[ARGS]"}}}));
  runtime::Grammar& grammar = form.grammar;
  const runtime::GrammarNode list =
      grammar.sequence({grammar.choice({grammar.literal("["), grammar.literal(" [")}),
                        calls_after(form, object, grammar.literal(", ")), grammar.literal("]")});
  return marked_calls(form, {.open = kCalls}, grammar.choice({list, named}));
}

std::unique_ptr<AnswerParser> make_mistral(const Json& /*tools*/) {
  return std::make_unique<Mistral>();
}

}  // namespace cairn::server
