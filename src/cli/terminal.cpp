#include "cli/terminal.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/bytes_text.h"
#include "base/utf8.h"

namespace cairn::cli {
namespace {

using Clock = std::chrono::steady_clock;

// A signal handler can reach nothing but a static.
std::atomic<int> interrupts = 0;
static_assert(std::atomic<int>::is_always_lock_free);

// An event file that Ctrl-C makes readable: the signal may be delivered to any thread, and this
// ends the poll of the one that waits.
std::atomic<int> interrupt_file = -1;

/// The second Ctrl-C ends the program: the first one is being obeyed, or something hangs.
extern "C" void on_interrupt(int) {
  if (interrupts.fetch_add(1) > 0) _exit(130);
  const int before = errno;
  const std::uint64_t one = 1;
  static_cast<void>(::write(interrupt_file.load(), &one, sizeof(one)));
  errno = before;
}

/// Only what a signal handler may do: write and leave.
extern "C" void on_bus_error(int) {
  constexpr std::string_view kLine =
      "cairn: a file became shorter while it was being read, or its disk failed; model files are "
      "expected to stay as they are while they are in use\n";
  static_cast<void>(::write(STDERR_FILENO, kLine.data(), kLine.size()));
  _exit(1);
}

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

Status write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      return io_error(fmt::format("standard output: {}", std::strerror(errno)));
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace

Status Output::write(std::string_view text) { return write_all(STDOUT_FILENO, text); }

void note(std::string_view text) { static_cast<void>(write_all(STDERR_FILENO, text).ok()); }

std::string safe(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char c = decode_utf8(text, at);
    const std::string_view bytes = text.substr(at, c.size);
    at += c.size;
    if (c.valid && (!is_control(c.code) || (c.code == '\n' && text.substr(at).starts_with("  ")))) {
      out += bytes;
      continue;
    }
    for (const char byte : bytes) out += fmt::format("\\x{:02X}", static_cast<unsigned char>(byte));
  }
  return out;
}

void explain_bus_errors() {
  struct sigaction action = {};
  action.sa_handler = &on_bus_error;
  ::sigaction(SIGBUS, &action, nullptr);
}

bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

Result<std::string> read_standard_input(std::size_t bytes_max) {
  std::string text;
  std::array<char, 65536> block = {};
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, block.data(), block.size());
    if (count < 0 && errno == EINTR && interrupts.load() == 0) continue;
    if (count < 0 && errno == EINTR) return cancelled("stopped");
    if (count < 0) return io_error(fmt::format("standard input: {}", std::strerror(errno)));
    if (count == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(count));
    if (text.size() > bytes_max) {
      return too_large(fmt::format(
          "standard input: found more than {} bytes, the most that is read", bytes_max));
    }
  }
}

ProgressBar::ProgressBar(std::string label, std::string noun)
    : label_(std::move(label)), noun_(std::move(noun)), start_(Clock::now()) {}

std::string ProgressBar::amount(std::uint64_t count) const {
  return noun_.empty() ? bytes_text(count) : fmt::format("{} {}", count, noun_);
}

ProgressBar::~ProgressBar() {
  if (visible_) note("\r\033[K");
}

void ProgressBar::show(std::uint64_t done, std::uint64_t total) {
  constexpr std::uint64_t kWidth = 30;
  const Clock::time_point now = Clock::now();
  if (!stderr_is_terminal() || now - start_ < std::chrono::seconds(1)) return;
  if (visible_ && now - shown_ < std::chrono::milliseconds(100) && done != total) return;
  visible_ = true;
  shown_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done) / seconds;
  std::string line = fmt::format("\r\033[K{} {}", label_, amount(done));
  if (total > 0) {
    const std::uint64_t filled = kWidth * std::min(done, total) / total;
    line = fmt::format("\r\033[K{} [{:#<{}}{:.<{}}] {} of {}", label_, "", filled, "",
                       kWidth - filled, amount(done), amount(total));
  }
  const std::string rate_text =
      noun_.empty() ? amount(static_cast<std::uint64_t>(rate)) : fmt::format("{:.1f}", rate);
  note(fmt::format("{}, {}/s", line, rate_text));
}

void Interrupt::watch() {
  if (interrupt_file.load() < 0) interrupt_file = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  struct sigaction action = {};
  action.sa_handler = &on_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
}

bool Interrupt::requested() const { return interrupts.load() > 0; }

void Interrupt::clear() {
  std::uint64_t count = 0;
  // Emptied first: a Ctrl-C from here on still wakes the next wait.
  static_cast<void>(::read(interrupt_file.load(), &count, sizeof(count)));
  interrupts.store(0);
}

Result<Interrupt::Woken> Interrupt::wait_for_input() const {
  std::array<pollfd, 2> files = {pollfd{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0},
                                 pollfd{.fd = interrupt_file, .events = POLLIN, .revents = 0}};
  while (::poll(files.data(), files.size(), -1) < 0) {
    if (errno != EINTR) return io_error(fmt::format("standard input: {}", std::strerror(errno)));
  }
  return files[1].revents != 0 ? Woken::kInterrupt : Woken::kInput;
}

}  // namespace cairn::cli
