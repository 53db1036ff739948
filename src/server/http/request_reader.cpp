#include "server/http/request_reader.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <charconv>
#include <limits>

#include "base/ascii.h"

namespace cairn::server {
namespace {

namespace http = boost::beast::http;

constexpr std::uint64_t kBlankLinesMax = 2;

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

bool has_token(std::string_view list, std::string_view token) {
  http::token_list tokens(boost::beast::string_view(list.data(), list.size()));
  return tokens.exists(boost::beast::string_view(token.data(), token.size()));
}

bool is_control(char c) {
  return (c >= 0 && c < ' ' && c != '\r' && c != '\n' && c != '\t') || c == '\x7f';
}

std::uint64_t count_of(const Request& request, std::string_view name) {
  std::uint64_t count = 0;
  for (const Header& header : request.headers) {
    if (lower_ascii(header.name) == name) ++count;
  }
  return count;
}

}  // namespace

std::size_t RequestReader::feed(std::string_view bytes) {
  switch (state_) {
    case State::kReadingHead:
      return feed_head(bytes);
    case State::kHead:
    case State::kReadingBody:
      return feed_body(bytes);
    case State::kDone:
    case State::kFailed:
      break;
  }
  return 0;
}

std::size_t RequestReader::feed_head(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size() && state_ == State::kReadingHead) take_head_byte(bytes[at++]);
  return at;
}

void RequestReader::take_head_byte(char c) {
  const char before = head_.empty() ? '\n' : head_.back();
  if (is_control(c)) {
    fail(Cause::kBadRequest, "HTTP: a control character stands in the head of the request");
    return;
  }
  if ((c == '\n') != (before == '\r')) {
    fail(Cause::kBadRequest, "HTTP: a line of the head does not end with CR LF");
    return;
  }
  if ((c == ' ' || c == '\t') && before == '\n') {
    fail(Cause::kBadRequest,
         "HTTP: a line of the head begins with a blank; folded headers are "
         "not accepted");
    return;
  }
  head_ += c;
  // An empty line before a request is passed over (RFC 9112, 2.2).
  if (head_ == "\r\n") {
    head_.clear();
    if (++blank_lines_ > kBlankLinesMax) {
      fail(Cause::kBadRequest, "HTTP: more than two empty lines stand before the request");
    }
    return;
  }
  begun_ = true;
  if (head_.size() > limits_.header_bytes_max) {
    const bool in_target = lines_ == 0;
    fail(in_target ? Cause::kTargetTooLong : Cause::kHeadersTooLarge,
         std::string("HTTP: the ") + (in_target ? "request line" : "head") + " has more than " +
             std::to_string(limits_.header_bytes_max) + " bytes");
    return;
  }
  if (c != '\n') return;
  if (++lines_ > limits_.headers_max + 2) {
    fail(Cause::kHeadersTooLarge,
         "HTTP: more than " + std::to_string(limits_.headers_max) + " headers");
    return;
  }
  if (head_.ends_with("\r\n\r\n") && parse_head()) state_ = State::kHead;
}

bool RequestReader::parse_head() {
  http::request_parser<http::empty_body> parser;
  parser.header_limit(std::numeric_limits<std::uint32_t>::max());
  // Framing is read here, not there.
  parser.body_limit(boost::none);
  boost::beast::error_code code;
  parser.put(boost::asio::const_buffer(head_.data(), head_.size()), code);
  if (code == http::error::bad_version) {
    return fail(Cause::kVersion, "HTTP: only versions 1.0 and 1.1 are spoken here");
  }
  if (code || !parser.is_header_done()) {
    return fail(Cause::kBadRequest, "HTTP: the head of the request cannot be read" +
                                        (code ? ": " + code.message() : std::string()));
  }
  const auto& message = parser.get();
  minor_version_ = static_cast<int>(message.version() % 10);
  request_.method = method_of(view(message.method_string()));
  request_.target = view(message.target());
  for (const auto& field : message) {
    request_.headers.push_back({.name = std::string(view(field.name_string())),
                                .value = std::string(view(field.value()))});
  }
  head_.clear();
  head_.shrink_to_fit();
  if (!read_target(request_)) {
    return fail(Cause::kBadRequest, "HTTP: the target of the request is no path");
  }
  return read_options() && read_framing();
}

