#include "server/http/chunk_decoder.h"

#include <algorithm>

#include "base/ascii.h"

namespace cairn::server {
namespace {

constexpr int kDigitsMax = 8;

}  // namespace

std::size_t ChunkDecoder::feed(std::string_view bytes, std::string& body) {
  std::size_t at = 0;
  while (at < bytes.size() && state_ == State::kMore) {
    if (place_ == Place::kData) {
      const std::size_t part = std::min<std::uint64_t>(size_, bytes.size() - at);
      body.append(bytes.substr(at, part));
      at += part;
      size_ -= part;
      if (size_ == 0) place_ = Place::kDataCr;
      continue;
    }
    const bool was_size_end = place_ == Place::kSizeEnd;
    take(bytes[at++]);
    if (was_size_end && state_ == State::kMore) begin_data(body.size());
  }
  return at;
}

void ChunkDecoder::take(char c) {
  switch (place_) {
    case Place::kSize:
      return take_size(c);
    case Place::kExtension:
      if (c == '\r') {
        place_ = Place::kSizeEnd;
      } else {
        pass();
        if (c == '\n' || c == '\0') state_ = State::kBad;
      }
      return;
    case Place::kSizeEnd:
      return expect(c, '\n', Place::kData);
    case Place::kDataCr:
      return expect(c, '\r', Place::kDataLf);
    case Place::kDataLf:
      digits_ = 0;
      return expect(c, '\n', Place::kSize);
    case Place::kTrailerStart:
      if (c == '\r') {
        place_ = Place::kLastLf;
        return;
      }
      if (c == ' ' || c == '\t') state_ = State::kBad;  // a folded line
      place_ = Place::kTrailer;
      [[fallthrough]];
    case Place::kTrailer:
      pass();
      if (c == '\n' || c == '\0') state_ = State::kBad;
      if (c == '\r') place_ = Place::kTrailerLf;
      return;
    case Place::kTrailerLf:
      return expect(c, '\n', Place::kTrailerStart);
    case Place::kLastLf:
      expect(c, '\n', Place::kLastLf);
      if (state_ == State::kMore) state_ = State::kDone;
      return;
    case Place::kData:
      return;
  }
}

void ChunkDecoder::take_size(char c) {
  if (digits_ == 0) size_ = 0;
  if (const int digit = hex_digit(c); digit >= 0) {
    if (++digits_ > kDigitsMax) state_ = State::kBad;
    size_ = size_ * 16 + static_cast<std::uint64_t>(digit);
  } else if (digits_ == 0) {
    state_ = State::kBad;
  } else if (c == ';') {
    place_ = Place::kExtension;
    pass();
  } else {
    expect(c, '\r', Place::kSizeEnd);
  }
}

/// Behind a size line.
void ChunkDecoder::begin_data(std::uint64_t body_bytes) {
  if (size_ == 0) {
    place_ = Place::kTrailerStart;
  } else if (size_ > body_bytes_max_ || body_bytes > body_bytes_max_ - size_) {
    state_ = State::kTooLarge;
  }
}

void ChunkDecoder::expect(char c, char expected, Place next) {
  if (c != expected) state_ = State::kBad;
  place_ = next;
}

void ChunkDecoder::pass() {
  if (++passed_bytes_ > passed_bytes_max_) state_ = State::kBad;
}

}  // namespace cairn::server
