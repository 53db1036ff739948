// How the figures were taken: M-22, M-24, M-31, M-35, M-49, M-51..M-53, M-55.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "evidence/bench/load.h"
#include "evidence/pages/check.h"
#include "evidence/wire/utc.h"

namespace cairn::evidence {
namespace {

std::string_view page_text(const PagesView& view, const std::string& path) {
  return view.tree.files.at(path);
}

std::string model_of(const BenchRecord& record) {
  return record.arms.empty() ? "" : record.arms[0].manifest.model_sha256;
}

/// Why the control does not serve the row, or "".
std::string control_fault(const RowSource& source) {
  if (source.control == nullptr) return "no control";
  const BenchRecord& control = *source.control;
  if (!control.subject.control) return "a control that is no A/A run";
  if (control.machine.scrubbed_id != source.record.machine.scrubbed_id) {
    return "a control of another machine";
  }
  if (model_of(control) != model_of(source.record)) return "a control of another model";
  if (!source.standing.band_percent) {
    return "a control without warm and cold readings of the metric";
  }
  const auto before = utc_key(control.machine.host_state.clock_after_utc);
  const auto after = utc_key(source.record.machine.host_state.clock_before_utc);
  if (before && after && *before > *after) return "a control that came later";
  return "";
}

/// M-22
void control_first(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (row.source == nullptr || row.cell("ratio") == kNothing) continue;
    const std::string fault = control_fault(*row.source);
    if (fault.empty()) continue;
    report.add(row.place(), fault,
               "an A/A record before it, of the same host, workload and statistic, back to back "
               "and with reload");
  }
}

bool has_row(const RowOnPage& row, std::string_view legs) {
  return std::ranges::any_of(row.table->rows, [&](const MarkdownRow& other) {
    return row.table->cell(other, "key") == row.cell("key") &&
           row.table->cell(other, "metric") == row.cell("metric") &&
           row.table->cell(other, "statistic") == row.cell("statistic") &&
           row.table->cell(other, "legs") == legs;
  });
}

bool has_cold(const RowSource& source) {
  return std::ranges::any_of(source.record.samples, [&](const BenchSample& sample) {
    return sample.cold && sample.metric == source.row.metric;
  });
}

/// M-24
void cold_apart(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (row.source == nullptr || row.is_history() || !has_cold(*row.source)) continue;
    if (row.source->record.subject.kind == "serve" || has_row(row, "cold only")) continue;
    report.add(row.place(), "cold legs that are not shown", "a row of the cold legs alone");
  }
}

/// True when the page lists the record as void, with count and reason.
bool lists_void(const Markdown& page, const std::string& path) {
  for (const MarkdownTable& table : page.tables) {
    if (table.heading != "Void attempts") continue;
    for (const MarkdownRow& row : table.rows) {
      if (table.cell(row, "reason").empty() || table.cell(row, "repetitions").empty()) continue;
      if (table.cell(row, "evidence").find(path) != std::string_view::npos) return true;
    }
  }
  return false;
}

/// M-31
void voids_kept(const PagesView& view, Report& report) {
  for (const auto& [path, record] : view.evidence.records) {
    if (void_reasons(record).empty()) continue;
    for (const PlanPage& page : view.evidence.plan.pages) {
      const std::string file = page_path(page.id);
      const auto found = view.pages.find(file);
      if (found == view.pages.end() || !has_key(page, record.subject.key)) continue;
      if (lists_void(found->second, path)) continue;
      report.add(file, "no row of the void " + quote(path), "count and reason");
    }
  }
}

/// M-35
void differences_shown(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (row.source == nullptr || row.is_history()) continue;
    const BenchArm* ours = our_arm(row.source->record);
    const BenchArm* reference = reference_arm(row.source->record);
    if (ours == nullptr || reference == nullptr || row.cell("ratio") == kNothing) continue;
    for (const ManifestDifference& one :
         manifest_differences(ours->manifest, reference->manifest)) {
      const std::string start = "- `" + row.source->row.key + "`: `" + one.key + "` is";
      if (one.forbids) {
        report.add(row.place(), "a ratio of arms that differ in " + one.key, "no ratio");
      } else if (page_text(view, row.path).find(start) == std::string_view::npos) {
        report.add(row.place(), "no word on the difference in " + one.key,
                   "every difference of the arms on the page");
      }
    }
  }
}

