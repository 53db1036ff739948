// ReplyFormat: how one endpoint writes its answers, whole or as events.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/errors.h"
#include "server/http/sse.h"
#include "server/wire/replies.h"

namespace cairn::server {

/// Numbers the events of one stream.
class EventWriter {
 public:
  /// Adds one event to `out`.
  void write(std::string& out, std::string_view data, std::string_view name = {}) {
    append_event(out, {.data = data, .name = name, .id = std::to_string(next_++)});
  }

 private:
  std::uint64_t next_ = 0;
};

/// What an answer has to be written by: one object per reply, used on the I/O thread.
class ReplyFormat {
 public:
  ReplyFormat() = default;
  ReplyFormat(const ReplyFormat&) = delete;
  ReplyFormat& operator=(const ReplyFormat&) = delete;
  virtual ~ReplyFormat() = default;

  /// The error body that the endpoint's clients read.
  virtual Flavour flavour() const = 0;
  /// The body once every answer has ended.
  virtual std::string whole(const std::vector<ReplyChoice>& choices, const Usage& usage) = 0;

  /// Events before the first piece.
  virtual void begin(std::string& /*out*/, const Usage& /*usage*/) {}
  /// Events for what one answer says beyond what it said before.
  virtual void add(std::string& out, ReplyChoice news) = 0;
  /// Events once every answer has ended.
  virtual void end(std::string& out, const Usage& usage) = 0;
  /// The last events of a stream that fails.
  virtual void fail(std::string& out, const WireError& error) = 0;
};

}  // namespace cairn::server
