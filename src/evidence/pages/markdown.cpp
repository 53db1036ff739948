#include "evidence/pages/markdown.h"

#include <algorithm>
#include <iterator>

namespace cairn::evidence {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The cells of "| a | b |"; an escaped bar belongs to its cell.
std::vector<std::string> cells_of(std::string_view text) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '|' && text[i - 1] != '\\') {
      cells.emplace_back(trimmed(cell));
      cell.clear();
    } else {
      cell += text[i];
    }
  }
  if (!trimmed(cell).empty()) cells.emplace_back(trimmed(cell));
  return cells;
}

bool is_rule(std::string_view text) {
  return text.starts_with("|-") && text.find_first_not_of("|-: ") == std::string_view::npos;
}

class PageReader {
 public:
  void take(std::string_view text, std::size_t line) {
    if (text.starts_with("```")) {
      in_code_ = !in_code_;
      in_table_ = false;
      return;
    }
    if (in_code_) return;
    if (text.starts_with('|')) {
      take_table(text, line);
      page.table_lines.push_back({.line = line, .text = std::string(text)});
    } else {
      in_table_ = false;
      take_text(text, line);
    }
    std::ranges::move(links_of(text, line), std::back_inserter(page.links));
  }

  Markdown page;

 private:
  void take_table(std::string_view text, std::size_t line) {
    if (is_rule(text)) return;
    if (in_table_) {
      page.tables.back().rows.push_back({.line = line, .cells = cells_of(text)});
      return;
    }
    in_table_ = true;
    page.tables.push_back({.heading = heading_, .line = line, .names = cells_of(text), .rows = {}});
  }

  void take_text(std::string_view text, std::size_t line) {
    const std::size_t marks = std::min(text.find_first_not_of('#'), text.size());
    if (marks > 0 && marks < text.size() && text[marks] == ' ') {
      heading_ = trimmed(text.substr(marks));
      page.headings.push_back({.line = line, .text = heading_});
    } else if (!trimmed(text).empty()) {
      page.prose.push_back({.line = line, .text = std::string(text)});
    }
  }

  bool in_code_ = false;
  bool in_table_ = false;
  std::string heading_;
};

}  // namespace

std::optional<std::size_t> MarkdownTable::column(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::string_view MarkdownTable::cell(const MarkdownRow& row, std::string_view name) const {
  const std::optional<std::size_t> at = column(name);
  return at && *at < row.cells.size() ? std::string_view(row.cells[*at]) : std::string_view();
}

Markdown parse_markdown(std::string_view text) {
  PageReader reader;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.take(text.substr(0, end), line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(reader.page);
}

std::vector<MarkdownLink> links_of(std::string_view text, std::size_t line) {
  std::vector<MarkdownLink> links;
  const std::string plain = without_code(text);
  for (std::size_t at = 0; (at = plain.find("](", at)) != std::string::npos;) {
    const std::size_t open = plain.rfind('[', at);
    const std::size_t close = plain.find(')', at);
    if (open != std::string::npos && close != std::string::npos) {
      links.push_back({.line = line,
                       .text = plain.substr(open + 1, at - open - 1),
                       .target = plain.substr(at + 2, close - at - 2)});
    }
    at += 2;
  }
  return links;
}

std::string without_code(std::string_view text) {
  std::string plain;
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    if (c != '`' && !code) plain += c;
  }
  return plain;
}

}  // namespace cairn::evidence