bool is_serve(const RowOnPage& row) {
  return row.source != nullptr && row.source->record.subject.kind == "serve" && !row.is_history();
}

/// M-49: rows whose key ends with " c<clients>".
void whole_grid(const PagesView& view, Report& report) {
  std::map<std::string, std::set<std::string>> grids;
  for (const RowOnPage& row : view.rows) {
    if (!is_serve(row)) continue;
    const std::string key(row.cell("key"));
    const std::size_t at = key.rfind(" c");
    if (at == std::string::npos) continue;
    grids[row.path + " (" + key.substr(0, at) + ")"].insert(key.substr(at + 2));
  }
  for (const auto& [place, clients] : grids) {
    for (const int accepted : kClosedLoopClients) {
      if (clients.contains(std::to_string(accepted))) continue;
      report.add(place, "no row of " + std::to_string(accepted) + " clients",
                 "1, 2, 4, 8, 16 and 32");
    }
  }
}

/// The text below a heading, to the next one; "" without that heading.
std::string_view section_text(std::string_view text, std::string_view heading) {
  const std::size_t at = text.find(heading);
  if (at == std::string_view::npos) return "";
  text.remove_prefix(at + heading.size());
  return text.substr(0, text.find("\n#"));
}

/// M-51
void load_shown(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (!is_serve(row)) continue;
    const BenchArm* ours = our_arm(row.source->record);
    const std::string_view text =
        section_text(page_text(view, row.path), "### Prompts of " + row.source->row.key + "\n");
    const std::string corpus = "`sha256:" + ours->manifest.prompt_corpus_sha256 + "`";
    const bool histogram =
        std::ranges::any_of(view.pages.at(row.path).tables, [&](const MarkdownTable& table) {
          return table.heading == "Prompts of " + row.source->row.key && !table.rows.empty();
        });
    if (text.find(corpus) != std::string_view::npos && histogram) continue;
    report.add(row.place(), "no corpus hash or no lengths", "both, of the prompts that were sent");
  }
}

/// M-52
void both_views(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (!is_serve(row)) continue;
    for (const std::string_view legs : {"warm only", "with warm-up"}) {
      if (has_row(row, legs)) continue;
      report.add(row.place(), "no row " + quote(legs), "the views warm only and with warm-up");
    }
  }
}

/// M-53
void limits_of_method(const PagesView& view, Report& report) {
  for (const auto& [path, page] : view.pages) {
    const bool method = std::ranges::any_of(page.prose, [](const MarkdownLine& line) {
      return line.text.starts_with("Disposition: Method");
    });
    const bool said = std::ranges::any_of(page.headings, [](const MarkdownLine& line) {
      return line.text == "What this cannot see";
    });
    if (method && !said) report.add(path, "a method without its limits", "What this cannot see");
  }
}

/// M-55
void reservations_said(const PagesView& view, Report& report) {
  for (const RowOnPage& row : view.rows) {
    if (row.source == nullptr || row.is_history()) continue;
    for (const BenchArm& arm : row.source->record.arms) {
      if (arm.manifest.memory_reservation != "up front") continue;
      const std::string line = "`" + arm.name + "` reserves its memory up front.";
      if (page_text(view, row.path).find(line) != std::string_view::npos) continue;
      report.add(row.place(), "no note on " + quote(arm.name), line);
    }
  }
}

constexpr std::array kCheckMeasuringRules = {
    PagesRule{.id = "M-22", .check = &control_first},
    PagesRule{.id = "M-24", .check = &cold_apart},
    PagesRule{.id = "M-31", .check = &voids_kept},
    PagesRule{.id = "M-35", .check = &differences_shown},
    PagesRule{.id = "M-49", .check = &whole_grid},
    PagesRule{.id = "M-51", .check = &load_shown},
    PagesRule{.id = "M-52", .check = &both_views},
    PagesRule{.id = "M-53", .check = &limits_of_method},
    PagesRule{.id = "M-55", .check = &reservations_said},
};

}  // namespace

std::span<const PagesRule> measuring_rules() { return kCheckMeasuringRules; }

}  // namespace cairn::evidence
