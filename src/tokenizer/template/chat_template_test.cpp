// (Longer than other files: one test per feature and report.) What templates give is compared with
// jinja2 itself in tests/templates; the expectations here were taken from jinja2 3.1.6 as
// tests/templates/oracle.py sets it up, but for provenance and limits, which are cairn's own.
#include "tokenizer/template/chat_template.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace cairn::tokenizer {
namespace {

Json json(std::string_view text) { return parse_json(text).value(); }

Result<Rendered> try_render(std::string source, const Json& context = Json::object(),
                            const RenderOptions& options = {}) {
  CAIRN_ASSIGN(const ChatTemplate made, ChatTemplate::parse(source));
  return made.render(context, options);
}

std::string render(std::string source, const Json& context = Json::object(),
                   const RenderOptions& options = {}) {
  const auto rendered = try_render(std::move(source), context, options);
  EXPECT_TRUE(rendered.ok()) << rendered.status().message();
  return rendered.ok() ? rendered->text : "(failed)";
}

Status failure(std::string source, const Json& context = Json::object(),
               const RenderOptions& options = {}) {
  const auto rendered = try_render(std::move(source), context, options);
  EXPECT_FALSE(rendered.ok()) << (rendered.ok() ? rendered->text : "");
  return rendered.status();
}

/// The text with what came from input in [brackets].
std::string marked(std::string source, const Json& context, const RenderOptions& options = {}) {
  const auto rendered = try_render(std::move(source), context, options);
  EXPECT_TRUE(rendered.ok()) << rendered.status().message();
  if (!rendered.ok()) return "(failed)";
  std::string out;
  std::size_t at = 0;
  for (const TextSpan& span : rendered->from_input) {
    out += rendered->text.substr(at, span.begin - at) + "[" +
           rendered->text.substr(span.begin, span.end - span.begin) + "]";
    at = span.end;
  }
  return out + rendered->text.substr(at);
}

const Json& chat() {
  static const Json kChat = json(R"({"messages": [
      {"role": "user", "content": "one"}, {"role": "assistant", "content": "two"},
      {"role": "user", "content": "three"}]})");
  return kChat;
}

// C01: loop controls.
TEST(ChatTemplateTest, BreaksAndContinuesLoops) {
  EXPECT_EQ(render("{% for m in messages %}{% if loop.index > 2 %}{% break %}{% endif %}"
                   "{{ m.content }}{% endfor %}",
                   chat()),
            "onetwo");
  EXPECT_EQ(render("{% for m in messages %}{% if m.role == 'assistant' %}{% continue %}{% endif %}"
                   "{{ m.content }}{% endfor %}",
                   chat()),
            "onethree");
}

// C02: slices with steps and from the end.
TEST(ChatTemplateTest, SlicesWithStepsAndNegativeBounds) {
  const auto sliced = [](const std::string& slice) {
    return render("{% for m in messages[" + slice + "] %}{{ m.content }} {% endfor %}", chat());
  };
  EXPECT_EQ(sliced("::-1"), "three two one ");
  EXPECT_EQ(sliced("::2"), "one three ");
  EXPECT_EQ(sliced("1:"), "two three ");
  EXPECT_EQ(sliced(":-1"), "one two ");
}

// C05: a template that cannot be parsed is an error with its line, when it is parsed.
TEST(ChatTemplateTest, NamesTheLineOfASyntaxError) {
  const auto made = ChatTemplate::parse("line\nline\n{% bogus %}");
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(made.status().message(), "chat template, line 3: encountered unknown tag 'bogus'");
}

TEST(ChatTemplateTest, NamesTheLineOfARuntimeError) {
  EXPECT_EQ(failure("a\n{{ x.y }}").message(), "chat template, line 2: 'x' is undefined");
  EXPECT_EQ(failure("{{ 1 +\n\n 'a' }}").message(),
            "chat template, line 1: unsupported operand type(s) for +: 'int' and 'str'");
}

// C06: the template's own refusal is the message, whole and alone.
TEST(ChatTemplateTest, GivesTheMessageOfRaiseException) {
  const Json context = json(R"({"messages": [{"role": "user"}, {"role": "user"}]})");
  const Status status = failure(
      "begin {% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
      "{{ raise_exception('Roles must alternate: ' ~ loop.index) }}{% endif %}{% endfor %}",
      context);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "Roles must alternate: 2");
}

