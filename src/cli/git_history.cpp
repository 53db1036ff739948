#include "cli/git_history.h"

#include <array>
#include <cstdio>
#include <memory>

namespace cairn::cli {
namespace {

/// `text` as one word of a shell line.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

struct GitOutput {
  int code = -1;
  std::string text;
};

/// What `git -C root ARGUMENTS` prints; its own complaints are dropped, the code tells.
GitOutput run_git(const std::string& root, const std::string& arguments) {
  const std::string line = "TZ=UTC git -C " + shell_word(root) + " " + arguments + " 2>/dev/null";
  GitOutput output;
  std::FILE* pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 65536> bytes = {};
  for (std::size_t size = 0; (size = std::fread(bytes.data(), 1, bytes.size(), pipe)) > 0;) {
    output.text.append(bytes.data(), size);
  }
  output.code = ::pclose(pipe);
  return output;
}

}  // namespace

Result<std::vector<FileVersion>> file_history(const std::string& root, const std::string& path) {
  if (run_git(root, "rev-parse --is-inside-work-tree").code != 0) {
    return not_found(root + ": found no git work tree");
  }
  if (run_git(root, "rev-parse -q --verify HEAD").code != 0) return std::vector<FileVersion>();
  const GitOutput log = run_git(root,
                                "log --reverse --date=format-local:%Y-%m-%dT%H:%M:%SZ "
                                "--format='%h %cd' -- " +
                                    shell_word(path));
  if (log.code != 0) return io_error(root + ": git log failed for " + path);
  std::vector<FileVersion> versions;
  for (std::size_t at = 0; at < log.text.size();) {
    const std::size_t end = log.text.find('\n', at);
    const std::string line = log.text.substr(at, end - at);
    at = end == std::string::npos ? log.text.size() : end + 1;
    const std::size_t blank = line.find(' ');
    FileVersion version = {
        .commit = line.substr(0, blank), .time_utc = line.substr(blank + 1), .text = {}};
    const GitOutput shown = run_git(root, "show " + version.commit + ":./" + shell_word(path));
    version.text = shown.code == 0 ? shown.text : "";  // a commit that took the file away
    versions.push_back(std::move(version));
  }
  return versions;
}

}  // namespace cairn::cli
