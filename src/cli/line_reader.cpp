#include "cli/line_reader.h"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace cairn::cli {
namespace {

constexpr std::size_t kLineBytesMax = std::size_t{64} << 20;

}  // namespace

bool stdin_is_terminal() { return ::isatty(STDIN_FILENO) == 1; }

bool LineReader::take_line(std::string& line) {
  const std::size_t end = typed_.find('\n', searched_);
  if (end == std::string::npos && (!ended_ || typed_.empty())) {
    searched_ = typed_.size();
    return false;
  }
  line = typed_.substr(0, end);
  typed_.erase(0, end == std::string::npos ? end : end + 1);
  searched_ = 0;
  return true;
}

Status LineReader::read_more() {
  std::array<char, 65536> block = {};
  const ssize_t count = ::read(STDIN_FILENO, block.data(), block.size());
  if (count < 0 && errno == EINTR) return {};
  if (count < 0) return io_error(fmt::format("standard input: {}", std::strerror(errno)));
  ended_ = count == 0;
  typed_.append(block.data(), static_cast<std::size_t>(count));
  if (typed_.size() <= kLineBytesMax || typed_.find('\n', searched_) <= kLineBytesMax) return {};
  return too_large(fmt::format(
      "standard input: found a line of more than {} bytes, the most that is read", kLineBytesMax));
}

Result<TypedLine> LineReader::next(Interrupt& interrupt) {
  interrupt.clear();
  if (stderr_is_terminal()) note("> ");
  TypedLine line;
  while (!take_line(line.text)) {
    if (ended_) return TypedLine{.kind = TypedLine::Kind::kEnd};
    CAIRN_ASSIGN(const Interrupt::Woken woken, interrupt.wait_for_input());
    if (woken == Interrupt::Woken::kInterrupt) {
      typed_.clear();
      searched_ = 0;
      return TypedLine{.kind = TypedLine::Kind::kInterrupted};
    }
    CAIRN_TRY(read_more());
  }
  return line;
}

}  // namespace cairn::cli
