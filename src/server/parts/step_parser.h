// StepParser: what the parsers of this folder have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "server/parts/answer_parser.h"
#include "server/parts/held_text.h"

namespace cairn::server {

/// Numbers calls and joins what is added to one of them.
class CallWriter {
 public:
  /// A call begins.
  void begin(std::string name, AnswerParts& out);
  /// Its arguments go on.
  void add(std::string_view arguments, AnswerParts& out);
  /// It is whole.
  void end() { ++whole_; }
  /// Calls that are whole.
  std::uint64_t whole() const { return whole_; }
  /// Whether any began.
  bool any() const { return begun_ > 0; }

 private:
  std::uint64_t begun_ = 0;
  std::uint64_t whole_ = 0;
};

/// Holds blanks back until it is known that text follows: those around a call are none of the text.
class TextWriter {
 public:
  /// Adds text.
  void add(std::string_view text, AnswerParts& out);
  /// Drops the blanks that wait, and those that come next.
  void at_call();
  /// The answer ends: what waits belongs to it, unless only calls came.
  void finish(AnswerParts& out);

 private:
  std::string blanks_;
  bool skips_ = false;
  bool any_call_ = false;
};

/// Calls step() until it has nothing more to do with what is held.
class StepParser : public AnswerParser {
 public:
  void push(std::string_view bytes, AnswerParts& out) final {
    held_.add(bytes);
    while (step(out)) {
    }
  }
  void finish(AnswerParts& out) override {
    at_end(out);
    text_.finish(out);
  }
  std::uint64_t calls() const override { return calls_.whole(); }

 protected:
  /// Does one thing; whether there may be another to do without more bytes.
  virtual bool step(AnswerParts& out) = 0;
  /// No more bytes come: what is held is text, or part of a call.
  virtual void at_end(AnswerParts& out) = 0;

  /// Adds what is held as text up to `marker`, which is dropped and begins a call; whether it came.
  bool text_until_call(std::string_view marker, AnswerParts& out);
  /// The same for the first of `markers`; its number.
  std::optional<std::size_t> text_until_call(std::span<const std::string_view> markers,
                                             AnswerParts& out);

  HeldText& held() { return held_; }
  CallWriter& call() { return calls_; }
  TextWriter& text() { return text_; }

 private:
  HeldText held_;
  CallWriter calls_;
  TextWriter text_;
};

}  // namespace cairn::server
