// Vocabulary and what binds: M-13..M-21, M-25..M-27, M-30, M-33, M-36, M-38.
#include <algorithm>
#include <array>

#include "evidence/pages/check.h"
#include "evidence/wire/predicates.h"

namespace cairn::evidence {
namespace {

constexpr std::array<std::string_view, 6> kDispositions = {
    "Results",           "Blocked, no number",    "Method, no headline number",
    "Method, no result", "Index of entry points", "Gap register"};
constexpr std::array<std::string_view, 16> kEntered = {
    "BINDING", "INDICATIVE",   "PROVISIONAL",    "PENDING",       "OWED",    "SUPERSEDED",
    "VOID",    "WITHDRAWN",    "REFUTED",        "NEGATIVE",      "NEUTRAL", "NOT SEPARATED",
    "BLOCKED", "NOT MEASURED", "NOT APPLICABLE", "NO NUMBER OWED"};
constexpr std::array<std::string_view, 3> kDerived = {"AHEAD", "TIE", "BEHIND"};
constexpr std::array<std::string_view, 4> kTokenClasses = {"token-exact", "near-tie", "coherent",
                                                           "not run"};
constexpr std::array<std::string_view, 6> kOutcomes = {"default",  "opt-in",  "NEUTRAL",
                                                       "NEGATIVE", "REFUTED", "WITHDRAWN"};

/// M-13
void dispositions(const PagesView& view, Report& report) {
  const auto index = view.pages.find(std::string(kIndexPath));
  if (index == view.pages.end()) return;
  for (const MarkdownTable& table : index->second.tables) {
    if (!table.column("disposition")) continue;
    for (const MarkdownRow& row : table.rows) {
      const std::string_view found = table.cell(row, "disposition");
      if (one_of(found, kDispositions)) continue;
      report.add(at_line(kIndexPath, row.line), quote(found), "one of the six dispositions");
    }
  }
  for (const PlanPage& page : view.evidence.plan.pages) {
    if (one_of(page.disposition, kDispositions)) continue;
    report.add(std::string(kPlanPath) + ": pages." + page.id, quote(page.disposition),
               "one of the six dispositions");
  }
}

/// M-14
void derived_words(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (one_of(row.cell("word"), kDerived)) {
      report.add(row.place(), "the typed word " + quote(row.cell("word")),
                 "AHEAD, TIE and BEHIND as computed, in their own column");
    }
    if (row.source == nullptr) continue;
    const std::string_view accepted =
        row.source->standing.word.empty() ? kNothing : row.source->standing.word;
    if (row.cell("standing") == accepted) continue;
    report.add(row.place(), quote(row.cell("standing")),
               quote(accepted) + " by cells and noise band");
  }
}

/// M-15
void entered_words(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (row.is_total()) continue;
    if (!one_of(row.cell("word"), kEntered) && !one_of(row.cell("word"), kDerived)) {
      report.add(row.place(), quote(row.cell("word")), "a word of the list");
    }
    if (is_blank(row.cell("reason")) || row.cell("reason") == kNothing) {
      report.add(row.place(), "no reason", "the reason of the entered word");
    }
  }
}

/// M-16
void levers_tried(const PagesView& view, Report& report) {
  const auto listed = [&](const std::string& lever) {
    return std::ranges::find(view.evidence.plan.levers_tried, lever, &TriedLever::lever) !=
           view.evidence.plan.levers_tried.end();
  };
  for (const auto& [path, receipt] : view.evidence.receipts) {
    if (listed(receipt.changed_lever_id)) continue;
    report.add(path, "the tried lever " + quote(receipt.changed_lever_id),
               "a row of the tried levers");
  }
  for (const auto& [path, record] : view.evidence.records) {
    if (record.subject.kind != "lever" || record.subject.control) continue;
    if (listed(record.subject.key)) continue;
    report.add(path, "the tried lever " + quote(record.subject.key), "a row of the tried levers");
  }
  for (const TriedLever& tried : view.evidence.plan.levers_tried) {
    if (one_of(tried.outcome, kOutcomes) && view.evidence.digests.contains(tried.evidence))
      continue;
    report.add("levers_tried." + tried.lever, quote(tried.outcome) + ", " + quote(tried.evidence),
               "an outcome of the list, and a receipt or bench record");
  }
}

