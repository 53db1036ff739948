// JsonWalk: whether bytes are one JSON value, told byte by byte.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::server {

/// Accepts exactly the JSON of RFC 8259, but for what an escape of a character names; nesting up to
/// kDepthMax.
class JsonWalk {
 public:
  /// What a byte did.
  enum class Step : std::uint8_t {
    kInside,      // of a value, or a blank
    kBegins,      // the first byte of a value
    kKeyEnds,     // the closing quote of a key
    kEnds,        // the last byte of a value
    kEndsBefore,  // a number or word ended with the byte before; look at this byte again
    kBad,
  };

  static constexpr std::size_t kDepthMax = 64;

  /// The next byte. Not after the value's end.
  Step take(char c);

  /// How many arrays and objects are open.
  std::size_t depth() const { return open_.size(); }
  /// Whether a string that is being read is a key.
  bool in_key() const { return string_is_key_; }
  /// Whether the value is whole.
  bool done() const { return place_ == Place::kDone; }

 private:
  enum class Place : std::uint8_t {
    kValue,
    kFirstItem,
    kFirstKey,
    kKey,
    kColon,
    kNext,
    kString,
    kEscape,
    kHex,
    kScalar,
    kDone,
  };

  Step begin_value(char c);
  Step take_string(char c);
  Step take_scalar(char c);
  Step next(char c);
  Step close(char c);
  Step end_value();

  Place place_ = Place::kValue;
  std::vector<char> open_;
  bool string_is_key_ = false;
  int hex_digits_ = 0;
  std::string scalar_;
};

}  // namespace cairn::server
