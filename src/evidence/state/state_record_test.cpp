// The state record's mutations: each is refused by its rule.
#include "evidence/state/state_record.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/sha256.h"
#include "evidence/wire/encode.h"
#include "evidence/wire/utc.h"

namespace cairn::evidence {
namespace {

std::string digest(char last) { return "sha256:" + std::string(63, '0') + last; }

std::string three_lines() {
  std::string text;
  for (const char last : {'1', '2', '3'}) {
    Result<std::string> more =
        append_line(text, {.time_utc = std::string("2026-11-30T10:00:0") + last + "Z",
                           .kind = "measured",
                           .subject = "decode",
                           .receipt_digest = digest(last),
                           .previous_sha256 = ""});
    EXPECT_TRUE(more.ok()) << more.status().message();
    text = *more;
  }
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at + 1));
    at = end + 1;
  }
  return lines;
}

/// The chain of these lines computed anew, ids kept.
std::string chained(const std::vector<std::string>& lines) {
  std::string text;
  std::string before;
  for (const std::string& line : lines) {
    StateLine one = decode<StateLine>(line.substr(0, line.size() - 1)).value;
    one.previous_sha256 = before.empty() ? "" : sha256_hex(std::string_view(before));
    before = canonical_text(one);
    text += before + "\n";
  }
  return text;
}

bool refused(std::string_view id, const std::string& text,
             const std::vector<StateVersion>& earlier = {}) {
  const auto names = [&](const Findings& findings) {
    return std::ranges::any_of(findings, [&](const Finding& one) { return one.ids[0] == id; });
  };
  EXPECT_FALSE(names(check_state_record(text, earlier, {.off = id}))) << id;
  return names(check_state_record(text, earlier));
}

TEST(StateRecordTest, AChainThatWasAppendedToIsInOrder) {
  EXPECT_EQ(to_lines(check_state_record(three_lines(), {}), "record"), "");
  EXPECT_TRUE(check_state_record("", {}).empty());
}

TEST(StateRecordTest, AnEditedLineIsRefused) {  // M-04
  std::string text = three_lines();
  text.replace(text.find("decode"), 6, "encode");
  EXPECT_TRUE(refused("M-04", text));
  EXPECT_TRUE(refused("M-04", three_lines() + "{\"id\":4}\n"));
  EXPECT_TRUE(refused("M-04", three_lines().substr(0, three_lines().size() - 1)));
  std::vector<std::string> lines = lines_of(three_lines());
  lines[0].replace(lines[0].find("measured"), 8, "imagined");
  EXPECT_TRUE(refused("M-04", chained(lines)));
}

TEST(StateRecordTest, AReorderedOrRemovedLineIsRefused) {  // M-05, M-08
  std::vector<std::string> lines = lines_of(three_lines());
  std::swap(lines[1], lines[2]);
  EXPECT_TRUE(refused("M-05", chained(lines)));
  lines = lines_of(three_lines());
  lines.erase(lines.begin() + 1);
  EXPECT_TRUE(refused("M-05", chained(lines)));
  EXPECT_TRUE(refused("M-08", chained(lines)));
  lines = lines_of(three_lines());
  lines[2].replace(lines[2].find("\"id\":3"), 6, "\"id\":5");
  EXPECT_TRUE(refused("M-08", chained(lines)));
}

TEST(StateRecordTest, APastThatWasRewrittenIsRefusedEvenWithAWholeChain) {  // M-06
  const std::string before = three_lines();
  std::vector<std::string> lines = lines_of(before);
  lines[1].replace(lines[1].find("decode"), 6, "encode");
  const std::string rewritten = chained(lines);
  EXPECT_TRUE(check_state_record(rewritten, {}).empty());
  EXPECT_TRUE(refused("M-06", rewritten, {{.commit = "abc", .text = before}}));
  lines.pop_back();
  EXPECT_TRUE(refused("M-06", chained({lines[0]}), {{.commit = "abc", .text = before}}));
  EXPECT_FALSE(refused("M-06", before, {{.commit = "abc", .text = lines_of(before)[0]}}));
}

TEST(StateRecordTest, TimeDoesNotGoBackwards) {  // M-07
  std::vector<std::string> lines = lines_of(three_lines());
  lines[2].replace(lines[2].find("10:00:03"), 8, "09:00:03");
  EXPECT_TRUE(refused("M-07", chained(lines)));
  lines[2].replace(lines[2].find("09:00:03"), 8, "25:00:03");
  EXPECT_TRUE(refused("M-07", chained(lines)));
  const Result<std::string> late = append_line(three_lines(), {.time_utc = "2026-11-29T10:00:00Z",
                                                               .kind = "measured",
                                                               .subject = "decode",
                                                               .receipt_digest = digest('4'),
                                                               .previous_sha256 = ""});
  EXPECT_EQ(late.status().code(), StatusCode::kInvalidArgument);
}

TEST(UtcTest, TimesHaveTheOrderOfTheirKeys) {
  EXPECT_LT(*utc_key("2026-11-30T10:00:00Z"), *utc_key("2026-11-30T10:00:00.000000001Z"));
  EXPECT_LT(*utc_key("2026-11-30T10:00:00.09Z"), *utc_key("2026-11-30T10:00:00.1Z"));
  EXPECT_TRUE(utc_key("2028-02-29T00:00:00Z"));
  for (const std::string_view text :
       {"", "2026-11-30", "2026-11-30T10:00:00", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
        "2026-11-30T24:00:00Z", "2026-11-30T10:00:00.Z", "2026-11-30T10:00:00,5Z",
        "2026-11-30T10:00:00.1234567890Z", "2026-11-30T10:00:00+00:00Z"}) {
    EXPECT_FALSE(utc_key(text)) << text;
  }
}

}  // namespace
}  // namespace cairn::evidence
