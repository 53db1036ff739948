// HeldText: bytes that came and were not told yet.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cairn::server {

/// A queue of bytes whose front is looked at for markers.
class HeldText {
 public:
  /// Adds bytes at the end.
  void add(std::string_view bytes);
  /// What is held; valid until the next call.
  std::string_view view() const { return std::string_view(text_).substr(at_); }
  bool empty() const { return at_ == text_.size(); }
  /// Drops bytes at the front.
  void drop(std::size_t bytes) { at_ += bytes; }
  /// Drops blanks at the front; whether something else stands there now.
  bool drop_blanks();

  /// Moves what stands before the first of `markers` to `out` and drops the marker; of two that
  /// begin at one place the longer counts. Returns its number; nothing when none came: then what
  /// may still become one stays here.
  std::optional<std::size_t> take_until(std::span<const std::string_view> markers,
                                        std::string& out);
  /// The same for one marker; whether it came.
  bool take_until(std::string_view marker, std::string& out);

  /// Whether the front is `marker` (true), may become it (nothing), or is not (false).
  std::optional<bool> begins_with(std::string_view marker) const;

  /// Drops blanks, and `marker` where it stands behind them. False while bytes that are still to
  /// come decide that.
  bool drop_optional(std::string_view marker);

  /// All of it.
  std::string take_all();

 private:
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace cairn::server
