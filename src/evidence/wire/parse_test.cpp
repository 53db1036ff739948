#include "evidence/wire/parse.h"

#include <gtest/gtest.h>

#include <string>

#include "evidence/wire/decode.h"

namespace cairn::evidence {
namespace {

struct Inner {
  std::string name;
  std::int64_t count = 0;
};

template <class Visitor, Is<Inner> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("name", self.name);
  visit.field("count", self.count);
}

struct Sample {
  std::string text;
  std::int64_t whole = 0;
  std::uint64_t bytes = 0;
  double real = 0;
  bool flag = false;
  std::optional<Inner> inner;
  std::vector<std::string> names;
  std::vector<Inner> extras;
  std::optional<double> maybe;
};

template <class Visitor, Is<Sample> Self>
void describe(Visitor& visit, Self& self) {
  visit.field("text", self.text);
  visit.field("whole", self.whole);
  visit.field("bytes", self.bytes);
  visit.field("real", self.real);
  visit.field("flag", self.flag);
  visit.nullable("inner", self.inner);
  visit.list("names", self.names);
  visit.optional_list("extras", self.extras);
  visit.optional("maybe", self.maybe);
}

constexpr std::string_view kGood =
    R"({"text":"t","whole":-4,"bytes":18446744073709551615,"real":0.5,"flag":true,)"
    R"("inner":{"name":"n","count":1},"names":["a"],"maybe":2})";

std::string with(std::string_view from, std::string_view to) {
  std::string text(kGood);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

struct Defect {
  std::string id;
  std::string path;
  std::string text;
};

std::vector<Defect> defects() {
  return {
      {"J-01", "inner.other", with(R"("count":1)", R"("count":1,"other":1)")},
      {"J-02", "byte 130", std::string(kGood) + "{}"},
      {"J-02", "byte 0", ""},
      {"J-02", "byte 0", "\xEF\xBB\xBF" + std::string(kGood)},
      {"J-02", "byte 131", std::string(kGood) + " x"},
      {"J-02", "byte 59", with(R"("real":0.5)", R"("real":/**/0.5)").substr(0, 60)},
      {"J-03", "whole", with("-4", "40.0")},
      {"J-03", "whole", with("-4", "4e1")},
      {"J-03", "whole", with("-4", "9223372036854775808")},
      {"J-03", "whole", with("-4", "\"4\"")},
      {"J-03", "bytes", with("18446744073709551615", "-1")},
      {"J-03", "bytes", with("18446744073709551615", "18446744073709551616")},
      {"J-03", "inner.count", with(R"("count":1)", R"("count":1.5)")},
      {"J-04", "real", with("0.5", "1e999")},
      {"J-04", "real", with("0.5", "-1e999")},
      {"J-04", "real", with("0.5", "\"0.5\"")},
      {"J-04", "real", with("0.5", "NaN")},
      {"J-04", "real", with("0.5", "Infinity")},
      {"J-04", "real", with("0.5", "-Infinity")},
      {"J-05", "inner.name", with(R"("count":1)", R"("count":1,"name":"m")")},
      {"J-06", "inner.Name", with(R"("name":"n")", R"("Name":"n")")},
      {"J-07", "text", with(R"("t")", "null")},
      {"J-07", "whole", with("-4", "null")},
      {"J-07", "real", with("0.5", "null")},
      {"J-07", "flag", with("true", "null")},
      {"J-07", "names[0]", with(R"(["a"])", "[null]")},
      {"J-07", "maybe", with(R"("maybe":2)", R"("maybe":null)")},
      {"J-09", "byte 9", with(R"("t")", "\"\xFF\"")},
      {"J-09", "byte 15", with(R"("t")", R"("\ud800")")},
      {"J-16", "text", with(R"("text":"t",)", "")},
      {"J-16", "inner", with(R"("inner":{"name":"n","count":1},)", "")},
      {"J-16", "text", with(R"("t")", "4")},
      {"J-16", "", "[]"},
  };
}

TEST(ParseTest, ReadsEveryTypeOfChapterThree) {
  const Decoded<Sample> read = decode<Sample>(" \n" + std::string(kGood) + "\t\n");
  ASSERT_TRUE(read.ok()) << to_lines(read.findings, "sample");
  EXPECT_EQ(read.value.whole, -4);
  EXPECT_EQ(read.value.bytes, 18446744073709551615U);
  EXPECT_EQ(read.value.inner->name, "n");
  EXPECT_EQ(read.value.maybe, 2.0);
  EXPECT_TRUE(decode<Sample>(with(R"({"name":"n","count":1})", "null")).ok());
}

TEST(ParseTest, EveryRuleRefusesItsDefectAndIsSilentWhenOff) {
  for (const Defect& defect : defects()) {
    const Decoded<Sample> read = decode<Sample>(defect.text);
    ASSERT_EQ(read.findings.size(), 1U) << defect.id << " " << defect.text;
    const Finding& finding = read.findings[0];
    EXPECT_EQ(finding.ids.front(), defect.id) << finding.text();
    EXPECT_EQ(finding.path, defect.path) << finding.text();
    for (const Finding& other : decode<Sample>(defect.text, {.off = defect.id}).findings) {
      EXPECT_NE(other.ids.front(), defect.id) << defect.text;
    }
  }
}

TEST(ParseTest, WithoutJ02WhatStandsBehindTheFirstValueIsIgnored) {  // J-02
  EXPECT_TRUE(decode<Sample>(std::string(kGood) + " x", {.off = "J-02"}).ok());
  EXPECT_TRUE(decode<Sample>(std::string(kGood) + "{}", {.off = "J-02"}).ok());
  EXPECT_FALSE(decode<Sample>("", {.off = "J-02"}).ok());  // there is nothing to read
}

TEST(ParseTest, NullAndEmptyAreAlikeForTheListsOfJ08Only) {
  for (const std::string_view names : {"null", "[]"}) {
    const Decoded<Sample> read = decode<Sample>(with(R"(["a"])", names));
    ASSERT_TRUE(read.ok()) << to_lines(read.findings, "sample");
    EXPECT_TRUE(read.value.names.empty());
  }
  EXPECT_TRUE(decode<Sample>(with(R"("maybe":2)", R"("extras":null)")).ok());
  EXPECT_FALSE(decode<Sample>(with(R"(["a"])", "null"), {.off = "J-08"}).ok());
}

TEST(ParseTest, AnErrorNamesDocumentPathRuleFoundAndAccepted) {
  const Decoded<Sample> read = decode<Sample>(with("-4", "40.0"));
  EXPECT_EQ(to_status(read.findings, "a.json").message(),
            "a.json: [J-03] whole: found the number 40.0, accepted an integer of 64 bits, without "
            "fraction or exponent");
}

TEST(ParseTest, NestingBeyondTheLimitIsRefusedWithoutUsingTheStack) {
  const std::string deep = std::string(kDepthMax, '[') + std::string(kDepthMax, ']');
  EXPECT_TRUE(parse_document(deep).ok());
  EXPECT_FALSE(parse_document("[" + deep + "]").ok());
  EXPECT_FALSE(parse_document(std::string(4'000'000, '[')).ok());
}

TEST(ParseTest, AnObjectOfManyKeysIsReadInLinearTime) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"k" + std::to_string(i) + "\":1,";
  EXPECT_TRUE(parse_document(text + "\"last\":1}").ok());
  const Parsed twice = parse_document(text + "\"k7\":1}");
  ASSERT_EQ(twice.findings.size(), 1U);
  EXPECT_EQ(twice.findings[0].text(),
            "[J-05] k7: found this key a second time, accepted each key once in an object");
}

TEST(ParseTest, ADocumentWithARuleOfItsOwnForMissingKeysLeadsWithIt) {
  const std::string missing = with(R"("text":"t",)", "");
  EXPECT_EQ(decode<Sample>(missing, {}, "P-01").findings[0].ids,
            (std::vector<std::string>{"P-01", "J-16"}));
  EXPECT_TRUE(decode<Sample>(missing, {.off = "P-01"}, "P-01").ok());
}

}  // namespace
}  // namespace cairn::evidence
