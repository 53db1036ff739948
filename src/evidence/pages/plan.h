// What the benchmark pages are to show: docs/evidence/pages.json.
//
// Purpose     the only hand-written source of a page: which record feeds which row, the words that
//             people enter with their reasons, the prose, the open gaps.
// Invariants  it holds no figure; figures come from receipts and bench records.
// Threads     values; no shared state.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/wire/decode.h"

namespace cairn::evidence {

constexpr std::string_view kPagesPlanSchema = "cairn-benchmark-pages/v1";

/// One row of a table: what it shows of which evidence. Paths are below docs/evidence/.
struct PlanRow {
  std::string key;
  std::string evidence;                 // a bench record, or a candidate receipt
  std::optional<std::string> baseline;  // of a candidate receipt
  std::optional<std::string> control;   // the A/A bench record
  std::string metric;
  std::string statistic;
  std::string legs;
  std::string unit;
  std::string word;  // BINDING and so on, entered
  std::string reason;
  std::optional<std::string> gate;  // a command that is able to fail
};

/// The keys of PlanRow in wire order.
template <class Visitor, Is<PlanRow> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("key", self.key);
  visit.field("evidence", self.evidence);
  visit.optional("baseline", self.baseline);
  visit.optional("control", self.control);
  visit.field("metric", self.metric);
  visit.field("statistic", self.statistic);
  visit.field("legs", self.legs);
  visit.field("unit", self.unit);
  visit.field("word", self.word);
  visit.field("reason", self.reason);
  visit.optional("gate", self.gate);
}

/// One table of a page. Superseded rows go to the page's history whatever their section.
struct PlanSection {
  std::string heading;
  std::string prose;
  bool total = false;  // ends with a row that sums the cells
  std::vector<PlanRow> rows;
};

/// The keys of PlanSection in wire order.
template <class Visitor, Is<PlanSection> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("heading", self.heading);
  visit.field("prose", self.prose);
  visit.field("total", self.total);
  visit.field("rows", self.rows);
}

/// One page, docs/benchmarks/<id>.md.
struct PlanPage {
  std::string id;
  std::string subject;
  std::string disposition;
  std::string prose;
  std::string cannot_see;
  std::vector<PlanSection> sections;
};

/// The keys of PlanPage in wire order.
template <class Visitor, Is<PlanPage> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("id", self.id);
  visit.field("subject", self.subject);
  visit.field("disposition", self.disposition);
  visit.field("prose", self.prose);
  visit.field("cannot_see", self.cannot_see);
  visit.field("sections", self.sections);
}

/// A peer and its newest known version (M-38).
struct PlanPeer {
  std::string name;
  std::string version;
};

/// The keys of PlanPeer in wire order.
template <class Visitor, Is<PlanPeer> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("name", self.name);
  visit.field("version", self.version);
}

/// A lever that was tried, and how it came out (M-16).
struct TriedLever {
  std::string lever;
  std::string outcome;
  std::string evidence;
};

/// The keys of TriedLever in wire order.
template <class Visitor, Is<TriedLever> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("lever", self.lever);
  visit.field("outcome", self.outcome);
  visit.field("evidence", self.evidence);
}

/// A row of the register of what is not known (M-10). `key` is "page/row key".
struct OpenGap {
  std::string key;
  std::string track;
  std::string status;
  std::string last_figure;
  std::string next_gate;
  std::string closes;
  std::string closed_by;  // a path below docs/evidence/ once the status is closed, else empty
};

/// The keys of OpenGap in wire order.
template <class Visitor, Is<OpenGap> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("key", self.key);
  visit.field("track", self.track);
  visit.field("status", self.status);
  visit.field("last_figure", self.last_figure);
  visit.field("next_gate", self.next_gate);
  visit.field("closes", self.closes);
  visit.field("closed_by", self.closed_by);
}

/// How to make a page's figures again (M-75).
struct ReproduceRow {
  std::string page;
  std::string command;
  std::string pins;
  std::string flags;
  std::string evidence;
  std::string time;
};

/// The keys of ReproduceRow in wire order.
template <class Visitor, Is<ReproduceRow> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("page", self.page);
  visit.field("command", self.command);
  visit.field("pins", self.pins);
  visit.field("flags", self.flags);
  visit.field("evidence", self.evidence);
  visit.field("time", self.time);
}

/// Which setting switches a lever, and the value that is on (M-74).
struct LeverSwitch {
  std::string lever_id;
  std::string setting;
  std::string on_value;
};

/// The keys of LeverSwitch in wire order.
template <class Visitor, Is<LeverSwitch> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("lever_id", self.lever_id);
  visit.field("setting", self.setting);
  visit.field("on_value", self.on_value);
}

/// The whole document.
struct PagesPlan {
  std::string schema;
  std::vector<PlanPage> pages;
  std::vector<PlanPeer> peers;
  std::vector<TriedLever> levers_tried;
  std::vector<OpenGap> gaps;
  std::vector<ReproduceRow> reproduce;
  std::vector<LeverSwitch> lever_switches;
};

/// The keys of PagesPlan in wire order.
template <class Visitor, Is<PagesPlan> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("schema", self.schema);
  visit.field("pages", self.pages);
  visit.field("peers", self.peers);
  visit.field("levers_tried", self.levers_tried);
  visit.field("gaps", self.gaps);
  visit.field("reproduce", self.reproduce);
  visit.field("lever_switches", self.lever_switches);
}

/// A row of gates.json (M-76): a page row that has a command able to fail.
struct GatedRow {
  std::string page;
  std::string key;
  std::string command;
};

/// The keys of GatedRow in wire order.
template <class Visitor, Is<GatedRow> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("page", self.page);
  visit.field("key", self.key);
  visit.field("command", self.command);
}

/// docs/benchmarks/gates.json.
struct GatedRows {
  std::string schema;
  std::vector<GatedRow> rows;
};

/// The keys of GatedRows in wire order.
template <class Visitor, Is<GatedRows> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("schema", self.schema);
  visit.field("rows", self.rows);
}

constexpr std::string_view kGatedRowsSchema = "cairn-gated-rows/v1";

}  // namespace cairn::evidence
