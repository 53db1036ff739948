// Text that remembers which of its bytes came from input.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tokenizer {

/// Bytes [begin, end) of a text.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const TextSpan&) const = default;
};

namespace jinja {

/// Counts the bytes that the values of one render hold. One thread.
class Meter {
 public:
  explicit Meter(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  bool full() const { return bytes_ > bytes_max_; }
  bool fits(std::size_t bytes) const { return bytes <= bytes_max_ && bytes_ <= bytes_max_ - bytes; }
  void take(std::size_t bytes) { bytes_ += bytes; }
  void give(std::size_t bytes) { bytes_ -= bytes; }

 private:
  std::size_t bytes_max_ = 0;
  std::size_t bytes_ = 0;
};

/// Holds a number of bytes of a Meter for as long as it lives; the Meter must outlive it.
class Charge {
 public:
  Charge() = default;
  Charge(Meter& meter, std::size_t bytes) : meter_(&meter), bytes_(bytes) { meter.take(bytes); }
  Charge(Charge&& other) noexcept;
  Charge& operator=(Charge&& other) noexcept;
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;
  ~Charge();

 private:
  Meter* meter_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A string value: UTF-8 bytes and which of them came from input.
struct Text {
  std::string bytes;
  std::vector<TextSpan> input;  // in order, never touching
  bool markup = false;          // went through |safe or |escape
  Charge charge;
};

/// Puts a text together from literals, input and pieces of other texts.
class TextBuilder {
 public:
  /// Bytes of the template's own.
  void add(std::string_view bytes) { bytes_ += bytes; }
  /// Bytes from input.
  void add_input(std::string_view bytes);
  /// Another text, with what it knows.
  void add(const Text& text) { add_part(text, 0, text.bytes.size()); }
  /// Bytes [begin, end) of another text.
  void add_part(const Text& text, std::size_t begin, std::size_t end);
  /// Bytes made from `origin`: input as a whole when any byte of `origin` is.
  void add_made(const Text& origin, std::string_view bytes);

  std::size_t size() const { return bytes_.size(); }
  /// The finished parts; the builder is empty afterwards.
  std::string take_bytes() { return std::move(bytes_); }
  std::vector<TextSpan> take_input() { return std::move(input_); }

 private:
  void mark(std::size_t begin, std::size_t end);

  std::string bytes_;
  std::vector<TextSpan> input_;
};

}  // namespace jinja
}  // namespace cairn::tokenizer
