// AnswerParser: what a model wrote, told apart into text, reasoning and calls of tools.
//
// Purpose     one parser per syntax that models were trained on; a template shows which one (see
//             syntax.h).
// Invariants  the parts do not depend on how the text was cut into pieces; every byte is looked at
// a
//             bounded number of times; a marker never shows in a part; the fragments of a call's
//             arguments join to valid JSON, or the call is cut off by the answer's end.
// Threads     one thread at a time.
// Adding      a syntax: its file, its maker below, and its row in syntax.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::server {

/// What is added to one call; the name stands in its first piece.
struct CallPiece {
  std::uint64_t index = 0;
  std::string name = {};
  std::string arguments = {};  // JSON text

  bool operator==(const CallPiece&) const = default;
};

/// What became known.
struct AnswerParts {
  std::string text = {};
  std::string reasoning = {};
  std::vector<CallPiece> calls = {};
};

class AnswerParser {
 public:
  AnswerParser() = default;
  AnswerParser(const AnswerParser&) = delete;
  AnswerParser& operator=(const AnswerParser&) = delete;
  virtual ~AnswerParser() = default;

  /// Takes the next bytes, control tokens by their names among them.
  virtual void push(std::string_view bytes, AnswerParts& out) = 0;
  /// The answer has ended: what was held back comes out.
  virtual void finish(AnswerParts& out) = 0;
  /// Calls that are whole.
  virtual std::uint64_t calls() const = 0;
};

}  // namespace cairn::server
