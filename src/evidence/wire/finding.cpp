#include "evidence/wire/finding.h"

#include <algorithm>
#include <utility>

#include "evidence/wire/value.h"

namespace cairn::evidence {
namespace {

constexpr std::size_t kQuotedBytesMax = 100;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// `path` followed by `rest`, a path that may begin with a bracket.
std::string join_paths(std::string_view path, std::string_view rest) {
  if (path.empty() || rest.empty()) return std::string(path) + std::string(rest);
  return std::string(path) + (rest.front() == '[' ? "" : ".") + std::string(rest);
}

}  // namespace

std::string Finding::text() const {
  std::string text;
  for (const std::string& id : ids) text += "[" + id + "] ";
  if (!path.empty()) text += path + ": ";
  return text + "found " + found + ", accepted " + accepted;
}

void Report::add(std::string path, std::string found, std::string accepted) {
  findings_.push_back({.ids = {std::string(id_)},
                       .path = std::move(path),
                       .found = std::move(found),
                       .accepted = std::move(accepted)});
}

void Report::add_inner(const Findings& inner, std::string_view path) {
  for (const Finding& each : inner) {
    Finding outer = each;
    outer.ids.insert(outer.ids.begin(), std::string(id_));
    outer.path = join_paths(path, each.path);
    findings_.push_back(std::move(outer));
  }
}

Findings sorted(Findings findings) {
  std::vector<std::pair<std::string, Finding>> texts;
  texts.reserve(findings.size());
  for (Finding& finding : findings) texts.emplace_back(finding.text(), std::move(finding));
  std::ranges::stable_sort(texts, {}, &std::pair<std::string, Finding>::first);
  Findings result;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i == 0 || texts[i].first != texts[i - 1].first) result.push_back(texts[i].second);
  }
  return result;
}

std::string to_lines(const Findings& findings, std::string_view document) {
  std::string lines;
  for (const Finding& finding : findings) {
    if (!lines.empty()) lines += "\n";
    lines += std::string(document) + ": " + finding.text();
  }
  return lines;
}

Status to_status(const Findings& findings, std::string_view document) {
  return findings.empty() ? Status() : invalid_file(to_lines(findings, document));
}

std::string quote(std::string_view text) {
  if (text.size() <= kQuotedBytesMax) return string_text(text);
  std::size_t end = kQuotedBytesMax;
  while (end > 0 && continues_character(text[end])) --end;
  return string_text(text.substr(0, end)) + "... (" + std::to_string(text.size()) + " bytes)";
}

std::string member_path(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : std::string(path) + "." + std::string(key);
}

std::string item_path(std::string_view path, std::size_t index) {
  return std::string(path) + "[" + std::to_string(index) + "]";
}

}  // namespace cairn::evidence
