#include "base/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/clock.h"

namespace cairn {
namespace {

constexpr std::array kForwarded = {SIGINT, SIGTERM, SIGHUP};

sigset_t blocked_signals() {
  sigset_t set = {};
  ::sigemptyset(&set);
  for (const int signal : kForwarded) ::sigaddset(&set, signal);
  ::sigaddset(&set, SIGCHLD);
  return set;
}

Status system_status(const std::string& name, const char* what, int code) {
  std::string message =
      name + ": " + what + ": " + std::error_code(code, std::generic_category()).message();
  return code == ENOENT ? not_found(std::move(message)) : io_error(std::move(message));
}

/// What posix_spawn needs, freed at the end.
struct SpawnPlan {
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
  }
  ~SpawnPlan() {
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  /// 0 or the first error number. The child gets every signal unblocked and the ones cairn changed
  /// at their default.
  int fill() {
    sigset_t none = {};
    sigset_t changed = {};
    ::sigemptyset(&none);
    ::sigemptyset(&changed);
    for (const int signal : {SIGINT, SIGPIPE, SIGCHLD}) ::sigaddset(&changed, signal);
    const std::array codes = {
        ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0),
        ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO),
        ::posix_spawnattr_setpgroup(&attributes, 0),
        ::posix_spawnattr_setsigmask(&attributes, &none),
        ::posix_spawnattr_setsigdefault(&attributes, &changed),
        ::posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)};
    const auto failed = std::ranges::find_if(codes, [](int code) { return code != 0; });
    return failed == codes.end() ? 0 : *failed;
  }

  posix_spawn_file_actions_t actions = {};
  posix_spawnattr_t attributes = {};
};

}  // namespace

void hold_standard_files() {
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) {
    // open gives the lowest free number, which is `file` once those below it are held.
    const int mode = file == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::fcntl(file, F_GETFD) < 0 && errno == EBADF) (void)::open("/dev/null", mode);
  }
}

Result<std::string> program_path() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) return path.string();
  return io_error("/proc/self/exe: cannot be read: " + error.message());
}

SignalBlock::SignalBlock() {
  const sigset_t blocked = blocked_signals();
  // Where SIGCHLD is ignored the system reaps children by itself and their exit codes are lost.
  (void)std::signal(SIGCHLD, SIG_DFL);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before_);
}

SignalBlock::~SignalBlock() {
  while (wait_until(0)) {
  }
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> SignalBlock::wait_until(std::int64_t time_ns) {
  const sigset_t blocked = blocked_signals();
  constexpr std::int64_t kSecondNs = 1'000'000'000;
  for (;;) {
    const std::int64_t left = std::max<std::int64_t>(time_ns - steady_ns(), 0);
    const timespec wait = {.tv_sec = static_cast<time_t>(left / kSecondNs),
                           .tv_nsec = static_cast<long>(left % kSecondNs)};
    const int signal = ::sigtimedwait(&blocked, nullptr, &wait);
    if (signal > 0) return signal;
    if (errno != EINTR) return std::nullopt;
  }
}

Result<ChildProcess> ChildProcess::start(std::span<const std::string> command,
                                         char* const* environment) {
  if (command.empty() || command.front().empty()) {
    return invalid_argument("found no command, expected the name of a program");
  }
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    // posix_spawn takes what main() gives, which is not const, and does not write to it.
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  SpawnPlan plan;
  pid_t pid = -1;
  int code = plan.fill();
  if (code == 0) {
    code = ::posix_spawnp(&pid, arguments.front(), &plan.actions, &plan.attributes,
                          arguments.data(), environment);
  }
  if (code != 0) return system_status(command.front(), "cannot start", code);
  return ChildProcess(pid);
}

Result<std::optional<ChildEnd>> ChildProcess::poll() {
  int status = 0;
  const pid_t got = ::waitpid(pid_, &status, WNOHANG);
  if (got < 0 && errno == EINTR) return std::optional<ChildEnd>();
  if (got < 0) return system_status("process", "cannot wait for the child", errno);
  if (got == 0) return std::optional<ChildEnd>();
  reaped_ = true;
  if (WIFSIGNALED(status)) {
    return std::optional(ChildEnd{.kind = ChildEnd::Kind::kSignalled, .number = WTERMSIG(status)});
  }
  return std::optional(ChildEnd{.kind = ChildEnd::Kind::kExited, .number = WEXITSTATUS(status)});
}

void ChildProcess::signal_group(int signal) const {
  // The group may be gone when the signal comes: there is nobody left to tell then.
  if (!reaped_) (void)::kill(-pid_, signal);
}

}  // namespace cairn
