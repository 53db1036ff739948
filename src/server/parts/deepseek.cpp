// Source: the chat templates of DeepSeek V3, R1-0528 and V3.1.
#include <array>
#include <utility>

#include "server/parts/call_form.h"
#include "server/parts/call_object.h"
#include "server/parts/parsers.h"

namespace cairn::server {
namespace {

constexpr std::string_view kCallsEnd = "<｜tool▁calls▁end｜>";
constexpr std::string_view kDeepSeekCall = "<｜tool▁call▁begin｜>";
constexpr std::string_view kSeparator = "<｜tool▁sep｜>";
constexpr std::string_view kCallEnd = "<｜tool▁call▁end｜>";
constexpr std::array<std::string_view, 3> kTextEnds = {"<｜tool▁calls▁begin｜>", kDeepSeekCall,
                                                       kCallsEnd};

class DeepSeek final : public StepParser {
 protected:
  bool step(AnswerParts& out) override {
    switch (place_) {
      case Place::kText:
        return step_text(out);
      case Place::kHead:
        return step_head(out);
      case Place::kNameLine:
        return step_name_line(out);
      case Place::kFence:
        return step_fence();
      case Place::kArguments:
        if (!arguments_.take(held(), call(), out)) return false;
        place_ = Place::kAfter;
        return true;
      case Place::kAfter:
        break;
    }
    std::string rest;  // the end of the fence
    if (!held().take_until(kCallEnd, rest)) return false;
    place_ = Place::kText;
    return true;
  }

  void at_end(AnswerParts& out) override {
    if (place_ == Place::kText) text().add(held().take_all(), out);
    if (place_ == Place::kHead) text().add(head_ + held().take_all(), out);
  }

 private:
  enum class Place : std::uint8_t { kText, kHead, kNameLine, kFence, kArguments, kAfter };

  bool step_text(AnswerParts& out) {
    const std::optional<std::size_t> marker = text_until_call(kTextEnds, out);
    if (!marker) return false;
    head_.clear();
    if (kTextEnds[*marker] == kDeepSeekCall) place_ = Place::kHead;
    return true;
  }

  /// Either "function", and the name follows, or the name itself.
  bool step_head(AnswerParts& out) {
    if (!held().take_until(kSeparator, head_)) return false;
    if (head_ == "function") {
      head_.clear();
      place_ = Place::kNameLine;
      return true;
    }
    return begin_call(Place::kArguments, out);
  }

  bool step_name_line(AnswerParts& out) {
    if (!held().take_until("\n", head_)) return false;
    return begin_call(Place::kFence, out);
  }

  /// "```json" in front of the arguments.
  bool step_fence() {
    if (!held().drop_optional("```json")) return false;
    place_ = Place::kArguments;
    return true;
  }

  bool begin_call(Place next, AnswerParts& out) {
    call().begin(std::exchange(head_, {}), out);
    arguments_ = {};
    place_ = next;
    return true;
  }

  Place place_ = Place::kText;
  std::string head_;
  CallArguments arguments_;
};

}  // namespace

/// V3 and R1 write the word "function" and a fence, V3.1 neither.
Result<runtime::GrammarNode> deepseek_form(const CallForm& form) {
  CAIRN_ASSIGN(const runtime::GrammarNode one,
               one_call(form, {{.before_name = {"function", kSeparator},
                                .after_name = {"\n```json\n"},
                                .after_arguments = {"\n```", kCallEnd}},
                               {.after_name = {kSeparator}, .after_arguments = {kCallEnd}}}));
  return marked_calls(
      form,
      {.lead = kTextEnds.front(), .open = kDeepSeekCall, .separator = "\n", .tail = kCallsEnd},
      one);
}

std::unique_ptr<AnswerParser> make_deepseek(const Json& /*tools*/) {
  return std::make_unique<DeepSeek>();
}

}  // namespace cairn::server
