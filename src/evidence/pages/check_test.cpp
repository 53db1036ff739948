// longer than 400 lines: the planted faults of chapter 18, one row each.
// Every rule about pages: a fault planted in a valid tree, alone, is reported by its rule, and is
// not when only that rule is off.
#include "evidence/pages/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "evidence/pages/prose.h"
#include "evidence/pages/sample_tree.h"

namespace cairn::evidence {
namespace {

const std::string kDecode = "docs/benchmarks/decode.md";
const std::string kServing = "docs/benchmarks/serving.md";
const std::string kIndex(kIndexPath);

/// A fault of the sources, made before the pages are written, or of the files behind them.
struct Plant {
  std::string id;
  std::string what;
  std::function<void(SampleTree&)> source = nullptr;
  std::function<void(Tree&)> file = nullptr;
};

bool has(const Findings& findings, std::string_view id) {
  return std::ranges::any_of(findings, [&](const Finding& one) { return one.ids[0] == id; });
}

/// Replaces the first `from`; the test fails when there is none.
void edit(Tree& tree, const std::string& path, const std::string& from, const std::string& to) {
  std::string& text = tree.files[path];
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << path << " lacks " << from << "\n" << text;
  text.replace(at, from.size(), to);
}

std::function<void(Tree&)> editing(const std::string& path, const std::string& from,
                                   const std::string& to) {
  return [=](Tree& tree) { edit(tree, path, from, to); };
}

/// The line of a file that holds `part`.
std::string line_with(const Tree& tree, const std::string& path, const std::string& part) {
  const std::string& text = tree.files.at(path);
  const std::size_t at = text.find(part);
  const std::size_t start = at == std::string::npos ? 0 : text.rfind('\n', at) + 1;
  return text.substr(start, text.find('\n', at) - start + 1);
}

void drop_line(Tree& tree, const std::string& path, const std::string& part) {
  edit(tree, path, line_with(tree, path, part), "");
}

std::function<void(SampleTree&)> in_record(const std::string& path,
                                           const std::function<void(BenchRecord&)>& change) {
  return [=](SampleTree& tree) {
    change(tree.records.at(path));
    seal(tree.records.at(path));
  };
}

PlanRow& plan_row(SampleTree& tree, std::size_t page, std::size_t section, std::size_t row) {
  return tree.plan.pages.at(page).sections.at(section).rows.at(row);
}

void expect_plants(const std::vector<Plant>& plants) {
  const SampleTree good;
  for (const Plant& each : plants) {
    SampleTree sources = good;
    if (each.source) each.source(sources);
    Tree tree = sources.build();
    if (each.file) each.file(tree);
    const Findings found = check_pages(tree);
    EXPECT_TRUE(has(found, each.id)) << each.id << " " << each.what << "\n"
                                     << to_lines(found, "tree");
    EXPECT_FALSE(has(check_pages(tree, {.off = each.id}), each.id)) << each.id << " " << each.what;
  }
}

TEST(CheckPagesTest, AValidTreeHasNoFindings) {
  EXPECT_EQ(to_lines(check_pages(SampleTree().build()), "tree"), "");
}

TEST(CheckPagesTest, RecordsReceiptsAndTheStateRecord) {
  expect_plants(
      {{.id = "M-01",
        .what = "edited record (20)",
        .file = editing("docs/evidence/run-1/decode.json", "201", "301")},
       {.id = "M-60",
        .what = "edited record, its page (20)",
        .file = editing("docs/evidence/run-1/decode.json",
                        "\"digest\": \"sha256:", "\"digest\": \"sha256:0")},
       {.id = "M-03",
        .what = "edited receipt (20)",
        .file = editing("docs/evidence/run-1/candidate.json", "\"fallback_count\": 0",
                        "\"fallback_count\": 1")},
       {.id = "M-03",
        .what = "arm record off",
        .source = [](SampleTree& t) { t.candidate_arm.lever_states[1].enabled = false; }},
       {.id = "M-03",
        .what = "no arm record",
        .file = [](Tree& t) { t.files.erase("docs/evidence/run-1/candidate.arm.json"); }},
       {.id = "M-02",
        .what = "repetition left out (29)",
        .source = in_record("run-1/decode.json", [](BenchRecord& r) { r.work.pop_back(); })},
       {.id = "M-04",
        .what = "edited line (32)",
        .file = editing(std::string(kStatePath), "measured", "accepted")},
       {.id = "M-06", .what = "against a commit (32)", .file = [](Tree& t) {
          t.earlier = {{.commit = "abc", .text = "{\"id\":1}\n"}};
        }}});
}

TEST(CheckPagesTest, DatesOfThePages) {
  expect_plants(
      {{.id = "M-09", .what = "no line", .source = [](SampleTree& t) { t.events.pop_back(); }},
       {.id = "M-09",
        .what = "backwards (21)",
        .source =
            [](SampleTree& t) {
              for (auto& event : t.events) event.time_utc = "2026-11-30T12:00:00Z";
              std::erase_if(t.events, [](const auto& e) { return e.path == "run-0/decode.json"; });
              t.events.push_back({.kind = "measured",
                                  .path = "run-0/decode.json",
                                  .time_utc = "2026-12-01T12:00:00Z"});
            }},
       {.id = "M-09",
        .what = "typed date",
        .file = editing(kDecode, "| 2026-11-30 |", "| 2026-11-29 |")},
       {.id = "M-09", .what = "later than its commit", .file = [](Tree& t) {
          t.line_commits[2] = "2026-11-30T11:59:59Z";
        }}});
}

TEST(CheckPagesTest, GapsReproductionAndGates) {
  expect_plants(
      {{.id = "M-10",
        .what = "no next gate",
        .source = [](SampleTree& t) { t.plan.gaps[0].next_gate = ""; }},
       {.id = "M-10",
        .what = "no track",
        .source = [](SampleTree& t) { t.plan.gaps[0].track = ""; }},
       {.id = "M-11",
        .what = "no gap row",
        .source = [](SampleTree& t) { plan_row(t, 0, 1, 0).word = "OWED"; }},
       {.id = "M-11",
        .what = "two gap rows",
        .source =
            [](SampleTree& t) {
              plan_row(t, 0, 1, 0).word = "PENDING";
              t.plan.gaps[0].key = "decode/ttft";
              t.plan.gaps.push_back(t.plan.gaps[0]);
            }},
       {.id = "M-12",
        .what = "closed by nothing",
        .source = [](SampleTree& t) { t.plan.gaps[0].status = "closed"; }},
       {.id = "M-75",
        .what = "no command",
        .source = [](SampleTree& t) { t.plan.reproduce.pop_back(); }},
       {.id = "M-75",
        .what = "no pins",
        .source = [](SampleTree& t) { t.plan.reproduce[0].pins = ""; }},
       {.id = "M-76",
        .what = "one more",
        .file = editing(std::string(kGatesPath), "\"rows\": [",
                        "\"rows\": [{\"page\": \"x\", \"key\": \"y\", \"command\": \"z\"}, ")},
       {.id = "M-76",
        .what = "one fewer",
        .source = [](SampleTree& t) { plan_row(t, 0, 1, 0).gate = "x"; },
        .file = editing(std::string(kGatesPath), "\"key\": \"ttft\"", "\"key\": \"other\"")}});
}

TEST(CheckPagesTest, WordsOfPagesAndRows) {
  expect_plants(
      {{.id = "M-13",
        .what = "disposition (34)",
        .source = [](SampleTree& t) { t.plan.pages[0].disposition = "Great results"; }},
       {.id = "M-13", .what = "on the index", .file = editing(kIndex, "| Results |", "| Good |")},
       {.id = "M-14",
        .what = "typed",
        .source = [](SampleTree& t) { plan_row(t, 0, 0, 0).word = "AHEAD"; }},
       {.id = "M-14", .what = "edited", .file = editing(kDecode, "| AHEAD |", "| TIE |")},
       {.id = "M-15",
        .what = "word (34)",
        .source = [](SampleTree& t) { plan_row(t, 0, 0, 0).word = "SUPERB"; }},
       {.id = "M-15",
        .what = "no reason",
        .source = [](SampleTree& t) { plan_row(t, 0, 0, 0).reason = ""; }},
       {.id = "M-16",
        .what = "not listed",
        .source = [](SampleTree& t) { t.plan.levers_tried.clear(); }},
       {.id = "M-16",
        .what = "outcome",
        .source = [](SampleTree& t) { t.plan.levers_tried[0].outcome = "nice"; }},
       {.id = "M-17", .what = "no attestation", .file = [](Tree& t) {
          t.files.erase("docs/evidence/run-1/rep-1.json");
        }}});
}

TEST(CheckPagesTest, WhatTheArmsDidAndWhatTheyAreLimitsTheWord) {
  expect_plants(
      {{.id = "M-19",
        .what = "failed",
        .source = in_record("run-1/decode.json", [](BenchRecord& r) { r.work[0].failed = 1; })},
       {.id = "M-20",
        .what = "typed (33)",
        .file = editing(kDecode, "| token-exact |", "| near-tie |")},
       {.id = "M-21",
        .what = "not run",
        .source = in_record("run-1/decode.json",
                            [](BenchRecord& r) { r.work[0].outputs_sha256 = sample_hash('6'); })},
       {.id = "M-25",
        .what = "spread",
        .source =
            in_record("run-1/decode.json", [](BenchRecord& r) { r.samples[0].values = {190}; })},
       {.id = "M-25",
        .what = "no range",
        .source =
            [](SampleTree& t) {
              in_record("run-1/decode.json",
                        [](BenchRecord& r) { r.samples[0].values = {190}; })(t);
              plan_row(t, 0, 0, 0).word = "INDICATIVE";
            },
        .file = editing(kDecode, "201.0 (190.0 to 202.0)", "201.0")},
       {.id = "M-26",
        .what = "signs",
        .source =
            in_record("run-1/decode.json", [](BenchRecord& r) { r.samples[0].values = {90}; })},
       {.id = "M-26",
        .what = "inside the band",
        .source = in_record("run-1/decode.json",
                            [](BenchRecord& r) {
                              for (BenchSample& s : r.samples) s.values = {100};
                            }),
        .file = editing(kDecode, "| TIE |", "| AHEAD |")}});
}

TEST(CheckPagesTest, OtherWorkAndWeakPeersLimitTheWord) {
  expect_plants(
      {{.id = "M-27",
        .what = "other work",
        .source =
            in_record("run-1/decode.json", [](BenchRecord& r) { r.work[0].output_tokens = 63; })},
       {.id = "M-30",
        .what = "boot",
        .source = in_record("run-1/decode.json",
                            [](BenchRecord& r) { r.machine.host_state.boot_id_after = "b2"; })},
       {.id = "M-33",
        .what = "one run (25)",
        .source = in_record("run-1/decode.json",
                            [](BenchRecord& r) {
                              std::erase_if(r.work, [](const BenchWork& w) {
                                return w.arm == "peer" && w.repetition > 1;
                              });
                            })},
       {.id = "M-36",
        .what = "eager",
        .source = in_record("run-1/decode.json",
                            [](BenchRecord& r) { r.arms[1].manifest.compile_mode = "eager"; })},
       {.id = "M-38", .what = "newer", .source = [](SampleTree& t) {
          t.plan.peers[0].version = "1.1";
        }}});
}

TEST(CheckPagesTest, AnAttestationThatIsNotCleanLimitsItsRow) {  // M-18
  SampleTree sources;
  attestation::Attestation busy = sample_attestation(0);
  busy.policy.maximum_non_sut_cpu_percent = 1;
  busy.verdict = "investigate";
  busy.findings = std::vector<attestation::Remark>{{.code = "NON_SUT_CPU_HIGH", .detail = "busy"}};
  attestation::seal(busy);
  BenchRecord& record = sources.records.at("run-1/decode.json");
  record.samples[0].system_baseline_digest = busy.digest;
  seal(record);
  Tree tree = sources.build();
  tree.files["docs/evidence/run-1/busy.json"] = document_text(busy);
  const Findings found = check_pages(tree);
  EXPECT_TRUE(has(found, "M-18")) << to_lines(found, "tree");
  EXPECT_FALSE(has(check_pages(tree, {.off = "M-18"}), "M-18"));
}

TEST(CheckPagesTest, FiguresRatiosAndUnits) {
  expect_plants(
      {{.id = "M-46",
        .what = "does not follow (1)",
        .file = editing(kDecode, "| 2.00 |", "| 2.10 |")},
       {.id = "M-45",
        .what = "latency upside down (2)",
        .file = editing(kDecode, "| 1.50 |", "| 0.67 |")},
       {.id = "M-45",
        .what = "memory upside down (3)",
        .file =
            [](Tree& t) {
              const std::string line = line_with(t, kDecode, "| memory | peak_rss");
              std::string wrong = line;
              wrong.replace(wrong.find("| 1.50 |"), 8, "| 0.67 |");
              edit(t, kDecode, line, wrong);
            }},
       {.id = "M-45", .what = "direction", .file = editing(kDecode, "| higher |", "| lower |")},
       {.id = "M-46",
        .what = "truncated (4)",
        .source = in_record("run-1/decode.json",
                            [](BenchRecord& r) {
                              for (BenchSample& s : r.samples) {
                                if (s.arm == "cairn") s.values[0] *= 1.0149 / 2 * 1.0099;
                              }
                            }),
        .file =
            [](Tree& t) {
              const std::string line = line_with(t, kDecode, "| smollm2 decode | decode_rate");
              std::string wrong = line;
              const std::size_t at = wrong.find("| higher | ") + 11;
              wrong.replace(at, 4, "1.01");
              ASSERT_NE(wrong, line);
              edit(t, kDecode, line, wrong);
            }},
       {.id = "M-46", .what = "no second cell (5)", .file = editing(kDecode, "| 100.5 |", "| - |")},
       {.id = "M-47", .what = "GiB read as GB (6)", .file = editing(kDecode, "| GB |", "| GiB |")},
       {.id = "M-47",
        .what = "another unit",
        .source = [](SampleTree& t) { plan_row(t, 0, 1, 0).unit = "s"; }},
       {.id = "M-64",
        .what = "total (7)",
        .file = editing(kDecode, "| 100.200 |", "| 100.300 |")}});
}

TEST(CheckPagesTest, PartsAndWhatIsAroundTheFigures) {
  expect_plants(
      {{.id = "M-57", .what = "parts (8)", .file = editing(kDecode, "| 30.000 |", "| 31.000 |")},
       {.id = "M-58",
        .what = "residual",
        .source = in_record("run-1/step.json",
                            [](BenchRecord& r) {
                              for (BenchSample& s : r.samples) {
                                if (s.metric == "part.attend") s.values = {10};
                              }
                            }),
        .file = editing(kDecode, "| unattributed |", "| residual |")},
       {.id = "M-32",
        .what = "ambient subtracted (30)",
        .file = editing(kDecode, "| 201.0 |", "| 206.0 |")},
       {.id = "M-39",
        .what = "two rates",
        .source =
            [](SampleTree& t) {
              BenchRecord& record = t.records.at("run-1/decode.json");
              for (BenchSample sample : std::vector<BenchSample>(record.samples)) {
                sample.metric = "total_rate";
                record.samples.push_back(sample);
              }
              std::ranges::stable_sort(record.samples, {}, &BenchSample::repetition);
              record.units.push_back({.metric = "total_rate", .unit = "tokens/s (total)"});
              record.direction.push_back({.metric = "total_rate", .higher_is_better = true});
              seal(record);
              PlanRow row = plan_row(t, 0, 0, 0);
              row.metric = "total_rate";
              row.unit = "tokens/s (total)";
              t.plan.pages[0].sections[0].rows.push_back(row);
            }},
       {.id = "M-43",
        .what = "itl alone",
        .source =
            [](SampleTree& t) {
              add_metric(t.records.at("run-1/ttft.json"), "itl", "ms", 9);
              plan_row(t, 0, 1, 0).metric = "itl";
            }},
       {.id = "M-44",
        .what = "p95 of three",
        .source = [](SampleTree& t) { plan_row(t, 0, 1, 0).statistic = "p95"; },
        .file = editing(kDecode, "| ms | - | - |", "| ms | 50.20 | 75.20 |")},
       {.id = "M-48",
        .what = "acceptance 0",
        .source =
            [](SampleTree& t) {
              plan_row(t, 0, 1, 0).metric = "draft_acceptance";
              plan_row(t, 0, 1, 0).unit = "";
            },
        .file = editing(kDecode, "| absent |", "| 0 |")}});
}

TEST(CheckPagesTest, OneEnvelopeInATableAndARatio) {
  expect_plants({{.id = "M-71",
                  .what = "two envelopes in a table (26)",
                  .source = in_record("run-1/warm.json",
                                      [](BenchRecord& r) { r.machine.scrubbed_id = "lab-2"; })},
                 {.id = "M-71",
                  .what = "two envelopes in a ratio (26)",
                  .file = editing("docs/evidence/run-1/baseline.json", std::string(kSampleEnvelope),
                                  "qwen38-27b-q4km-m3pro-p32-t64")}});
}

TEST(CheckPagesTest, HowTheFiguresWereTaken) {
  expect_plants(
      {{.id = "M-22",
        .what = "no control",
        .source = [](SampleTree& t) { plan_row(t, 0, 0, 0).control.reset(); }},
       {.id = "M-22",
        .what = "later",
        .source = in_record("run-1/control decode_rate.json",
                            [](BenchRecord& r) {
                              r.machine.host_state.clock_before_utc = "2026-11-30T11:00:00Z";
                              r.machine.host_state.clock_after_utc = "2026-11-30T11:05:00Z";
                            })},
       {.id = "M-22",
        .what = "another machine",
        .source = in_record("run-1/control decode_rate.json",
                            [](BenchRecord& r) { r.machine.scrubbed_id = "lab-2"; })},
       {.id = "M-22",
        .what = "no reload",
        .source = in_record("run-1/control decode_rate.json",
                            [](BenchRecord& r) {
                              std::erase_if(r.samples, [](const BenchSample& s) { return s.cold; });
                            })},
       {.id = "M-24",
        .what = "cold not shown",
        .source = in_record("run-1/decode.json", [](BenchRecord& r) {
          BenchSample cold = r.samples[0];
          cold.cold = true;
          r.samples.insert(r.samples.begin(), cold);
        })}});
}

TEST(CheckPagesTest, WhatAPageHasToSayOfTheMeasurement) {
  expect_plants(
      {{.id = "M-31",
        .what = "void not shown",
        .source = in_record("run-0/decode.json",
                            [](BenchRecord& r) { r.machine.host_state.oom_count = 1; }),
        .file = [](Tree& t) { drop_line(t, kDecode, "| smollm2 decode | 6 |"); }},
       {.id = "M-35",
        .what = "difference not said",
        .source =
            in_record("run-1/decode.json", [](BenchRecord& r) { r.arms[1].manifest.threads = 4; }),
        .file = [](Tree& t) { drop_line(t, kDecode, "`threads` is"); }},
       {.id = "M-35",
        .what = "ratio of other work",
        .source = in_record("run-1/decode.json",
                            [](BenchRecord& r) { r.arms[1].manifest.context_tokens = 4096; }),
        .file = editing(kDecode, "| higher | - |", "| higher | 2.00 |")},
       {.id = "M-49",
        .what = "no c16",
        .source =
            [](SampleTree& t) {
              std::erase_if(t.plan.pages[2].sections[0].rows,
                            [](const PlanRow& row) { return row.key == "chat c16"; });
            }},
       {.id = "M-51",
        .what = "no corpus",
        .file = editing(kServing, "Corpus `sha256:", "Corpus `sha257:")},
       {.id = "M-52",
        .what = "one view",
        .source =
            [](SampleTree& t) {
              std::erase_if(t.plan.pages[2].sections[0].rows,
                            [](const PlanRow& row) { return row.legs == "with warm-up"; });
            }},
       {.id = "M-53",
        .what = "no limits",
        .source = [](SampleTree& t) { t.plan.pages[1].cannot_see = ""; }},
       {.id = "M-55",
        .what = "reservation not said",
        .source =
            in_record("run-1/decode.json",
                      [](BenchRecord& r) { r.arms[1].manifest.memory_reservation = "up front"; }),
        .file = [](Tree& t) { drop_line(t, kDecode, "reserves its memory"); }}});
}

TEST(CheckPagesTest, ThePagesAsDocuments) {
  expect_plants(
      {{.id = "M-59",
        .what = "no row (15)",
        .file = [](Tree& t) { drop_line(t, kIndex, "| serving |"); }},
       {.id = "M-59", .what = "no page (16)", .file = [](Tree& t) { t.files.erase(kServing); }},
       {.id = "M-59",
        .what = "twice (17)",
        .file =
            [](Tree& t) {
              const std::string line = line_with(t, kIndex, "| serving |");
              edit(t, kIndex, line, line + line);
            }},
       {.id = "M-60",
        .what = "without evidence (19)",
        .source = [](SampleTree& t) { plan_row(t, 0, 0, 0).evidence = "run-1/none.json"; }},
       {.id = "M-60",
        .what = "cell without evidence (19)",
        .file = editing(kDecode, "[record](../evidence/run-1/decode.json)", "-")},
       {.id = "M-60", .what = "edited text", .file = editing(kDecode, "# Decode", "# Decoding")},
       {.id = "M-61",
        .what = "cells missing (12)",
        .file = editing(kDecode, "| AHEAD | BINDING |", "| AHEAD |")},
       {.id = "M-62",
        .what = "heading twice (13)",
        .file = editing(kDecode, "## First token", "## Single stream")},
       {.id = "M-62", .what = "key twice (14)", .file = [](Tree& t) {
          const std::string line = line_with(t, kDecode, "| ttft | ttft");
          std::string other = line;
          other.replace(other.find("attested"), 8, "measured");
          edit(t, kDecode, line, line + other);
        }}});
}

TEST(CheckPagesTest, LinksValuesAndRuns) {
  expect_plants(
      {{.id = "M-63",
        .what = "outside (18)",
        .file = editing(kDecode, "One answer", "[One](../../../secret.md) answer")},
       {.id = "M-63",
        .what = "not there",
        .file = editing(kDecode, "One answer", "[One](x.md) answer")},
       {.id = "M-65",
        .what = "two values (9)",
        .source = [](SampleTree& t) { plan_row(t, 0, 0, 1).word = "BINDING"; }},
       {.id = "M-65",
        .what = "superseded text (10)",
        .source =
            [](SampleTree& t) { plan_row(t, 0, 0, 0).reason = "superseded by the next run"; }},
       {.id = "M-66", .what = "denominator (11)", .file = [](Tree& t) {
          std::string& text = t.files.at(kDecode);
          const std::size_t at = text.find("100.5", text.find("## History"));
          text.replace(at, 5, "-");
        }}});
}

TEST(CheckPagesTest, WithdrawalsScoreboardAndProse) {
  expect_plants(
      {{.id = "M-67",
        .what = "two runs (22)",
        .source = in_record("run-1/warm.json", [](BenchRecord& r) { r.subject.run_id = "run-2"; })},
       {.id = "M-68",
        .what = "withdrawn cell",
        .source =
            [](SampleTree& t) {
              t.events.push_back({.kind = "withdrawn", .path = "run-1/ttft.json"});
            }},
       {.id = "M-68",
        .what = "README (35)",
        .source =
            [](SampleTree& t) {
              t.events.push_back({.kind = "withdrawn", .path = "run-1/decode.json"});
              plan_row(t, 0, 0, 0).word = "WITHDRAWN";
              t.plan.pages[0].prose = "Withdrawn: [1.50 %](../evidence/run-1/decode.json).";
            }},
       {.id = "M-68",
        .what = "sentence",
        .source =
            [](SampleTree& t) {
              t.events.push_back({.kind = "withdrawn", .path = "run-1/decode.json"});
              plan_row(t, 0, 0, 0).word = "WITHDRAWN";
              t.readme = "Nothing.\n";
            }},
       {.id = "M-69", .what = "stale (23)", .file = editing(kIndex, "| 2.00 |", "| 1.90 |")},
       {.id = "M-70",
        .what = "contradiction (24)",
        .source =
            [](SampleTree& t) {
              t.plan.pages[0].prose =
                  "The spread stays under [1.00 %](../evidence/run-1/decode.json).";
            }},
       {.id = "M-70", .what = "digit", .source = [](SampleTree& t) {
          t.plan.pages[0].prose = "It is 2 times as fast.";
        }}});
}

TEST(CheckPagesTest, ExpectedAndWitnessed) {
  const auto receipt = [](const std::string& path) {
    return [=](SampleTree& t) { t.graph.levers.back().witnessed->receipt = path; };
  };
  expect_plants(
      {{.id = "M-72",
        .what = "from the graph (27)",
        .file = editing(kDecode, "[record](../evidence/run-1/decode.json)",
                        "[record](../evidence/graph.json)")},
       {.id = "M-72",
        .what = "as a witness (27)",
        .file =
            [](Tree& t) {
              const std::string expected = sample_graph().levers.back().expected.summary;
              edit(t, std::string(kGraphPagePath), "33 % more tokens per second", expected);
            }},
       {.id = "M-73", .what = "bench record (28)", .source = receipt("run-1/decode.json")},
       {.id = "M-73", .what = "baseline (28)", .source = receipt("run-1/baseline.json")},
       {.id = "M-73", .what = "profile (28)", .source = receipt("run-1/candidate.arm.json")},
       {.id = "M-73",
        .what = "another lever",
        .source =
            [](SampleTree& t) {
              std::swap(t.graph.levers.rbegin()[0].witnessed, t.graph.levers.rbegin()[1].witnessed);
            }},
       {.id = "M-73",
        .what = "another envelope (28)",
        .file = editing("docs/evidence/run-1/candidate.json", std::string(kSampleEnvelope),
                        "qwen38-27b-q4km-m3pro-p32-t64")},
       {.id = "M-73",
        .what = "no gate",
        .file = [](Tree& t) { t.files.erase("docs/evidence/run-1/candidate.gate.json"); }},
       {.id = "M-73",
        .what = "lenient gate",
        .source = [](SampleTree& t) { t.gate.policy.allow_sampled_system_baseline = false; }},
       {.id = "M-73",
        .what = "regression",
        .source = [](SampleTree& t) { t.gate.policy.minimum_throughput_tokens_per_second = 1e6; }},
       {.id = "M-74",
        .what = "off by default (31)",
        .source = [](SampleTree& t) { t.defaults["prefetch"] = "off"; }},
       {.id = "M-74",
        .what = "no switch",
        .source = [](SampleTree& t) { t.plan.lever_switches.pop_back(); }},
       {.id = "M-77",
        .what = "edited page",
        .file = editing(std::string(kGraphPagePath), "# Native", "# Naive")}});
}

TEST(CheckPagesTest, PagesAreTheSameBytesEachTime) {
  const SampleTree sources;
  EXPECT_EQ(sources.build().files, sources.build().files);
}

TEST(ProseTest, ADigitIsCodeOrTheTextOfALinkToEvidence) {  // M-70
  EXPECT_EQ(unreferenced_digit("`x 3` and [4 ms](../evidence/a.json)"), "");
  EXPECT_EQ(unreferenced_digit("about 3x faster"), "3x");
  EXPECT_EQ(unreferenced_digit("see [page 2](other.md)"), "2");
  const auto bounds = bounds_of("at most [3.5 ms](../evidence/a.json), over [2 x](b.json)");
  ASSERT_EQ(bounds.size(), 2U);
  EXPECT_EQ(bounds[0].word, "at most");
  EXPECT_EQ(bounds[0].unit, "ms");
  EXPECT_EQ(bounds[1].value, 2);
}

}  // namespace
}  // namespace cairn::evidence
