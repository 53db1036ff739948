// Source: MeetKai, prompt templates 3.1 and 3.2 of Functionary.
#include <utility>

#include "server/parts/call_form.h"
#include "server/parts/call_object.h"
#include "server/parts/parsers.h"

namespace cairn::server {
namespace {

class Functionary31 final : public StepParser {
 protected:
  bool step(AnswerParts& out) override {
    switch (place_) {
      case Place::kText:
        return step_text(out);
      case Place::kName:
        if (!held().take_until(">", name_)) return false;
        call().begin(std::exchange(name_, {}), out);
        arguments_ = {};
        place_ = Place::kArguments;
        return true;
      case Place::kArguments:
        if (!arguments_.take(held(), call(), out)) return false;
        place_ = Place::kAfter;
        return true;
      case Place::kAfter:
        break;
    }
    std::string rest;
    if (!held().take_until("</function>", rest)) return false;
    place_ = Place::kText;
    return true;
  }

  void at_end(AnswerParts& out) override {
    if (place_ == Place::kText) text().add(held().take_all(), out);
    if (place_ == Place::kName) text().add(std::string(kOpen) + name_, out);
  }

 private:
  enum class Place : std::uint8_t { kText, kName, kArguments, kAfter };
  static constexpr std::string_view kOpen = "<function=";

  bool step_text(AnswerParts& out) {
    if (!text_until_call(kOpen, out)) return false;
    place_ = Place::kName;
    return true;
  }

  Place place_ = Place::kText;
  std::string name_;
  CallArguments arguments_;
};

/// The prompt ends with ">>>", so an answer begins with a recipient.
class Functionary32 final : public StepParser {
 protected:
  bool step(AnswerParts& out) override {
    if (place_ == Place::kRecipient) {
      if (!held().take_until("\n", name_)) return false;
      place_ = name_ == "all" ? Place::kText : Place::kArguments;
      if (place_ == Place::kArguments) call().begin(name_, out);
      name_.clear();
      arguments_ = {};
      return true;
    }
    if (place_ == Place::kArguments) {
      if (!arguments_.take(held(), call(), out)) return false;
      place_ = Place::kAfter;
    }
    std::string before;
    const bool found = held().take_until(">>>", before);
    if (place_ == Place::kText) text().add(before, out);
    if (!found) return false;
    text().at_call();
    place_ = Place::kRecipient;
    return true;
  }

  void at_end(AnswerParts& out) override {
    if (place_ == Place::kText) text().add(held().take_all(), out);
    if (place_ == Place::kRecipient) text().add(name_, out);
  }

 private:
  enum class Place : std::uint8_t { kRecipient, kText, kArguments, kAfter };

  Place place_ = Place::kRecipient;
  std::string name_;
  CallArguments arguments_;
};

}  // namespace

Result<runtime::GrammarNode> functionary_31_form(const CallForm& form) {
  CAIRN_ASSIGN(const runtime::GrammarNode one,
               one_call(form, {{.after_name = {">"}, .after_arguments = {"</function>"}}}));
  return marked_calls(form, {.open = "<function="}, one);
}

/// Text has a recipient too, which is all; an answer goes to it or to a tool.
Result<runtime::GrammarNode> functionary_32_form(const CallForm& form) {
  CAIRN_ASSIGN(const runtime::GrammarNode one, one_call(form, {{.after_name = {"\n"}}}));
  runtime::Grammar& grammar = form.grammar;
  const runtime::GrammarNode mark = grammar.literal(">>>");
  const runtime::GrammarNode calls = calls_after(form, one, mark);
  if (form.calls == CallsAre::kRequired) return calls;
  const runtime::GrammarNode text = grammar.sequence(
      {grammar.literal("all\n"), grammar.until(">>>", -1, runtime::MayEnd::kYes), calls});
  return grammar.choice({text, calls});
}

std::unique_ptr<AnswerParser> make_functionary_31(const Json& /*tools*/) {
  return std::make_unique<Functionary31>();
}

std::unique_ptr<AnswerParser> make_functionary_32(const Json& /*tools*/) {
  return std::make_unique<Functionary32>();
}

}  // namespace cairn::server
