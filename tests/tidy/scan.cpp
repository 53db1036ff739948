#include "tests/tidy/scan.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace cairn::tidy {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Copies a literal's delimiters and blanks its inside; returns the place after it.
std::size_t blank_literal(std::string_view text, std::size_t at, std::string& out) {
  const char quote = text[at];
  out += quote;
  ++at;
  while (at < text.size() && text[at] != quote && text[at] != '\n') {
    const std::size_t step = text[at] == '\\' && at + 1 < text.size() ? 2 : 1;
    out.append(step, ' ');
    at += step;
  }
  if (at < text.size()) out += text[at];
  return at + 1;
}

/// Blanks R"tag( … )tag" but its line ends; returns the place after it.
std::size_t blank_raw_literal(std::string_view text, std::size_t at, std::string& out) {
  const std::size_t open = text.find('(', at);
  if (open == std::string_view::npos) return text.size();
  const std::string close = ")" + std::string(text.substr(at + 2, open - at - 2)) + "\"";
  const std::size_t end = std::min(text.find(close, open), text.size() - close.size());
  out += "\"";
  for (std::size_t i = at; i < end + close.size(); ++i) out += text[i] == '\n' ? '\n' : ' ';
  out += "\"";
  return end + close.size();
}

std::size_t blank_until(std::string_view text, std::size_t at, std::string_view end,
                        std::string& out) {
  const std::size_t stop = std::min(text.find(end, at), text.size());
  for (; at < stop; ++at) out += text[at] == '\n' ? '\n' : ' ';
  return at;
}

bool is_digit_separator(std::string_view text, std::size_t at) {
  return at > 0 && std::isxdigit(static_cast<unsigned char>(text[at - 1])) != 0;
}

/// What stands before an opening brace decides whether it opens a function.
bool opens_function(std::string_view before) {
  static const std::regex kFunction(
      R"(\)\s*(const|noexcept|override|final|mutable|&|&&|->\s*[\w:<>,\s\*&]+|\s)*$)");
  static const std::regex kControl(
      R"((^|[;{}\s])(if|for|while|switch|catch)\s*(constexpr\s*)?\([^;{}]*(;[^;{}]*){0,2}\)\s*$)");
  const std::string tail(before.substr(before.size() - std::min<std::size_t>(before.size(), 400)));
  const std::size_t statement = tail.find_last_of("{}");
  const std::string last = statement == std::string::npos ? tail : tail.substr(statement + 1);
  return std::regex_search(last, kFunction) && !std::regex_search(last, kControl);
}

}  // namespace

std::vector<SourceFile> read_sources(const std::string& root,
                                     const std::vector<std::string>& folders) {
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    if (!fs::exists(fs::path(root) / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(root) / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      files.push_back({.path = fs::relative(entry.path(), root), .text = read_text(entry.path())});
    }
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string code_only(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//")) {
      at = blank_until(text, at, "\n", out);
    } else if (rest.starts_with("/*")) {
      at = blank_until(text, at, "*/", out);
    } else if (rest.starts_with("R\"")) {
      at = blank_raw_literal(text, at, out);
    } else if (rest[0] == '"' || (rest[0] == '\'' && !is_digit_separator(text, at))) {
      at = blank_literal(text, at, out);
    } else {
      out += text[at++];
    }
  }
  return out;
}

std::vector<FunctionSpan> functions_of(std::string_view text) {
  struct Open {
    std::size_t line = 0;
    bool function = false;
  };
  const std::string code = code_only(text);
  std::vector<Open> open;
  std::vector<FunctionSpan> functions;
  std::size_t line = 1;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i] == '\n') ++line;
    if (code[i] == '{') {
      open.push_back(
          {.line = line, .function = opens_function(std::string_view(code).substr(0, i))});
    } else if (code[i] == '}' && !open.empty()) {
      const Open last = open.back();
      open.pop_back();
      if (last.function) functions.push_back({.line = last.line, .lines = line - last.line + 1});
    }
  }
  return functions;
}

}  // namespace cairn::tidy
