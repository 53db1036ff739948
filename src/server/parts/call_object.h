// CallObject: one call written as a JSON object, {"name": ..., "arguments": {...}}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/parts/json_walk.h"
#include "server/parts/step_parser.h"

namespace cairn::server {

/// Whether an object without arguments is a call.
enum class ArgumentsAre : std::uint8_t { kOptional, kRequired };

/// Reads the object byte by byte. The call begins as soon as its name is known and its arguments
/// begin; until then nothing is told, so that an object which is no call can still be text.
class CallObject {
 public:
  enum class State : std::uint8_t { kMore, kDone, kNoCall, kBroken };

  explicit CallObject(ArgumentsAre arguments) : arguments_are_(arguments) {}

  /// Takes bytes up to the object's end; how many. kNoCall: raw() is text. kBroken: a call began
  /// and its JSON is none.
  std::size_t feed(std::string_view bytes, CallWriter& calls, AnswerParts& out);
  State state() const { return state_; }
  /// Every byte, as long as no call began.
  const std::string& raw() const { return raw_; }
  /// Whether a call began.
  bool begun() const { return begun_; }

 private:
  void take(char c, CallWriter& calls, AnswerParts& out);
  void begin_value(char c, CallWriter& calls, AnswerParts& out);
  void end_value();
  void end_object(CallWriter& calls, AnswerParts& out);
  void begin_call(CallWriter& calls, AnswerParts& out);

  ArgumentsAre arguments_are_;
  State state_ = State::kMore;
  JsonWalk walk_;
  std::string raw_;
  std::string key_;
  std::string value_;
  bool in_value_ = false;
  bool streaming_ = false;
  bool begun_ = false;
  std::optional<std::string> name_;
  std::optional<std::string> arguments_;
};

/// The arguments of a call that stand alone, a JSON object.
class CallArguments {
 public:
  enum class State : std::uint8_t { kMore, kDone, kBroken };

  /// Takes bytes up to the object's end; how many.
  std::size_t feed(std::string_view bytes, CallWriter& calls, AnswerParts& out);
  /// Takes them from what is held; whether the object is over.
  bool take(HeldText& held, CallWriter& calls, AnswerParts& out) {
    held.drop(feed(held.view(), calls, out));
    return state_ != State::kMore;
  }
  State state() const { return state_; }
  /// Whether its first byte came.
  bool begun() const { return begun_; }

 private:
  State state_ = State::kMore;
  JsonWalk walk_;
  bool begun_ = false;
};

}  // namespace cairn::server
