#include "tests/tidy/rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>

namespace cairn::tidy {
namespace {

constexpr std::size_t kFileLinesMax = 400;
constexpr std::size_t kFunctionLinesMax = 60;

/// A room and the rooms it may include: those before it, less what its last column forbids
/// (the table of ARCHITECTURE.md).
struct Room {
  std::string_view name;
  std::set<std::string_view> knows_nothing_of;
};

const std::vector<Room>& rooms() {
  static const std::vector<Room> kRooms = {
      {"base", {}},
      {"evidence", {}},
      {"tensor", {"evidence"}},
      {"formats", {"evidence"}},
      {"kernels", {"evidence", "formats"}},
      {"tokenizer", {"evidence", "kernels"}},
      {"models", {"evidence", "tokenizer"}},
      {"engine", {"evidence", "tokenizer", "formats"}},
      {"runtime", {"evidence"}},
      {"server", {"tensor", "formats", "kernels", "models", "engine"}},
      {"bench", {}},
      {"capi", {}},
      {"cli", {}},
  };
  return kRooms;
}

std::string at(const SourceFile& file, std::size_t line, std::string_view what) {
  return file.path + ":" + std::to_string(line) + ": " + std::string(what);
}

/// "base" of "src/base/status.h"; empty outside src/.
std::string_view room_of(std::string_view path) {
  if (!path.starts_with("src/")) return {};
  path.remove_prefix(4);
  return path.substr(0, path.find('/'));
}

Breaches check_lines(const SourceFile& file, std::string_view text, const std::regex& pattern,
                     std::string_view what) {
  Breaches breaches;
  const std::vector<std::string_view> lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (std::regex_search(lines[i].begin(), lines[i].end(), pattern)) {
      breaches.push_back(at(file, i + 1, what));
    }
  }
  return breaches;
}

Breaches room_arrows(const SourceFile& file) {
  static const std::regex kInclude(R"re(^#include "(\w+)/)re");
  const auto self = std::ranges::find(rooms(), room_of(file.path), &Room::name);
  if (self == rooms().end()) return {};
  Breaches breaches;
  const std::vector<std::string_view> lines = lines_of(file.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::match_results<std::string_view::const_iterator> match;
    if (!std::regex_search(lines[i].begin(), lines[i].end(), match, kInclude)) continue;
    const std::string target = match[1];
    if (target == "tests" && file.is_test()) continue;
    const auto other = std::ranges::find(rooms(), target, &Room::name);
    if (other == rooms().end() || other > self || self->knows_nothing_of.contains(other->name)) {
      breaches.push_back(at(file, i + 1, std::string(self->name) + " may not include " + target));
    }
  }
  return breaches;
}

Breaches file_size(const SourceFile& file) {
  const std::vector<std::string_view> lines = lines_of(file.text);
  if (lines.size() <= kFileLinesMax) return {};
  const bool says_so = lines[0].find("onger than") != std::string_view::npos;
  if (says_so) return {};
  return {at(file, lines.size(),
             "more than 400 lines, and line one does not say why it is longer than that")};
}

Breaches function_size(const SourceFile& file) {
  Breaches breaches;
  for (const FunctionSpan& function : functions_of(file.text)) {
    if (function.lines > kFunctionLinesMax + 2) {
      breaches.push_back(
          at(file, function.line, "a function of " + std::to_string(function.lines) + " lines"));
    }
  }
  return breaches;
}

/// Above the kernels nothing knows what it runs on.
Breaches device_names(const SourceFile& file) {
  static const std::set<std::string_view> kBlind = {"tokenizer", "models", "engine", "runtime",
                                                    "server"};
  static const std::regex kNames(R"(\b(cpu|cuda|vulkan|avx2?|avx512\w*|vnni|amx|neon)\b|CpuDevice)",
                                 std::regex::icase);
  if (!kBlind.contains(room_of(file.path)) || file.is_test()) return {};
  return check_lines(file, file.text, kNames, "names a device or a tier");
}

Breaches environment(const SourceFile& file) {
  static const std::regex kGetenv(R"(\b(secure_)?getenv\s*\(|\benviron\b)");
  if (room_of(file.path).empty() || room_of(file.path) == "cli" || file.is_test()) return {};
  return check_lines(file, code_only(file.text), kGetenv, "reads the environment outside cli/");
}

Breaches printing(const SourceFile& file) {
  static const std::regex kPrints(
      R"(\bstd::(cout|cerr|clog)\b|\b(std::)?(printf|puts|exit|quick_exit)\s*\(|\bfmt::print\b)");
  if (room_of(file.path).empty() || room_of(file.path) == "cli" || file.is_test()) return {};
  return check_lines(file, code_only(file.text), kPrints, "the library never prints or exits");
}

Breaches using_namespace(const SourceFile& file) {
  static const std::regex kUsing(R"(^\s*using namespace\b(?!.*_literals;))");
  return check_lines(file, code_only(file.text), kUsing, "using namespace");
}

Breaches pragma_once(const SourceFile& file) {
  if (!file.is_header() || file.text.find("\n#pragma once\n") != std::string::npos ||
      file.text.starts_with("#pragma once\n")) {
    return {};
  }
  return {at(file, 1, "a header without #pragma once")};
}

Breaches leftovers(const SourceFile& file) {
  static const std::regex kWords(R"(\b(TODO|FIXME|XXX|HACK)\b|/work/|pypi\.org|deb\.debian\.org)");
  if (file.path.starts_with("tests/tidy/")) return {};
  return check_lines(file, file.text, kWords, "unfinished work, a path or a host of one machine");
}

bool is_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != std::string_view::npos && line.substr(first).starts_with("//");
}

/// A function declared at namespace scope of a header stands below a comment, or right below a
/// neighbour that does: one comment may serve a group.
Breaches public_functions_documented(const SourceFile& file) {
  static const std::regex kFunction(
      R"(^(?!using|return|template|static_assert|#|extern|typedef|namespace|class|struct|enum)[\w:<>\[\]][^=;]*\()");
  if (!file.is_header() || room_of(file.path).empty()) return {};
  Breaches breaches;
  const std::vector<std::string_view> lines = lines_of(file.text);
  bool documented = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty()) documented = false;
    if (is_comment(lines[i])) documented = true;
    if (std::regex_search(lines[i].begin(), lines[i].end(), kFunction) && !documented) {
      breaches.push_back(at(file, i + 1, "a public function without a comment"));
    }
  }
  return breaches;
}

constexpr std::array kRules = {
    Rule{.name = "room arrows", .check = &room_arrows},
    Rule{.name = "file size", .check = &file_size},
    Rule{.name = "function size", .check = &function_size},
    Rule{.name = "device names", .check = &device_names},
    Rule{.name = "environment", .check = &environment},
    Rule{.name = "printing", .check = &printing},
    Rule{.name = "using namespace", .check = &using_namespace},
    Rule{.name = "pragma once", .check = &pragma_once},
    Rule{.name = "leftovers", .check = &leftovers},
    Rule{.name = "documented", .check = &public_functions_documented},
};

}  // namespace

std::span<const Rule> rules() { return kRules; }

}  // namespace cairn::tidy
