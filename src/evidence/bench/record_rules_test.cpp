// Every rule of a bench record, one planted defect each.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "evidence/bench/figures.h"
#include "evidence/bench/sample.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence {
namespace {

struct Plant {
  std::string id;
  std::string what;
  std::function<void(BenchRecord&)> plant;
};

BenchRecord memory_record() {
  BenchRecord record =
      sample_record({.metric = "peak_pss", .unit = "bytes", .higher_is_better = false});
  record.subject.kind = "memory";
  const std::vector<BenchSample> samples = record.samples;
  for (const std::string metric :
       {"peak_rss", "memavailable_drop", "planned.weights", "actual.weights"}) {
    for (BenchSample sample : samples) {
      sample.metric = metric;
      record.samples.push_back(sample);
    }
    record.units.push_back({.metric = metric, .unit = "bytes"});
    record.direction.push_back({.metric = metric, .higher_is_better = false});
  }
  std::ranges::stable_sort(record.samples, {}, &BenchSample::repetition);
  seal(record);
  return record;
}

bool has(const Findings& findings, std::string_view id) {
  return std::ranges::any_of(findings, [&](const Finding& one) { return one.ids[0] == id; });
}

void expect_plants(const BenchRecord& good, const std::vector<Plant>& plants) {
  ASSERT_EQ(to_lines(validate_bench_record(good), "record"), "");
  for (const Plant& each : plants) {
    BenchRecord record = good;
    each.plant(record);
    if (each.what != "digest") seal(record);
    const Findings found = validate_bench_record(record);
    EXPECT_TRUE(has(found, each.id)) << each.id << " " << each.what << "\n"
                                     << to_lines(found, "record");
    EXPECT_FALSE(has(validate_bench_record(record, {.off = each.id}), each.id)) << each.id;
  }
}

TEST(RecordRulesTest, ARecordIsSealedScrubbedAndWhole) {
  expect_plants(
      sample_record(),
      {{"M-01", "digest", [](BenchRecord& r) { r.samples[0].values[0] = 300; }},
       {"M-01", "schema", [](BenchRecord& r) { r.schema = "cairn-bench-record/v2"; }},
       {"M-01", "kind", [](BenchRecord& r) { r.subject.kind = "speed"; }},
       {"M-01", "role", [](BenchRecord& r) { r.arms[0].role = "mine"; }},
       {"M-01", "name twice", [](BenchRecord& r) { r.arms[1].name = "cairn"; }},
       {"M-01", "private", [](BenchRecord& r) { r.arms[0].manifest.build_flags = "/srv/x"; }},
       {"M-01", "machine", [](BenchRecord& r) { r.machine.scrubbed_id = "user@host"; }},
       {"M-01", "placeholder", [](BenchRecord& r) { r.subject.key = "FILL_KEY"; }},
       {"M-02", "no work", [](BenchRecord& r) { r.work.erase(r.work.begin() + 2); }},
       {"M-02", "no sample", [](BenchRecord& r) { r.samples.erase(r.samples.begin() + 2); }},
       {"M-02", "order", [](BenchRecord& r) { std::swap(r.samples[0], r.samples[4]); }},
       {"M-02", "twice", [](BenchRecord& r) { r.samples[3] = r.samples[0]; }},
       {"M-02", "no value", [](BenchRecord& r) { r.samples[0].values.clear(); }},
       {"M-02", "not in work", [](BenchRecord& r) { r.samples[5].repetition = 4; }},
       {"M-23", "two repetitions",
        [](BenchRecord& r) {
          r.samples.resize(4);
          r.work.resize(4);
        }},
       {"M-23", "same order", [](BenchRecord& r) { std::swap(r.samples[2], r.samples[3]); }},
       {"M-33", "one run", [](BenchRecord& r) {
          std::erase_if(r.work,
                        [](const BenchWork& w) { return w.arm == "peer" && w.repetition > 1; });
        }}});
}

TEST(RecordRulesTest, TheHostTheArmsAndTheUnitsAreStated) {
  expect_plants(
      sample_record(),
      {{"M-28", "another lock", [](BenchRecord& r) { r.machine.host_state.lock = "mine.lock"; }},
       {"M-28", "no lock", [](BenchRecord& r) { r.machine.host_state.lock = ""; }},
       {"M-29", "boot id", [](BenchRecord& r) { r.machine.host_state.boot_id_after = " "; }},
       {"M-29", "clock back",
        [](BenchRecord& r) { r.machine.host_state.clock_after_utc = "2026-11-30T09:00:00Z"; }},
       {"M-29", "no day",
        [](BenchRecord& r) { r.machine.host_state.clock_before_utc = "2026-02-29T09:00:00Z"; }},
       {"M-29", "count", [](BenchRecord& r) { r.machine.host_state.swap_ins = -1; }},
       {"M-34", "blank", [](BenchRecord& r) { r.arms[1].manifest.kv_type = ""; }},
       {"M-34", "zero", [](BenchRecord& r) { r.arms[1].manifest.threads = 0; }},
       {"M-37", "version", [](BenchRecord& r) { r.arms[1].manifest.version = "latest"; }},
       {"M-37", "model", [](BenchRecord& r) { r.arms[0].manifest.model_sha256 = "q4"; }},
       {"M-39", "two units",
        [](BenchRecord& r) {
          r.units.push_back({.metric = "decode_rate", .unit = "tokens/s (total)"});
        }},
       {"M-40", "no usage", [](BenchRecord& r) { r.work[1].output_tokens = 0; }},
       {"M-45", "direction", [](BenchRecord& r) { r.direction[0].higher_is_better = false; }},
       {"M-45", "no direction", [](BenchRecord& r) { r.direction.clear(); }},
       {"M-47", "unit", [](BenchRecord& r) { r.units[0].unit = "tok/s"; }},
       {"M-47", "no unit", [](BenchRecord& r) { r.units.clear(); }}});
}

TEST(RecordRulesTest, AMemoryRecordHoldsThreePeaksAndThePlan) {
  expect_plants(
      memory_record(),
      {{"M-54", "no RSS",
        [](BenchRecord& r) {
          std::erase_if(r.samples, [](const BenchSample& s) { return s.metric == "peak_rss"; });
        }},
       {"M-56", "no actual",
        [](BenchRecord& r) {
          std::erase_if(r.samples,
                        [](const BenchSample& s) { return s.metric == "actual.weights"; });
        }},
       {"M-56", "no plan", [](BenchRecord& r) {
          std::erase_if(r.samples, [](const BenchSample& s) { return s.metric.starts_with("p"); });
          std::erase_if(r.units, [](const MetricUnit& u) { return u.metric == "planned.weights"; });
        }}});
}

TEST(RecordRulesTest, AVoidSeriesMayBeShort) {  // M-23, M-30
  BenchRecord record = sample_record();
  record.samples.resize(2);
  record.work.resize(2);
  record.machine.host_state.oom_count = 1;
  seal(record);
  EXPECT_EQ(to_lines(validate_bench_record(record), "record"), "");
}

TEST(RecordRulesTest, ReadingIsStrictAndTheDigestIsOfTheValues) {  // M-01
  const BenchRecord record = sample_record();
  const Decoded<BenchRecord> read = decode_bench_record(text_of(record));
  ASSERT_TRUE(read.ok()) << to_lines(read.findings, "record");
  EXPECT_EQ(text_of(read.value), text_of(record));
  EXPECT_EQ(digest_of(read.value), record.digest);
  std::string twice = text_of(record);
  twice.insert(1, "\"schema\": \"x\",");
  EXPECT_EQ(decode_bench_record(twice).findings.at(0).ids.at(0), "J-05");
}

}  // namespace
}  // namespace cairn::evidence
