// What Python's values do in templates where a shortcut would differ. The expectations are jinja2
// 3.1.6's on Python 3.11; tests/templates compares many more.
#include <gtest/gtest.h>

#include <string>

#include "tokenizer/template/chat_template.h"

namespace cairn::tokenizer {
namespace {

Result<Rendered> try_render(const std::string& source) {
  CAIRN_ASSIGN(const ChatTemplate made, ChatTemplate::parse(source));
  return made.render(Json::object(), {});
}

std::string value_of(const std::string& expression) {
  const auto rendered = try_render("{{ " + expression + " }}");
  return rendered.ok() ? rendered->text : "refused: " + rendered.status().message();
}

bool is_refused(const std::string& source) { return !try_render(source).ok(); }

TEST(PythonSemanticsTest, DividesIntegersRoundingOnce) {
  EXPECT_EQ(value_of("9007199254740993 / 255"), "35322350018592.13");
  EXPECT_EQ(value_of("3 / 9007199254740993"), "3.330669073875469e-16");
  EXPECT_EQ(value_of("-7 // 2 ~ ' ' ~ -7 % 3 ~ ' ' ~ 7 % -3"), "-4 2 -2");
}

TEST(PythonSemanticsTest, ComparesIntegersWithFloatsExactly) {
  EXPECT_EQ(value_of("9007199254740993 == 9007199254740992.0"), "False");
  EXPECT_EQ(value_of("9007199254740993 > 9007199254740992.0"), "True");
  EXPECT_EQ(value_of("3 == 3.0"), "True");
}

TEST(PythonSemanticsTest, KeepsTheSignOfZero) {
  EXPECT_EQ(value_of("0.0 // -0.5"), "-0.0");
  EXPECT_EQ(value_of("-0.0 | round(1, 'floor')"), "0.0");
}

TEST(PythonSemanticsTest, RefusesIntegersBeyondItsRangeInsteadOfGivingAnother) {
  EXPECT_TRUE(is_refused("{{ ('9' * 50) | int }}"));
  EXPECT_TRUE(is_refused("{{ 1e300 | int }}"));
  EXPECT_TRUE(is_refused("{{ 2 ** 200 }}"));
  EXPECT_TRUE(is_refused("{{ ('inf' | float) | int }}"));
  EXPECT_EQ(value_of("'inf' | int(7)"), "7");
}

TEST(PythonSemanticsTest, ReadsTheDigitsOfEveryScript) {
  EXPECT_EQ(value_of("'٣٤' | int"), "34");
  EXPECT_EQ(value_of("'٣.٥' | float"), "3.5");
}

TEST(PythonSemanticsTest, KnowsCharactersWhoseCategoryDoesNotTell) {
  EXPECT_EQ(value_of("'ª'.islower() ~ 'Ⅷ'.isupper() ~ '①'.isdigit() ~ '三'.isnumeric()"),
            "TrueTrueTrueTrue");
  EXPECT_EQ(value_of("'Straße ﬁ'.casefold()"), "strasse fi");
  EXPECT_EQ(value_of("'ⅷⓐ'.swapcase()"), "ⅧⒶ");
}

// What nobody asks for is not made: a filter that would fail on a later item does no harm.
TEST(PythonSemanticsTest, MakesTheItemsOfMapAndSelectWhenTheyAreAskedFor) {
  EXPECT_EQ(value_of("['a', 1] | map('first') | first"), "a");
  EXPECT_EQ(
      value_of("[{'f': {'n': 'x'}}, {}] | selectattr('f.n', 'eq', 'x') | map('length') | first"),
      "1");
  const auto rest = try_render(
      "{% set g = [1, 2, 3] | map('string') %}{% for x in g %}{% break %}{% endfor %}"
      "{{ g | join }}");
  ASSERT_TRUE(rest.ok()) << rest.status().message();
  EXPECT_EQ(rest->text, "23");
}

TEST(PythonSemanticsTest, SlicesRangesToRanges) {
  EXPECT_EQ(value_of("range(10)[2:8:3]"), "range(2, 8, 3)");
  EXPECT_EQ(value_of("range(10)[::-1].start"), "9");
}

TEST(PythonSemanticsTest, SortsByAttributesThatAreEquallyAbsent) {
  EXPECT_EQ(value_of("[{'a': 1}, {'a': 2}] | sort(attribute='b') | map(attribute='a') | list"),
            "[1, 2]");
  EXPECT_TRUE(is_refused("{{ [{'a': 1}, {'b': 2}] | sort(attribute='a') }}"));
}

TEST(PythonSemanticsTest, WrapsWordsAtSpacesAndHyphens) {
  EXPECT_EQ(value_of("'word-word well, the quick' | wordwrap(5)"),
            "word-\nword\nwell,\nthe\nquick");
  EXPECT_EQ(value_of("'abcdef gh' | wordwrap(3, false)"), "abcdef\ngh");
}

TEST(PythonSemanticsTest, HasTheFiltersForSizesUrlsAndAttributes) {
  EXPECT_EQ(value_of("1000000007 | filesizeformat"), "1.0 GB");
  EXPECT_EQ(value_of("2048 | filesizeformat(true)"), "2.0 KiB");
  EXPECT_EQ(value_of("{'a b': 'c/d', 'e': 1} | urlencode"), "a+b=c%2Fd&e=1");
  EXPECT_EQ(value_of("{'id': 'x<', 'no': none} | xmlattr"), " id=\"x&lt;\"");
}

TEST(PythonSemanticsTest, EscapesWhatMethodsPutIntoMarkup) {
  EXPECT_EQ(value_of("('<i>' | safe).replace('i', '<')"), "<&lt;>");
  EXPECT_EQ(value_of("('|' | safe).join(['<', 'b'])"), "&lt;|b");
}

// jinja2 refuses these when it compiles a template, but for those a template can ask about.
TEST(PythonSemanticsTest, RefusesUnknownFiltersWhenATemplateIsParsed) {
  EXPECT_FALSE(ChatTemplate::parse("{% for x in [] %}{{ x | nope }}{% endfor %}").ok());
  EXPECT_FALSE(ChatTemplate::parse("{% set x = 1 is nope %}").ok());
  EXPECT_TRUE(ChatTemplate::parse("{% if 'nope' is filter %}{{ 1 | nope }}{% endif %}").ok());
  EXPECT_TRUE(ChatTemplate::parse("{{ 1 | nope if false }}").ok());
  const auto refused = ChatTemplate::parse("a\n{{ 'x' | urlize }}");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().message(),
            "chat template, line 2: the filter 'urlize' is not supported");
}

TEST(PythonSemanticsTest, NamesTheTagsAndMethodsThatItLacks) {
  EXPECT_EQ(ChatTemplate::parse("\n{% include 'x' %}").status().message(),
            "chat template, line 2: the tag 'include' is not supported");
  EXPECT_EQ(value_of("'a'.encode()"), "refused: chat template, line 1: encode() is not supported");
}

}  // namespace
}  // namespace cairn::tokenizer
