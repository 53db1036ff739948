#include "tests/cli/pty.h"

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>

namespace cairn::cli_test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience(60);

}  // namespace

Pty::Pty(const std::vector<std::string>& arguments, const std::string& home) {
  std::vector<char*> argv = {const_cast<char*>(CAIRN_BINARY)};
  for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
  argv.push_back(nullptr);
  pid_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
  if (pid_ != 0) return;
  ::setenv("CAIRN_HOME", home.c_str(), 1);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

Pty::~Pty() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(terminal_);
}

void Pty::type(std::string_view text) const {
  static_cast<void>(::write(terminal_, text.data(), text.size()));
}

bool Pty::read_some() {
  pollfd file = {.fd = terminal_, .events = POLLIN, .revents = 0};
  if (::poll(&file, 1, 100) <= 0) return true;
  std::array<char, 4096> block = {};
  const ssize_t count = ::read(terminal_, block.data(), block.size());
  if (count <= 0) return false;
  rest_.append(block.data(), static_cast<std::size_t>(count));
  return true;
}

bool Pty::shows(std::string_view text) {
  for (const auto end = Clock::now() + kPatience; Clock::now() < end;) {
    const std::size_t at = rest_.find(text);
    if (at != std::string::npos) {
      rest_.erase(0, at + text.size());
      return true;
    }
    if (!read_some()) return rest_.find(text) != std::string::npos;
  }
  return false;
}

int Pty::wait() {
  for (const auto end = Clock::now() + kPatience; Clock::now() < end;) {
    read_some();
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) continue;
    pid_ = -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  return -1;
}

}  // namespace cairn::cli_test
