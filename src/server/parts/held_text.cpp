#include "server/parts/held_text.h"

#include <algorithm>

namespace cairn::server {
namespace {

/// The number of the longest marker at the front of `text`.
std::optional<std::size_t> marker_at(std::string_view text,
                                     std::span<const std::string_view> markers) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < markers.size(); ++i) {
    if (!text.starts_with(markers[i])) continue;
    if (!found || markers[i].size() > markers[*found].size()) found = i;
  }
  return found;
}

/// Whether `text` is the beginning of a marker and not all of it.
bool may_become(std::string_view text, std::span<const std::string_view> markers) {
  return std::ranges::any_of(markers, [&](std::string_view marker) {
    return text.size() < marker.size() && marker.starts_with(text);
  });
}

}  // namespace

void HeldText::add(std::string_view bytes) {
  text_.erase(0, at_);
  at_ = 0;
  text_ += bytes;
}

bool HeldText::drop_blanks() {
  at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
  return !empty();
}

std::optional<std::size_t> HeldText::take_until(std::span<const std::string_view> markers,
                                                std::string& out) {
  const std::string_view held = view();
  for (std::size_t at = 0; at < held.size(); ++at) {
    const std::string_view rest = held.substr(at);
    // A longer marker may be on its way where a shorter one is whole.
    const bool open = may_become(rest, markers);
    const std::optional<std::size_t> marker = open ? std::nullopt : marker_at(rest, markers);
    if (!open && !marker) continue;
    out += held.substr(0, at);
    at_ += at;
    if (marker) at_ += markers[*marker].size();
    return marker;
  }
  out += held;
  at_ = text_.size();
  return std::nullopt;
}

bool HeldText::take_until(std::string_view marker, std::string& out) {
  return take_until({&marker, 1}, out).has_value();
}

std::optional<bool> HeldText::begins_with(std::string_view marker) const {
  const std::string_view held = view();
  if (held.starts_with(marker)) return true;
  if (marker.starts_with(held)) return std::nullopt;
  return false;
}

bool HeldText::drop_optional(std::string_view marker) {
  if (!drop_blanks()) return false;
  const std::optional<bool> there = begins_with(marker);
  if (there.value_or(false)) drop(marker.size());
  return there.has_value();
}

std::string HeldText::take_all() {
  std::string all(view());
  text_.clear();
  at_ = 0;
  return all;
}

}  // namespace cairn::server
