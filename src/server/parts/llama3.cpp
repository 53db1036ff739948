// Source: the chat templates of Llama 3.1 to 3.3.
#include "server/parts/call_form.h"
#include "server/parts/call_object.h"
#include "server/parts/parsers.h"

namespace cairn::server {
namespace {

constexpr std::string_view kTag = "<|python_tag|>";

class Llama3 final : public StepParser {
 protected:
  bool step(AnswerParts& out) override {
    switch (place_) {
      case Place::kStart:
        return step_start();
      case Place::kObject:
        return step_object(out);
      case Place::kBetween:
        return step_between();
      case Place::kText:
        break;
    }
    text().add(held().take_all(), out);
    return false;
  }

  void at_end(AnswerParts& out) override {
    if (place_ == Place::kStart) text().add(held().take_all(), out);
    if (place_ == Place::kObject && !object_.begun()) text().add(object_.raw(), out);
  }

 private:
  enum class Place : std::uint8_t { kStart, kObject, kBetween, kText };

  bool begin_object() {
    object_ = CallObject(ArgumentsAre::kRequired);
    place_ = Place::kObject;
    return true;
  }

  /// Only an answer that is a call from its first letter on is one.
  bool step_start() {
    const std::size_t first = held().view().find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return false;
    if (held().view()[first] == '{') {
      held().drop(first);
      return begin_object();
    }
    const std::string_view rest = held().view().substr(first);
    if (rest.size() < kTag.size() && kTag.starts_with(rest)) return false;
    if (!rest.starts_with(kTag)) {
      place_ = Place::kText;
      return true;
    }
    held().drop(first + kTag.size());
    return true;
  }

  bool step_object(AnswerParts& out) {
    held().drop(object_.feed(held().view(), call(), out));
    if (object_.state() == CallObject::State::kMore) return false;
    if (object_.state() == CallObject::State::kNoCall) text().add(object_.raw(), out);
    if (object_.state() == CallObject::State::kDone) {
      text().at_call();
      place_ = Place::kBetween;
    } else {
      place_ = Place::kText;
    }
    return true;
  }

  bool step_between() {
    if (!held().drop_blanks()) return false;
    const char c = held().view().front();
    if (c == '{') return begin_object();
    if (c == ';' || c == ',') {
      held().drop(1);
      return true;
    }
    const std::optional<bool> tag = held().begins_with(kTag);
    if (!tag) return false;
    if (*tag) held().drop(kTag.size());
    if (!*tag) place_ = Place::kText;
    return true;
  }

  Place place_ = Place::kStart;
  CallObject object_ = CallObject(ArgumentsAre::kRequired);
};

}  // namespace

/// Only a whole answer can be a call, so that text in front of one is not possible.
Result<runtime::GrammarNode> llama3_form(const CallForm& form) {
  if (form.calls == CallsAre::kOptional) {
    return unsupported(
        "calls of this model's syntax have no marker behind which they can be kept "
        "to a schema; tool_choice required can be");
  }
  CAIRN_ASSIGN(const runtime::GrammarNode one,
               one_call(form, {{.before_name = {"{\"name\": \""},
                                .after_name = {"\", \"parameters\": "},
                                .after_arguments = {"}"}}}));
  runtime::Grammar& grammar = form.grammar;
  const runtime::GrammarNode tag = grammar.choice({grammar.literal(""), pieces(form, {kTag})});
  return grammar.sequence({tag, calls_after(form, one, grammar.literal("; "))});
}

std::unique_ptr<AnswerParser> make_llama3(const Json& /*tools*/) {
  return std::make_unique<Llama3>();
}

}  // namespace cairn::server
