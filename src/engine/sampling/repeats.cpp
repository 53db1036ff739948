#include "engine/sampling/repeats.h"

#include <algorithm>

#include "engine/sampling/stages.h"

namespace cairn::engine {

Repeats::Repeats(const SamplingParams& params, const TokenBytes* bytes)
    : active_(has_dry(params)),
      window_max_(static_cast<std::size_t>(std::max<std::int64_t>(params.dry_window, 0))),
      allowed_(params.dry_allowed_length),
      bytes_(bytes),
      breakers_(params.dry_breakers) {}

std::string_view Repeats::bytes_of(TokenId id) const {
  return bytes_ == nullptr ? std::string_view() : bytes_->bytes(id);
}

void Repeats::accept(TokenId id) {
  if (!active_) return;
  ids_.push_back(id);
  ++unbroken_;
  if (breakers_.push(bytes_of(id))) unbroken_ = 0;
}

/// lengths_[k]: how many tokens at the window's end also end k tokens before it.
void Repeats::measure(std::span<const TokenId> window) {
  const std::size_t size = window.size();
  const auto back = [&](std::size_t i) { return window[size - 1 - i]; };
  lengths_.assign(size, 0);
  std::size_t begin = 0;  // of the match that reaches furthest, and its end
  std::size_t end = 0;
  for (std::size_t k = 1; k < size; ++k) {
    std::size_t length = k < end ? std::min(lengths_[k - begin], end - k) : 0;
    while (k + length < size && back(length) == back(k + length)) ++length;
    lengths_[k] = length;
    if (k + length <= end) continue;
    begin = k;
    end = k + length;
  }
}

std::span<const Repeat> Repeats::find() {
  found_.clear();
  std::size_t size = ids_.size();
  if (window_max_ > 0) size = std::min(size, window_max_);
  const std::size_t longest = std::min(size, unbroken_);
  if (static_cast<std::int64_t>(longest) < allowed_) return found_;
  const std::span<const TokenId> window = std::span<const TokenId>(ids_).last(size);
  measure(window);
  for (std::size_t k = 1; k < size; ++k) {
    const auto length = static_cast<std::int64_t>(std::min(lengths_[k], longest));
    if (length >= allowed_) found_.push_back({.id = window[size - k], .length = length});
  }
  std::ranges::sort(found_, [](const Repeat& a, const Repeat& b) {
    return a.id != b.id ? a.id < b.id : a.length > b.length;
  });
  const auto same = std::ranges::unique(found_, {}, &Repeat::id);
  found_.erase(same.begin(), same.end());
  std::erase_if(found_, [&](const Repeat& each) { return breakers_.stands_in(bytes_of(each.id)); });
  return found_;
}

}  // namespace cairn::engine
