// Runs the cairn binary as a shell would and keeps what it said.
#pragma once

#include <string>
#include <string_view>

namespace cairn::cli_test {

struct Said {
  int code = -1;
  std::string out;
  std::string err;
};

/// A fresh folder for one test, removed at its end; CAIRN_HOME of the programs that it runs.
class Program {
 public:
  Program();
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// `cairn ARGUMENTS`, as a shell line; `before` stands in front (variables, timeout), standard
  /// input is `input`. Standard output goes to the file `out`, or is kept when that is empty.
  Said run(std::string_view arguments, std::string_view before = "", std::string_view input = "",
           std::string_view out = "");

  /// Writes a file into the folder; returns its path.
  std::string file(std::string_view name, std::string_view bytes) const;
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

/// The SmolLM2 file that tests/data/fetch brings.
std::string smollm2();

/// The first `size` bytes of a file.
std::string head_of(const std::string& path, std::size_t size);

/// One line, ended, that contains all of `parts` (separated by "|").
bool is_one_line_with(const std::string& text, std::string_view parts);

}  // namespace cairn::cli_test
