#include "tokenizer/template/text.h"

#include <algorithm>
#include <utility>

namespace cairn::tokenizer::jinja {

Charge::Charge(Charge&& other) noexcept
    : meter_(std::exchange(other.meter_, nullptr)), bytes_(other.bytes_) {}

Charge& Charge::operator=(Charge&& other) noexcept {
  std::swap(meter_, other.meter_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Charge::~Charge() {
  if (meter_ != nullptr) meter_->give(bytes_);
}

void TextBuilder::mark(std::size_t begin, std::size_t end) {
  if (begin == end) return;
  if (!input_.empty() && input_.back().end == begin) {
    input_.back().end = end;
  } else {
    input_.push_back({.begin = begin, .end = end});
  }
}

void TextBuilder::add_input(std::string_view bytes) {
  mark(bytes_.size(), bytes_.size() + bytes.size());
  bytes_ += bytes;
}

void TextBuilder::add_part(const Text& text, std::size_t begin, std::size_t end) {
  const std::size_t offset = bytes_.size();
  bytes_.append(text.bytes, begin, end - begin);
  auto span = std::lower_bound(text.input.begin(), text.input.end(), begin,
                               [](const TextSpan& s, std::size_t at) { return s.end <= at; });
  for (; span != text.input.end() && span->begin < end; ++span) {
    mark(offset + std::max(span->begin, begin) - begin, offset + std::min(span->end, end) - begin);
  }
}

void TextBuilder::add_made(const Text& origin, std::string_view bytes) {
  if (origin.input.empty()) {
    add(bytes);
  } else {
    add_input(bytes);
  }
}

}  // namespace cairn::tokenizer::jinja
