#include "server/parts/json_walk.h"

#include <string_view>

#include "base/json.h"

namespace cairn::server {
namespace {

constexpr std::size_t kScalarBytesMax = 512;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_scalar(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == 'E' || c == '+' || c == '-' ||
         c == '.';
}

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

JsonWalk::Step JsonWalk::take(char c) {
  if (place_ == Place::kString || place_ == Place::kEscape || place_ == Place::kHex) {
    return take_string(c);
  }
  if (place_ == Place::kScalar) return take_scalar(c);
  if (is_blank(c)) return Step::kInside;
  switch (place_) {
    case Place::kFirstItem:
      if (c == ']') return close(c);
      return begin_value(c);
    case Place::kValue:
      return begin_value(c);
    case Place::kFirstKey:
      if (c == '}') return close(c);
      [[fallthrough]];
    case Place::kKey:
      if (c != '"') return Step::kBad;
      place_ = Place::kString;
      string_is_key_ = true;
      return Step::kInside;
    case Place::kColon:
      place_ = Place::kValue;
      return c == ':' ? Step::kInside : Step::kBad;
    case Place::kNext:
      return next(c);
    default:
      return Step::kBad;
  }
}

JsonWalk::Step JsonWalk::begin_value(char c) {
  if (c == '{' || c == '[') {
    if (open_.size() >= kDepthMax) return Step::kBad;
    open_.push_back(c);
    place_ = c == '{' ? Place::kFirstKey : Place::kFirstItem;
  } else if (c == '"') {
    place_ = Place::kString;
    string_is_key_ = false;
  } else if (is_scalar(c)) {
    scalar_ = c;
    place_ = Place::kScalar;
  } else {
    return Step::kBad;
  }
  return Step::kBegins;
}

JsonWalk::Step JsonWalk::take_string(char c) {
  if (place_ == Place::kHex) {
    if (!is_hex(c)) return Step::kBad;
    if (--hex_digits_ == 0) place_ = Place::kString;
    return Step::kInside;
  }
  if (place_ == Place::kEscape) {
    if (std::string_view("\"\\/bfnrtu").find(c) == std::string_view::npos) return Step::kBad;
    constexpr int kHexDigits = 4;
    hex_digits_ = kHexDigits;
    place_ = c == 'u' ? Place::kHex : Place::kString;
    return Step::kInside;
  }
  if (c >= 0 && c < ' ') return Step::kBad;
  if (c == '\\') place_ = Place::kEscape;
  if (c != '"') return Step::kInside;
  if (!string_is_key_) return end_value();
  string_is_key_ = false;
  place_ = Place::kColon;
  return Step::kKeyEnds;
}

JsonWalk::Step JsonWalk::take_scalar(char c) {
  if (is_scalar(c)) {
    if (scalar_.size() >= kScalarBytesMax) return Step::kBad;
    scalar_ += c;
    return Step::kInside;
  }
  if (!Json::accept(scalar_)) return Step::kBad;
  end_value();
  return Step::kEndsBefore;
}

JsonWalk::Step JsonWalk::next(char c) {
  if (c == '}' || c == ']') return close(c);
  if (c != ',') return Step::kBad;
  place_ = open_.back() == '{' ? Place::kKey : Place::kValue;
  return Step::kInside;
}

JsonWalk::Step JsonWalk::close(char c) {
  if (open_.back() != (c == '}' ? '{' : '[')) return Step::kBad;
  open_.pop_back();
  return end_value();
}

JsonWalk::Step JsonWalk::end_value() {
  place_ = open_.empty() ? Place::kDone : Place::kNext;
  return Step::kEnds;
}

}  // namespace cairn::server
