#include "server/parts/step_parser.h"

#include <utility>

namespace cairn::server {

void CallWriter::begin(std::string name, AnswerParts& out) {
  out.calls.push_back({.index = begun_++, .name = std::move(name)});
}

void CallWriter::add(std::string_view arguments, AnswerParts& out) {
  if (arguments.empty()) return;
  const std::uint64_t index = begun_ - 1;
  if (out.calls.empty() || out.calls.back().index != index) out.calls.push_back({.index = index});
  out.calls.back().arguments += arguments;
}

void TextWriter::add(std::string_view text, AnswerParts& out) {
  constexpr std::string_view kBlanks = " \t\r\n";
  if (skips_) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return;
    text.remove_prefix(first);
    skips_ = false;
  }
  const std::size_t last = text.find_last_not_of(kBlanks);
  const std::size_t shown = last == std::string_view::npos ? 0 : last + 1;
  if (shown > 0) out.text += std::exchange(blanks_, {});
  out.text += text.substr(0, shown);
  blanks_ += text.substr(shown);
}

void TextWriter::at_call() {
  blanks_.clear();
  skips_ = true;
  any_call_ = true;
}

void TextWriter::finish(AnswerParts& out) {
  if (!any_call_) out.text += blanks_;
  blanks_.clear();
}

std::optional<std::size_t> StepParser::text_until_call(std::span<const std::string_view> markers,
                                                       AnswerParts& out) {
  std::string before;
  const std::optional<std::size_t> marker = held_.take_until(markers, before);
  text_.add(before, out);
  if (marker) text_.at_call();
  return marker;
}

bool StepParser::text_until_call(std::string_view marker, AnswerParts& out) {
  return text_until_call({&marker, 1}, out).has_value();
}

}  // namespace cairn::server
