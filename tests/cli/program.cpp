#include "tests/cli/program.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace cairn::cli_test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Program::Program() {
  std::string name = (fs::temp_directory_path() / "cairn-test-XXXXXX").string();
  folder_ = ::mkdtemp(name.data());
}

Program::~Program() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Said Program::run(std::string_view arguments, std::string_view before, std::string_view input,
                  std::string_view out) {
  const std::string in = file("stdin", input);
  const std::string kept = folder_ + "/stdout";
  file("stdout", "");
  const std::string line =
      fmt::format("CAIRN_HOME={0}/home {1} {2} {3} <{4} >{5} 2>{0}/stderr", folder_, before,
                  CAIRN_BINARY, arguments, in, out.empty() ? kept : out);
  const int status = std::system(line.c_str());
  return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .out = text_of(kept),
          .err = text_of(folder_ + "/stderr")};
}

std::string Program::file(std::string_view name, std::string_view bytes) const {
  const fs::path path = fs::path(folder_) / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string smollm2() { return CAIRN_TEST_DATA_DIR "/SmolLM2-135M-Instruct.Q4_1.gguf"; }

std::string head_of(const std::string& path, std::size_t size) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes(size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

bool is_one_line_with(const std::string& text, std::string_view parts) {
  if (std::ranges::count(text, '\n') != 1 || !text.ends_with('\n')) return false;
  while (!parts.empty()) {
    const std::size_t end = std::min(parts.find('|'), parts.size());
    if (text.find(parts.substr(0, end)) == std::string::npos) return false;
    parts.remove_prefix(std::min(end + 1, parts.size()));
  }
  return true;
}

}  // namespace cairn::cli_test