// C12: insertion order, Python's separators, no HTML escapes.
TEST(ChatTemplateTest, PrintsJsonAsPythonDoes) {
  const Json context = json(
      R"~({"tools": [{"name": "f", "description": "x > 1 & y < 2 (it's)", "parameters": {}}]})~");
  EXPECT_EQ(render("{{ tools|tojson }}", context),
            R"~([{"name": "f", "description": "x > 1 & y < 2 (it's)", "parameters": {}}])~");
}

// C13: slashes, dashes, spacing and floats.
TEST(ChatTemplateTest, PrintsNumbersAndCharactersInJsonAsPythonDoes) {
  const std::string value = "{'p': 'a/b', 'd': '—', 'x': 100.0, 'y': 1e16, 'l': [1, 2]}";
  EXPECT_EQ(render("{{ " + value + "|tojson }}"),
            R"({"p": "a/b", "d": "—", "x": 100.0, "y": 1e+16, "l": [1, 2]})");
  EXPECT_EQ(render("{{ {'a': [1, {}], 'b': []}|tojson(indent=2) }}"),
            "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}");
}

// C14: keyword arguments of tojson.
TEST(ChatTemplateTest, TakesTheKeywordsOfTojson) {
  EXPECT_EQ(render("{{ {'b': 'é', 'a': 1}|tojson(ensure_ascii=False) }}"), R"({"b": "é", "a": 1})");
  EXPECT_EQ(render("{{ {'b': 'é', 'a': 1}|tojson(ensure_ascii=True, sort_keys=True) }}"),
            R"({"a": 1, "b": "\u00e9"})");
  EXPECT_EQ(render("{{ {'b': [1, 2]}|tojson(separators=(',', ':')) }}"), R"({"b":[1,2]})");
}

// C17: the date comes from the options, so that tests can fix it.
TEST(ChatTemplateTest, PrintsTheGivenTime) {
  const RenderOptions options{
      .now = LocalTime{.year = 2024, .month = 7, .day = 26, .hour = 14, .minute = 5}};
  EXPECT_EQ(render("{{ strftime_now('%d %b %Y') }}", Json::object(), options), "26 Jul 2024");
  EXPECT_EQ(render("{{ strftime_now('%A %j %H:%M %p') }}", Json::object(), options),
            "Friday 208 14:05 PM");
  EXPECT_EQ(failure("{{ strftime_now('%Y') }}").code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(failure("{% if not messages %}{{ raise_exception('empty') }}{% endif %}").message(),
            "empty");
}

TEST(ChatTemplateTest, TrimsBlocksAsTransformersSetsIt) {
  EXPECT_EQ(render("  {% if true %}\n  a\n  {% endif %}\nb"), "  a\nb");
  EXPECT_EQ(render("x\n  {%+ if true %}\ny{% endif +%}\nz"), "x\n  y\nz");
  EXPECT_EQ(render("a \n {%- if true -%} \n b \n {%- endif -%} \n c"), "abc");
  EXPECT_EQ(render("x {{- 1 -}} y\n"), "x1y");
}

TEST(ChatTemplateTest, RecursesLoops) {
  EXPECT_EQ(render("{% for n in t recursive %}{{ loop.depth }}{{ n.n }}{{ loop(n.k) }}{% endfor %}",
                   json(R"({"t": [{"n": "a", "k": [{"n": "b", "k": []}]}]})")),
            "1a2b");
}

TEST(ChatTemplateTest, CallsMacrosWithDefaultsAndCallers) {
  EXPECT_EQ(
      render("{% macro m(a, b=a + 1) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}{{ m(1, b=5) }}"),
      "1215");
  EXPECT_EQ(render("{% macro w(t) %}<{{ caller(t) }}>{% endmacro %}"
                   "{% call(x) w('y') %}{{ x }}!{% endcall %}"),
            "<y!>");
}

TEST(ChatTemplateTest, RefusesToChangeListsAndDicts) {
  EXPECT_EQ(failure("{{ [1].append(2) }}").code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(failure("{{ {}.update({}) }}").code(), StatusCode::kInvalidArgument);
}

TEST(ChatTemplateTest, MarksWhatCameFromInput) {
  const Json context = json(R"({"t": " ab,cd ", "n": 5, "m": {"key": "v"}})");
  EXPECT_EQ(marked("<{{ t }}>", context), "<[ ab,cd ]>");
  EXPECT_EQ(marked("{{ '<' + t.strip() + '>' }}", context), "<[ab,cd]>");
  EXPECT_EQ(marked("{{ t.strip().split(',') | join('|') }}", context), "[ab]|[cd]");
  EXPECT_EQ(marked("{{ t | replace('b', 'X') }}", context), "[ a]X[,cd ]");
  EXPECT_EQ(marked("{{ t[1:3] ~ '!' ~ t[4:5] }}", context), "[ab]![c]");
  EXPECT_EQ(marked("{{ 'x%sy' % t[1:2] }}{{ '{}z'.format(t[1]) }}", context), "x[a]y[a]z");
  EXPECT_EQ(marked("{{ t | upper }}.", context), "[ AB,CD ].");
  EXPECT_EQ(marked("{{ m | tojson }}{{ n }}", context), "{[\"key\"]: [\"v\"]}5");
  EXPECT_EQ(marked("{% set x %}a{{ t[1] }}{% endset %}{{ x }}b", context), "a[a]b");
  EXPECT_EQ(marked("{% macro m(v) %}({{ v }}){% endmacro %}{{ m(t[1]) }}", context), "([a])");
  EXPECT_EQ(marked("{{ 'a\nb' | indent }}{{ t[1] | indent }}", context), "a\n    b[a]");
}

TEST(ChatTemplateTest, TrustsTheModelsOwnTokensAndKnownRoles) {
  const Json context = json(R"({"bos_token": "<s>", "mine": "<m>", "messages": [
      {"role": "user", "content": "u"}, {"role": "endoftext", "content": "e"}]})");
  const std::string source =
      "{{ bos_token }}{{ mine }}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}";
  EXPECT_EQ(marked(source, context), "<s>[<m>]<|user|>[u]<|[endoftext]|>[e]");
  RenderOptions options;
  options.trusted_keys = {"mine"};
  EXPECT_EQ(marked("{{ bos_token }}{{ mine }}", context, options), "[<s>]<m>");
}

TEST(ChatTemplateTest, RefusesWhatSpendsTooMuch) {
  const auto spends = [](std::string source) {
    return failure(std::move(source)).code() == StatusCode::kTooLarge;
  };
  EXPECT_TRUE(spends("{{ range(100001) }}"));
  EXPECT_TRUE(spends("{{ 'a' * 1000000000 }}"));
  EXPECT_TRUE(spends("{{ [1] * 1000000000 }}"));
  EXPECT_TRUE(spends("{{ ('a' * 1000000).replace('a', 'b' * 1000000) }}"));
  EXPECT_TRUE(spends("{{ ''.center(10000000000) }}"));
  EXPECT_TRUE(spends("{{ '%99999999d' % 1 }}"));
  EXPECT_TRUE(spends("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"));
  EXPECT_TRUE(
      spends("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}"
             "{% endfor %}"));
  EXPECT_TRUE(
      spends("{% set n = namespace(s='aaaaaaaa') %}{% for i in range(40) %}"
             "{% set n.s = n.s + n.s %}{% endfor %}"));
  EXPECT_TRUE(
      spends("{% set n = namespace(l=[]) %}{% for i in range(1000) %}"
             "{% set n.l = [n.l] %}{% endfor %}"));
  EXPECT_TRUE(spends("{% set n = namespace() %}{% set n.n = n %}{{ n }}"));
}

TEST(ChatTemplateTest, RefusesTemplatesThatNestTooDeeply) {
  const auto nested = [](std::string_view open, std::size_t count) {
    std::string source = "{{ ";
    for (std::size_t i = 0; i < count; ++i) source += open;
    return ChatTemplate::parse(source + "1").status().code();
  };
  for (const std::string_view open : {"(", "[", "{1:", "not ", "-", "1+", "1 if 1 else ", "x("}) {
    EXPECT_EQ(nested(open, 100'000), StatusCode::kTooLarge) << open;
  }
  std::string blocks;
  for (int i = 0; i < 10'000; ++i) blocks += "{% if x %}";
  EXPECT_EQ(ChatTemplate::parse(blocks).status().code(), StatusCode::kTooLarge);
}

TEST(ChatTemplateTest, FreesNamespacesThatHoldEachOther) {
  EXPECT_EQ(render("{% set a = namespace() %}{% set b = namespace(a=a) %}{% set a.b = b %}"
                   "{% macro m() %}{{ a.b.a.b is defined }}{% endmacro %}{% set a.m = m %}"
                   "{% for i in [1] %}{% set a.l = loop %}{% set _ = loop.changed(a, loop) %}"
                   "{% endfor %}{{ m() }}"),
            "True");
}

TEST(ChatTemplateTest, RefusesContextsAndTemplatesThatAreNoText) {
  EXPECT_FALSE(ChatTemplate::parse("\xff").ok());
  EXPECT_FALSE(try_render("x", Json::array()).ok());
  Json bad;
  bad["x"] = "\xff";
  EXPECT_FALSE(try_render("x", bad).ok());
}

}  // namespace
}  // namespace cairn::tokenizer
