#include "tests/evidence/fake_server.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

extern char** environ;

namespace cairn::cli_test {
namespace {

/// The server's first line, without its end.
std::string first_line(int file) {
  std::string line;
  for (char byte = 0; ::read(file, &byte, 1) == 1 && byte != '\n';) line += byte;
  return line;
}

}  // namespace

FakeServer::FakeServer(const std::string& behaviour) {
  std::array<int, 2> in = {};
  std::array<int, 2> out = {};
  if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) return;
  posix_spawn_file_actions_t actions = {};
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  std::string program = "python3";
  std::string script = CAIRN_SOURCE_DIR "/tests/evidence/fake_server.py";
  std::string word = behaviour;
  std::array<char*, 4> arguments = {program.data(), script.data(), word.data(), nullptr};
  const int code = ::posix_spawnp(&pid_, "python3", &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  input_ = in[1];
  if (code == 0) url_ = "http://127.0.0.1:" + first_line(out[0]) + "/v1";
  ::close(out[0]);
}

FakeServer::~FakeServer() {
  if (input_ >= 0) ::close(input_);
  if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
}

}  // namespace cairn::cli_test
