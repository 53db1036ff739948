// The part of Markdown that the pages use: headings, tables, prose, links.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::evidence {

struct MarkdownRow {
  std::size_t line = 0;  // from 1
  std::vector<std::string> cells;
};

struct MarkdownTable {
  std::string heading;  // of the section that it stands in
  std::size_t line = 0;
  std::vector<std::string> names;
  std::vector<MarkdownRow> rows;

  /// The column with this name, or nothing.
  std::optional<std::size_t> column(std::string_view name) const;
  /// A row's cell below this name; "" where the table or the row has none.
  std::string_view cell(const MarkdownRow& row, std::string_view name) const;
};

struct MarkdownLine {
  std::size_t line = 0;
  std::string text;
};

struct MarkdownLink {
  std::size_t line = 0;
  std::string text;
  std::string target;
};

/// One page.
struct Markdown {
  std::vector<MarkdownLine> headings;  // without their marks
  std::vector<MarkdownTable> tables;
  std::vector<MarkdownLine> prose;  // neither heading, table nor code
  std::vector<MarkdownLine> table_lines;
  std::vector<MarkdownLink> links;  // of prose and tables
};

/// Reads a page. Cost: linear in the text.
Markdown parse_markdown(std::string_view text);

/// The links of one line.
std::vector<MarkdownLink> links_of(std::string_view text, std::size_t line);

/// The line without its code spans.
std::string without_code(std::string_view text);

}  // namespace cairn::evidence
