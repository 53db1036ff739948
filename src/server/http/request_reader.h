// One request out of the bytes of a connection.
//
// Purpose     all that decides where a request ends and what its headers are, apart from sockets,
//             so that tests and the fuzzer feed it bytes.
// Invariants  it takes no byte of the next request. Whatever two readers of HTTP could understand
//             differently is refused: bare LF and CR, folded lines, blanks before a colon, two
//             lengths, a length beside chunks, unknown transfer encodings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/chunk_decoder.h"
#include "server/http/errors.h"
#include "server/http/message.h"

namespace cairn::server {

struct ReadLimits {
  std::uint64_t header_bytes_max = 64 << 10;
  std::uint64_t headers_max = 100;
  std::uint64_t body_bytes_max = 64 << 20;
};

class RequestReader {
 public:
  /// kHead: its head is known and its body, if any, was not begun. kFailed: error() says why; the
  /// connection cannot go on.
  enum class State : std::uint8_t { kReadingHead, kHead, kReadingBody, kDone, kFailed };

  explicit RequestReader(ReadLimits limits) : limits_(limits) {}

  /// Takes bytes up to the next change of state; returns how many. In kHead, feeding (also nothing)
  /// goes on to the body. Takes nothing in kDone and kFailed.
  std::size_t feed(std::string_view bytes);

  State state() const { return state_; }
  const WireError& error() const { return error_; }
  /// From kHead on.
  Request& request() { return request_; }

  /// Whether a byte of it came.
  bool begun() const { return begun_; }
  /// From kHead on: whether a body follows that was not read yet.
  bool body_follows() const { return chunks_.has_value() || content_bytes_ > 0; }
  /// Whether the client wants the connection kept, by its version and its Connection header.
  bool keep_alive() const { return keep_alive_; }
  /// Whether the client waits for "100 Continue" before it sends the body.
  bool expects_continue() const { return expects_continue_; }
  /// Whether the client knows chunked bodies.
  bool knows_chunks() const { return minor_version_ > 0; }

 private:
  std::size_t feed_head(std::string_view bytes);
  std::size_t feed_body(std::string_view bytes);
  void take_head_byte(char c);
  bool parse_head();
  bool read_framing();
  bool read_content_length(std::string_view value);
  bool read_options();
  bool fail(Cause cause, std::string message);

  ReadLimits limits_;
  State state_ = State::kReadingHead;
  WireError error_;
  Request request_;
  std::string head_;
  std::uint64_t lines_ = 0;
  std::uint64_t blank_lines_ = 0;
  bool begun_ = false;
  int minor_version_ = 1;
  bool keep_alive_ = true;
  bool expects_continue_ = false;
  std::uint64_t content_bytes_ = 0;
  std::optional<ChunkDecoder> chunks_;
};

}  // namespace cairn::server
