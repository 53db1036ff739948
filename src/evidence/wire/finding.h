// Findings: what a document breaks, and the rules that may be looked at one at a time.
//
// Purpose     every refusal of this room names the rule, the place in the document, what was found
//             there and what is accepted; the texts are written in one place.
// Invariants  a rule is a row {id, check} of its chapter's table; a check never names its own id.
// Threads     values; no shared state.
// Adding      a rule: a row in its chapter's table.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace cairn::evidence {

/// One broken rule of native-performance.md.
struct Finding {
  std::vector<std::string> ids;  // the outermost rule first, e.g. X-03 then R-09
  std::string path;              // inside the document, e.g. levers[3].id; empty is the root
  std::string found;
  std::string accepted;

  /// "[X-03] machine.scrubbed_id: found "FILL_ID", accepted a scrubbed id"
  std::string text() const;
};

using Findings = std::vector<Finding>;

/// Which rules are enforced: all, or (in tests that show what a rule does) all but one.
struct Rules {
  std::string_view off;

  bool on(std::string_view id) const { return id != off; }
};

/// Collects the findings of one rule.
class Report {
 public:
  Report(std::string_view id, Findings& findings) : id_(id), findings_(findings) {}

  /// Adds a finding of this rule.
  void add(std::string path, std::string found, std::string accepted);
  /// Adds findings of other rules, each with this rule's id in front and its path below `path`.
  void add_inner(const Findings& inner, std::string_view path = "");

 private:
  std::string_view id_;
  Findings& findings_;
};

/// A row of a chapter's table of rules.
template <typename Subject>
struct Rule {
  std::string_view id;
  void (*check)(const Subject& subject, Report& report) = nullptr;
};

/// The findings sorted by the bytes of their text, equal texts once.
Findings sorted(Findings findings);

/// Every finding of every enforced row, sorted.
template <typename Subject>
Findings collect(std::span<const Rule<Subject>> table, const Subject& subject, Rules rules) {
  Findings findings;
  for (const Rule<Subject>& row : table) {
    Report report(row.id, findings);
    if (rules.on(row.id)) row.check(subject, report);
  }
  return sorted(std::move(findings));
}

/// The findings of the first enforced row that has any.
template <typename Subject>
Findings first_failure(std::span<const Rule<Subject>> table, const Subject& subject, Rules rules) {
  Findings findings;
  for (const Rule<Subject>& row : table) {
    Report report(row.id, findings);
    if (rules.on(row.id)) row.check(subject, report);
    if (!findings.empty()) break;
  }
  return findings;
}

/// One line per finding, each with "`document`: " in front.
std::string to_lines(const Findings& findings, std::string_view document);

/// kInvalidFile with to_lines(), or ok when there is no finding.
Status to_status(const Findings& findings, std::string_view document);

/// `text` in quotes for an error line: escaped as in JSON, cut after about a hundred bytes.
std::string quote(std::string_view text);

/// "`path`.`key`", or the key alone at the root.
std::string member_path(std::string_view path, std::string_view key);
/// "`path`[`index`]"
std::string item_path(std::string_view path, std::size_t index);

}  // namespace cairn::evidence
