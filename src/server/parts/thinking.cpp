#include <utility>

#include "server/parts/parsers.h"
#include "server/parts/step_parser.h"

namespace cairn::server {
namespace {

class Thinking final : public AnswerParser {
 public:
  Thinking(ThinkMarkers markers, Beginning beginning, std::unique_ptr<AnswerParser> inner)
      : markers_(markers),
        inner_(std::move(inner)),
        place_(beginning == Beginning::kReasoning ? Place::kInside : Place::kStart) {
    reasoning_.at_call();  // blanks around it are none of it
  }

  void push(std::string_view bytes, AnswerParts& out) override {
    held_.add(bytes);
    while (step(out)) {
    }
  }

  void finish(AnswerParts& out) override {
    if (place_ == Place::kInside) add_reasoning(held_.take_all(), out);
    if (place_ == Place::kStart) add_answer(held_.take_all(), out);
    if (inner_ != nullptr) inner_->finish(out);
  }

  std::uint64_t calls() const override { return inner_ == nullptr ? 0 : inner_->calls(); }

 private:
  enum class Place : std::uint8_t { kStart, kInside, kBetween, kAnswer };

  bool step(AnswerParts& out) {
    switch (place_) {
      case Place::kStart:
        return step_start();
      case Place::kInside: {
        std::string inside;
        const bool found = held_.take_until(markers_.close, inside);
        add_reasoning(inside, out);
        if (found) place_ = Place::kBetween;
        return found;
      }
      case Place::kBetween:
        if (!held_.drop_blanks()) return false;
        place_ = Place::kAnswer;
        return true;
      case Place::kAnswer:
        add_answer(held_.take_all(), out);
        return false;
    }
    return false;
  }

  bool step_start() {
    const std::size_t first = held_.view().find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return false;
    const std::string_view rest = held_.view().substr(first);
    if (rest.size() < markers_.open.size() && markers_.open.starts_with(rest)) return false;
    const bool opens = rest.starts_with(markers_.open);
    if (opens) held_.drop(first + markers_.open.size());
    place_ = opens ? Place::kInside : Place::kAnswer;
    return true;
  }

  void add_reasoning(std::string_view text, AnswerParts& out) {
    AnswerParts parts;
    reasoning_.add(text, parts);
    out.reasoning += parts.text;
  }

  void add_answer(std::string_view text, AnswerParts& out) {
    if (text.empty()) return;
    if (inner_ != nullptr) {
      inner_->push(text, out);
    } else {
      out.text += text;
    }
  }

  ThinkMarkers markers_;
  std::unique_ptr<AnswerParser> inner_;
  Place place_ = Place::kStart;
  HeldText held_;
  TextWriter reasoning_;
};

}  // namespace

std::unique_ptr<AnswerParser> make_thinking(ThinkMarkers markers, Beginning beginning,
                                            std::unique_ptr<AnswerParser> inner) {
  return std::make_unique<Thinking>(markers, beginning, std::move(inner));
}

}  // namespace cairn::server
