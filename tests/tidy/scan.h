// Just enough reading of C++ text for the tidy rules: lines, code without comments, functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tidy {

/// A file below the checkout's root, as text.
struct SourceFile {
  std::string path;  // "src/base/status.h"
  std::string text;

  bool is_test() const { return path.find("_test.") != std::string::npos; }
  bool is_header() const { return path.ends_with(".h"); }
};

/// A function body found in a file.
struct FunctionSpan {
  std::size_t line = 0;   // of the opening brace, from 1
  std::size_t lines = 0;  // from the opening to the closing brace, both counted
};

/// Every .h and .cpp below `folders` of `root`, sorted by path.
std::vector<SourceFile> read_sources(const std::string& root,
                                     const std::vector<std::string>& folders);

/// The lines of `text` without their line ends.
std::vector<std::string_view> lines_of(std::string_view text);

/// `text` with comments and the insides of string and character literals blanked, lines kept.
std::string code_only(std::string_view text);

/// The functions of `text`: bodies that open after a parameter list.
std::vector<FunctionSpan> functions_of(std::string_view text);

}  // namespace cairn::tidy
