// Standard input line by line, for a person who types it.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "cli/terminal.h"

namespace cairn::cli {

/// What came at the prompt.
struct TypedLine {
  enum class Kind : std::uint8_t { kLine, kEnd, kInterrupted };
  Kind kind = Kind::kLine;
  std::string text = {};  // without the line's end
};

class LineReader {
 public:
  /// The next line, a last one without an end included. Shows "> " where standard error is a
  /// terminal. A Ctrl-C at any moment from then on is kInterrupted and drops what was typed of the
  /// line. Errors: kTooLarge for a line of more than 64 MiB, kIo.
  Result<TypedLine> next(Interrupt& interrupt);

 private:
  /// Takes the first line out of what was read, when there is a whole one.
  bool take_line(std::string& line);
  /// Reads once. Errors: as next().
  Status read_more();

  std::string typed_;
  std::size_t searched_ = 0;  // bytes of typed_ that have no line's end
  bool ended_ = false;
};

/// True when standard input is a terminal.
bool stdin_is_terminal();

}  // namespace cairn::cli