/// The row says more than a limit with this id leaves.
void limited_by(const PagesView& view, std::string_view id, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (row.source == nullptr) continue;
    for (const Limit& limit : row.source->standing.limits) {
      if (limit.id != id) continue;
      const bool no_ratio = strength_of(limit.word) == 0;
      if (strength_of(row.cell("word")) > strength_of(limit.word)) {
        report.add(row.place(), quote(row.cell("word")),
                   std::string(limit.word) + ": " + limit.reason);
      } else if (no_ratio && row.cell("ratio") != kNothing) {
        report.add(row.place(), "the ratio " + quote(row.cell("ratio")), "none: " + limit.reason);
      }
    }
  }
}

void not_clean(const PagesView& view, Report& report) { limited_by(view, "M-17", report); }
void investigated(const PagesView& view, Report& report) { limited_by(view, "M-18", report); }
void failed_requests(const PagesView& view, Report& report) { limited_by(view, "M-19", report); }
void weak_tokens(const PagesView& view, Report& report) { limited_by(view, "M-21", report); }
void other_work(const PagesView& view, Report& report) { limited_by(view, "M-27", report); }
void host_changed(const PagesView& view, Report& report) { limited_by(view, "M-30", report); }
void one_run(const PagesView& view, Report& report) { limited_by(view, "M-33", report); }
void weakened(const PagesView& view, Report& report) { limited_by(view, "M-36", report); }
void newer_peer(const PagesView& view, Report& report) { limited_by(view, "M-38", report); }

/// M-20
void token_classes(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (row.is_total()) continue;
    const std::string_view found = row.cell("tokens");
    const std::string_view accepted =
        row.source == nullptr ? std::string_view() : token_class(row.source->record);
    if (row.source == nullptr ? one_of(found, kTokenClasses) : found == accepted) continue;
    report.add(row.place(), quote(found), quote(accepted) + " by the outputs of both arms");
  }
}

/// M-25
void wide_spread(const PagesView& view, Report& report) {
  limited_by(view, "M-25", report);
  for (const RowOnPage& row : view.rows) {
    if (row.source == nullptr) continue;
    for (const auto& [name, figure] : cell_figures(row)) {
      if (!*figure || (*figure)->spread_percent <= kSpreadPercentMax) continue;
      if (row.cell(name) == kNothing) continue;
      if (row.cell(name).find(" to ") != std::string_view::npos) continue;
      report.add(row.place(), quote(row.cell(name)), "a range, for a spread over 3 %");
    }
  }
}

/// M-26
void not_separated(const PagesView& view, Report& report) {
  limited_by(view, "M-26", report);
  for (const RowOnPage& row : view.rows) {
    if (row.source == nullptr || row.source->standing.word != "TIE") continue;
    if (row.cell("standing") == "TIE") continue;
    report.add(row.place(), quote(row.cell("standing")), "TIE: inside the noise band");
  }
}

constexpr std::array kCheckWordsRules = {
    PagesRule{.id = "M-13", .check = &dispositions},
    PagesRule{.id = "M-14", .check = &derived_words},
    PagesRule{.id = "M-15", .check = &entered_words},
    PagesRule{.id = "M-16", .check = &levers_tried},
    PagesRule{.id = "M-17", .check = &not_clean},
    PagesRule{.id = "M-18", .check = &investigated},
    PagesRule{.id = "M-19", .check = &failed_requests},
    PagesRule{.id = "M-20", .check = &token_classes},
    PagesRule{.id = "M-21", .check = &weak_tokens},
    PagesRule{.id = "M-25", .check = &wide_spread},
    PagesRule{.id = "M-26", .check = &not_separated},
    PagesRule{.id = "M-27", .check = &other_work},
    PagesRule{.id = "M-30", .check = &host_changed},
    PagesRule{.id = "M-33", .check = &one_run},
    PagesRule{.id = "M-36", .check = &weakened},
    PagesRule{.id = "M-38", .check = &newer_peer},
};

}  // namespace

std::span<const PagesRule> word_rules() { return kCheckWordsRules; }

}  // namespace cairn::evidence
