#include "evidence/state/state_record.h"

#include <algorithm>
#include <array>

#include "base/sha256.h"
#include "evidence/wire/encode.h"
#include "evidence/wire/predicates.h"
#include "evidence/wire/utc.h"

namespace cairn::evidence {
namespace {

constexpr std::array<std::string_view, 6> kLineKinds = {"measured",  "accepted", "superseded",
                                                        "withdrawn", "void",     "closed"};

struct StateView {
  std::string_view text;
  const StateRecord& record;
  std::span<const StateVersion> earlier;
};

using StateRule = Rule<StateView>;

std::string line_path(std::size_t index) { return "line " + std::to_string(index + 1); }

/// M-04: each line is what its successor says it is.
void chain(const StateView& view, Report& report) {
  for (std::size_t i = 0; i < view.record.lines.size(); ++i) {
    const std::string before = i == 0 ? "" : sha256_hex(std::string_view(view.record.texts[i - 1]));
    const StateLine& line = view.record.lines[i];
    if (line.previous_sha256 != before) {
      report.add(line_path(i) + ".previous_sha256", quote(line.previous_sha256),
                 "the hash of the line before, " + quote(before));
    }
    if (canonical_text(line) != view.record.texts[i]) {
      report.add(line_path(i), "a spelling of its own", "the compact form");
    }
    if (!one_of(line.kind, kLineKinds)) {
      report.add(line_path(i) + ".kind", quote(line.kind), "a kind of the closed list");
    }
  }
}

/// M-05: lines that moved or went away break the chain and the count together.
void order(const StateView& view, Report& report) {
  const std::vector<StateLine>& lines = view.record.lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].id == static_cast<std::int64_t>(i) + 1) continue;
    const bool elsewhere = std::ranges::any_of(
        lines, [&](const StateLine& line) { return line.id == static_cast<std::int64_t>(i) + 1; });
    report.add(line_path(i), "line " + std::to_string(lines[i].id),
               elsewhere ? "line " + std::to_string(i + 1) + ", which was moved"
                         : "line " + std::to_string(i + 1) + ", which is missing");
    return;
  }
}

/// M-06: the past is a prefix.
void prefix(const StateView& view, Report& report) {
  for (const StateVersion& version : view.earlier) {
    if (view.text.starts_with(version.text)) continue;
    report.add("", "another beginning than at " + version.commit,
               "the file of every earlier commit, byte for byte, and more behind it");
  }
}

/// M-07
void time_forward(const StateView& view, Report& report) {
  std::string before;
  for (std::size_t i = 0; i < view.record.lines.size(); ++i) {
    const std::string& time = view.record.lines[i].time_utc;
    const std::optional<std::string> key = utc_key(time);
    if (!key || *key < before) {
      report.add(line_path(i) + ".time_utc", quote(time),
                 "a time in UTC, not before that of the line above");
    }
    if (key) before = std::max(before, *key);
  }
}

/// M-08
void counted(const StateView& view, Report& report) {
  for (std::size_t i = 0; i < view.record.lines.size(); ++i) {
    if (view.record.lines[i].id == static_cast<std::int64_t>(i) + 1) continue;
    report.add(line_path(i) + ".id", std::to_string(view.record.lines[i].id),
               std::to_string(i + 1));
  }
}

constexpr std::array kStateRecordRules = {
    StateRule{.id = "M-04", .check = &chain},   StateRule{.id = "M-05", .check = &order},
    StateRule{.id = "M-06", .check = &prefix},  StateRule{.id = "M-07", .check = &time_forward},
    StateRule{.id = "M-08", .check = &counted},
};

}  // namespace

Decoded<StateRecord> decode_state_record(std::string_view text, Rules rules) {
  Decoded<StateRecord> result;
  Report report("M-04", result.findings);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string path = line_path(result.value.texts.size());
    if (end == std::string_view::npos) {
      report.add(path, "a last line without its line end", "whole lines");
    }
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    Decoded<StateLine> read = decode<StateLine>(line, rules);
    report.add_inner(read.findings, path);
    if (!result.ok()) return result;
    result.value.texts.emplace_back(line);
    result.value.lines.push_back(std::move(read.value));
  }
  return result;
}

Findings check_state_record(std::string_view text, std::span<const StateVersion> earlier,
                            Rules rules) {
  const Decoded<StateRecord> read = decode_state_record(text, rules);
  const StateView view = {.text = text, .record = read.value, .earlier = earlier};
  Findings findings = collect(std::span<const StateRule>(kStateRecordRules), view, rules);
  if (rules.on("M-04")) findings.insert(findings.end(), read.findings.begin(), read.findings.end());
  return sorted(std::move(findings));
}

Result<std::string> append_line(std::string_view text, StateLine line) {
  const Findings broken = check_state_record(text, {});
  if (!broken.empty()) return to_status(broken, "the state record");
  const Decoded<StateRecord> read = decode_state_record(text);
  line.id = static_cast<std::int64_t>(read.value.lines.size()) + 1;
  line.previous_sha256 =
      read.value.texts.empty() ? "" : sha256_hex(std::string_view(read.value.texts.back()));
  std::string whole = std::string(text) + canonical_text(line) + "\n";
  const Findings wrong = check_state_record(whole, {});
  if (!wrong.empty()) return invalid_argument(to_lines(wrong, "the new line"));
  return whole;
}

}  // namespace cairn::evidence
