// The body of a request that comes in chunks. Source: RFC 9112, 7.1.
//
// Beast's own decoder is not used: it accumulates extensions and trailers without a bound and takes
// blanks behind a size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::server {

/// Decodes strictly: sizes are 1 to 8 hexadecimal digits, lines end with CR LF; extensions and
/// trailers are passed over, within a bound.
class ChunkDecoder {
 public:
  enum class State : std::uint8_t { kMore, kDone, kTooLarge, kBad };

  /// `body_bytes_max` bounds the data; `passed_bytes_max` all extensions and trailers together.
  ChunkDecoder(std::uint64_t body_bytes_max, std::uint64_t passed_bytes_max)
      : body_bytes_max_(body_bytes_max), passed_bytes_max_(passed_bytes_max) {}

  /// Adds the data within `bytes` to `body`; returns how many bytes belonged to the body's frame.
  /// Takes nothing any more once the state is not kMore.
  std::size_t feed(std::string_view bytes, std::string& body);

  State state() const { return state_; }

 private:
  enum class Place : std::uint8_t {
    kSize,
    kExtension,
    kSizeEnd,  // behind the CR of a size line
    kData,
    kDataCr,
    kDataLf,
    kTrailerStart,
    kTrailer,
    kTrailerLf,
    kLastLf,
  };

  void take(char c);
  void take_size(char c);
  void begin_data(std::uint64_t body_bytes);
  void expect(char c, char expected, Place next);
  void pass();

  std::uint64_t body_bytes_max_;
  std::uint64_t passed_bytes_max_;
  std::uint64_t size_ = 0;  // of the chunk at hand; then what of it is to come
  std::uint64_t passed_bytes_ = 0;
  int digits_ = 0;
  Place place_ = Place::kSize;
  State state_ = State::kMore;
};

}  // namespace cairn::server
