// Each rule of native-performance.md 7.7: one planted defect is found by its rule, and is gone when
// only that rule is switched off.
#include "evidence/attestation/check.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "evidence/attestation/vectors.h"
#include "evidence/wire/encode.h"

namespace cairn::evidence::attestation {
namespace {

Consumer consumer() {
  return {.image = "other", .pid = 20, .cpu_seconds = 0.1, .cpu_available = true};
}

/// A defect in an otherwise valid report. All but those of the digest are sealed afterwards.
struct Planted {
  std::string_view id;
  std::string_view what;
  std::function<void(Attestation&)> plant;
};

std::vector<Planted> planted() {
  std::vector<Planted> all = {
      {"A-02", "schema", [](Attestation& each) { each.schema = "fak.system-baseline/v2"; }},
      {"A-03", "verdict", [](Attestation& each) { each.verdict = "good"; }},
      {"A-05", "negative unread", [](Attestation& e) { e.coverage.process_unreadable = -1; }},
      {"A-05", "negative reads", [](Attestation& e) { e.coverage.process_reads = -1; }},
      {"A-05", "negative interval",
       [](Attestation& each) { each.command_window.sample_interval_ns = -1; }},
      {"A-06", "counted samples", [](Attestation& e) { e.command_sampler.counted_samples = 2; }},
      {"A-06", "duty off by 1e-8",  // T-54
       [](Attestation& each) { each.baseline_sampler.duty_percent.value = 1e-8; }},
      {"A-06", "duty without value or reason",
       [](Attestation& each) {
         each.command_sampler.duty_percent = {.unit = "percent"};
         each.verdict = "investigate";
       }},
      {"A-07", "negative metric",
       [](Attestation& each) { each.attribution.sut_rss_bytes.value = -1; }},
      {"A-07", "no unit", [](Attestation& e) { e.host_totals.process_count.unit.clear(); }},
      {"A-08", "verdict of a failed command",  // T-51
       [](Attestation& each) { each.command_exit_code = 7; }},
      {"A-08", "too harsh", [](Attestation& each) { each.verdict = "invalid"; }},
      {"A-09", "consumers without opt-in",  // T-68
       [](Attestation& each) { each.top_non_sut_consumers = {{consumer()}}; }},
  };
  const auto with_consumers = [&all](std::string_view what, const std::vector<Consumer>& list) {
    all.push_back({"A-09", what, [list](Attestation& each) {
                     each.policy.include_top_consumers = true;
                     each.top_non_sut_consumers = list;
                   }});
  };
  Consumer wrong = consumer();
  with_consumers("six", std::vector<Consumer>(6, consumer()));  // T-68
  wrong.image = "bin/other";                                    // T-68
  with_consumers("a slash", {wrong});
  wrong.image = "bin\\other";
  with_consumers("a backslash", {wrong});
  wrong.image = "";
  with_consumers("no name", {wrong});
  wrong = consumer();
  wrong.pid = 0;
  with_consumers("no pid", {wrong});
  wrong = consumer();
  wrong.cpu_seconds = -0.5;
  with_consumers("negative time", {wrong});
  return all;
}

bool has(const Findings& findings, std::string_view id) {
  return !findings.empty() && findings[0].ids.front() == id;
}

TEST(CheckTest, AValidReportHasNoFinding) {
  EXPECT_TRUE(check(vector_a().report()).empty());
  EXPECT_TRUE(check_opt_in(vector_a().report()).empty());
}

TEST(CheckTest, EachDefectIsFoundByItsRuleAndOnlyByIt) {
  for (const Planted& defect : planted()) {
    Attestation report = vector_a().report();
    defect.plant(report);
    seal(report);
    const Findings findings = check(report);
    EXPECT_TRUE(has(findings, defect.id))
        << defect.id << " " << defect.what << ": " << to_lines(findings, "report");
    EXPECT_FALSE(has(check(report, {.off = defect.id}), defect.id)) << defect.what;
  }
}

TEST(CheckTest, WithItsRuleOffTheDefectPasses) {
  // An unknown verdict word and a wrong verdict are caught by two rules each.
  const std::set<std::string_view> caught_twice = {"A-03"};
  for (const Planted& defect : planted()) {
    Attestation report = vector_a().report();
    defect.plant(report);
    seal(report);
    if (caught_twice.contains(defect.id)) continue;
    const Findings rest = check(report, {.off = defect.id});
    EXPECT_TRUE(rest.empty()) << defect.what << ": " << to_lines(rest, "report");
  }
}

TEST(CheckTest, ADigestThatIsAbsentOrOfAnotherReportIsRefused) {
  Attestation report = vector_a().report();
  for (const std::string& wrong :
       {std::string(), report.digest.substr(7), "sha256:" + std::string(64, '0'),
        vector_samples(0).report().digest}) {
    report.digest = wrong;
    EXPECT_TRUE(has(check(report), "A-04")) << wrong;
    EXPECT_TRUE(check(report, {.off = "A-04"}).empty()) << wrong;
  }
}

TEST(CheckTest, EveryRuleOfTheTableHasADefect) {
  std::set<std::string_view> tried = {"A-04"};
  for (const Planted& defect : planted()) tried.insert(defect.id);
  for (const Rule<Attestation>& rule : rules()) EXPECT_TRUE(tried.contains(rule.id)) << rule.id;
}

TEST(CheckTest, AnUnknownDutyIsFineWithNoCostAndAReason) {
  Attestation report = vector_a().report();
  report.baseline_sampler.duty_percent = {.unit = "percent", .reason = "no clock"};
  report.verdict = "investigate";
  seal(report);
  EXPECT_TRUE(check(report).empty());
  report.baseline_sampler.wall_ns = 1;
  seal(report);
  EXPECT_TRUE(has(check(report), "A-06"));
}

TEST(CheckTest, TheOptInRuleWantsNoValueAndAReasonWhereNothingIsAvailable) {
  Attestation report = vector_a().report();
  Metric& metric = report.attribution.sut_rss_bytes;
  metric = {.unit = "bytes"};
  EXPECT_TRUE(has(check_opt_in(report), "A-10"));
  EXPECT_TRUE(check_opt_in(report, {.off = "A-10"}).empty());
  metric = {.value = 1, .unit = "bytes", .reason = "why"};
  EXPECT_TRUE(has(check_opt_in(report), "A-10"));
  metric.value = 0;
  EXPECT_TRUE(check_opt_in(report).empty());
  EXPECT_TRUE(check(report, {.off = "A-04"}).empty()) << "a warning is no error";
}

TEST(CheckTest, AFileThatIsTooLargeEmptyOrCutIsRefused) {  // T-69, A-01
  const std::string text = document_text(vector_a().report());
  ASSERT_TRUE(read(text).ok()) << to_lines(read(text).findings, "report");
  const std::string fits = text + std::string(kFileBytesMax - text.size(), ' ');
  EXPECT_TRUE(read(fits).ok());
  EXPECT_TRUE(has(read(fits + " ").findings, "A-01"));
  EXPECT_TRUE(read(fits + " ", {.off = "A-01"}).ok());
  EXPECT_TRUE(has(read("").findings, "A-01"));
  EXPECT_TRUE(has(read(text.substr(0, text.size() / 2)).findings, "A-01"));
}

/// `text` with the first `from` replaced.
std::string with(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(CheckTest, TheFormRulesOfChapterThreeFollowTheRuleThatRunsThem) {  // A-01, T-104
  const std::string text = canonical_text(vector_a().report());
  const auto ids = [](const std::string& changed) {
    const Findings findings = read(changed).findings;
    return findings.empty() ? std::vector<std::string>() : findings[0].ids;
  };
  using Ids = std::vector<std::string>;
  EXPECT_EQ(ids(with(text, "\"timed_out\":false,", "")), (Ids{"A-01", "J-16"}));
  EXPECT_EQ(ids(with(text, "\"timed_out\"", "\"x\":1,\"timed_out\"")), (Ids{"A-01", "J-01"}));
  EXPECT_EQ(ids(text + "{}"), (Ids{"A-01", "J-02"}));
  EXPECT_EQ(ids(with(text, "\"samples\":2", "\"samples\":2.0")), (Ids{"A-01", "J-03"}));
  EXPECT_EQ(ids(with(text, "\"value\":2.5", "\"value\":1e999")), (Ids{"A-01", "J-04"}));
  EXPECT_EQ(ids(with(text, "\"samples\":2", "\"samples\":2,\"samples\":2")), (Ids{"A-01", "J-05"}));
  EXPECT_EQ(ids(with(text, "\"unit\"", "\"Unit\"")), (Ids{"A-01", "J-06"}));
  EXPECT_EQ(ids(with(text, "\"samples\":2", "\"samples\":null")), (Ids{"A-01", "J-07"}));
  EXPECT_EQ(ids(with(text, "host memory", "host \xFF memory")), (Ids{"A-01", "J-09"}));
}

}  // namespace
}  // namespace cairn::evidence::attestation