bool RequestReader::read_options() {
  const std::uint64_t hosts = count_of(request_, "host");
  if (hosts > 1 || (hosts == 0 && minor_version_ > 0)) {
    return fail(Cause::kBadRequest,
                "HTTP: " + std::to_string(hosts) + " Host headers; exactly one is expected");
  }
  // Which of two names is meant must not depend on who reads (RFC 9112, 3.2.2).
  const std::string_view host = request_.header("host").value_or(request_.authority);
  if (!request_.authority.empty() && lower_ascii(host) != lower_ascii(request_.authority)) {
    return fail(Cause::kBadRequest,
                "HTTP: the target names another host than the header Host does");
  }
  const std::string_view connection = request_.header("connection").value_or("");
  keep_alive_ =
      minor_version_ > 0 ? !has_token(connection, "close") : has_token(connection, "keep-alive");
  const std::string_view expect = request_.header("expect").value_or("");
  expects_continue_ = minor_version_ > 0 && lower_ascii(expect) == "100-continue";
  if (!expect.empty() && lower_ascii(expect) != "100-continue") {
    return fail(Cause::kExpectation, "HTTP: Expect says something else than 100-continue");
  }
  return true;
}

bool RequestReader::read_framing() {
  const std::uint64_t lengths = count_of(request_, "content-length");
  const std::uint64_t encodings = count_of(request_, "transfer-encoding");
  if (lengths + encodings > 1) {
    return fail(Cause::kBadRequest, "HTTP: the length of the body is given more than once (" +
                                        std::to_string(lengths) + " Content-Length, " +
                                        std::to_string(encodings) + " Transfer-Encoding)");
  }
  if (lengths == 1) return read_content_length(*request_.header("content-length"));
  if (encodings == 0) return true;
  if (minor_version_ == 0 ||
      lower_ascii(trimmed(*request_.header("transfer-encoding"))) != "chunked") {
    return fail(Cause::kBadRequest, "HTTP: Transfer-Encoding has to be chunked, in HTTP/1.1");
  }
  chunks_.emplace(limits_.body_bytes_max, limits_.header_bytes_max);
  return true;
}

bool RequestReader::read_content_length(std::string_view value) {
  const char* const end = value.data() + value.size();
  const auto [stop, code] = std::from_chars(value.data(), end, content_bytes_);
  if (code == std::errc::result_out_of_range ||
      (code == std::errc() && stop == end && content_bytes_ > limits_.body_bytes_max)) {
    return fail(Cause::kBodyTooLarge, "HTTP: a body of " + std::string(value) + " bytes; at most " +
                                          std::to_string(limits_.body_bytes_max) + " are accepted");
  }
  if (code != std::errc() || stop != end) {
    return fail(Cause::kBadRequest, "HTTP: Content-Length is no whole number");
  }
  return true;
}

std::size_t RequestReader::feed_body(std::string_view bytes) {
  state_ = State::kReadingBody;
  if (chunks_.has_value()) {
    const std::size_t taken = chunks_->feed(bytes, request_.body);
    if (chunks_->state() == ChunkDecoder::State::kDone) state_ = State::kDone;
    if (chunks_->state() == ChunkDecoder::State::kBad) {
      fail(Cause::kBadRequest, "HTTP: the chunks of the body cannot be read");
    }
    if (chunks_->state() == ChunkDecoder::State::kTooLarge) {
      fail(Cause::kBodyTooLarge, "HTTP: a body of more than " +
                                     std::to_string(limits_.body_bytes_max) +
                                     " bytes, the most accepted");
    }
    return taken;
  }
  const std::size_t part = std::min<std::uint64_t>(content_bytes_, bytes.size());
  request_.body.append(bytes.substr(0, part));
  content_bytes_ -= part;
  if (content_bytes_ == 0) state_ = State::kDone;
  return part;
}

bool RequestReader::fail(Cause cause, std::string message) {
  state_ = State::kFailed;
  error_ = {.cause = cause, .message = std::move(message), .param = {}, .code = {}};
  return false;
}

}  // namespace cairn::server
