// Schemas as grammars: what they take, and what is refused by name. tests/sampling checks the same
// against Python's jsonschema.
#include "engine/grammar/json_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "engine/grammar/state.h"

namespace cairn::engine {
namespace {

using testing::HasSubstr;

Result<std::shared_ptr<const Grammar>> compile(const std::string& schema) {
  auto grammar = std::make_shared<Grammar>();
  CAIRN_ASSIGN(const Json json, parse_json(schema, 2000));
  CAIRN_ASSIGN(const GrammarNode node, add_json_schema(*grammar, json));
  CAIRN_TRY(grammar->seal(grammar->padded(node)));
  return std::shared_ptr<const Grammar>(std::move(grammar));
}

/// How many ways there are to read a text so far at most; 0 where it does not fit.
std::size_t ways(const Grammar& grammar, const std::string& text) {
  GrammarStack stack;
  GrammarPlaces places = grammar_start(grammar, stack);
  std::size_t most = places.size();
  for (const char each : text) {
    places = grammar_step(grammar, stack, places, static_cast<std::uint8_t>(each));
    most = std::max(most, places.size());
    if (places.empty()) return 0;
  }
  return most;
}

bool takes(const std::string& schema, const std::string& text) {
  const auto grammar = compile(schema);
  EXPECT_TRUE(grammar.ok()) << grammar.status().message();
  if (!grammar.ok()) return false;
  GrammarStack stack;
  GrammarPlaces places = grammar_start(**grammar, stack);
  for (const char each : text) {
    places = grammar_step(**grammar, stack, places, static_cast<std::uint8_t>(each));
  }
  return grammar_may_end(**grammar, places);
}

std::string refusal(const std::string& schema) {
  const auto grammar = compile(schema);
  EXPECT_FALSE(grammar.ok()) << schema;
  return grammar.ok() ? "" : grammar.status().message();
}

TEST(JsonSchemaTest, AnEnumThatIsRequiredLeavesOneAnswer) {  // J01
  const std::string schema =
      R"({"type":"object","properties":{"a":{"enum":["x"]}},"required":["a"],)"
      R"("additionalProperties":false})";
  EXPECT_TRUE(takes(schema, R"({"a":"x"})"));
  EXPECT_TRUE(takes(schema, " {\n \"a\" : \"x\" }"));
  for (const char* text :
       {"{}", R"({"a":"y"})", R"({"b":1})", R"({"a":"x","b":1})", "A poem", "[]"}) {
    EXPECT_FALSE(takes(schema, text)) << text;
  }
}

TEST(JsonSchemaTest, MembersComeInTheirOrderAndThoseThatNeedNotBeThereMayBeMissing) {
  const std::string schema =
      R"({"properties":{"a":{"type":"integer"},"b":{"type":"string"},"c":{"type":"null"}},)"
      R"("required":["b"]})";
  for (const char* text : {R"({"b":""})", R"({"a":1,"b":""})", R"({"b":"","c":null})",
                           R"({"a":-0,"b":"\n","c":null})"}) {
    EXPECT_TRUE(takes(schema, text)) << text;
  }
  for (const char* text : {R"({})", R"({"a":1})", R"({"b":"","a":1})", R"({"a":1.0,"b":""})",
                           R"({"b":"","b":""})", R"({"b":"","d":1})", R"({"b":"",})"}) {
    EXPECT_FALSE(takes(schema, text)) << text;
  }
}

TEST(JsonSchemaTest, OtherMembersHaveTheirOwnSchemaAndNeverAListedName) {
  const std::string schema =
      R"({"properties":{"ab":{"type":"integer"}},"additionalProperties":{"type":"boolean"}})";
  EXPECT_TRUE(takes(schema, R"({"ab":1,"a":true,"abc":false,"":true})"));
  EXPECT_TRUE(takes(schema, R"({"x":true})"));
  EXPECT_FALSE(takes(schema, R"({"x":true,"ab":true})"));
  EXPECT_FALSE(takes(schema, R"({"\u0061b":true})"));
  EXPECT_FALSE(takes(schema, R"({"x":1})"));
  EXPECT_TRUE(takes(R"({"type":"object"})", R"({"\u0061":[1,{}]})"));
}

TEST(JsonSchemaTest, ArraysHaveAsManyItemsAsTheyShould) {
  const std::string schema = R"({"items":{"type":"boolean"},"minItems":1,"maxItems":3})";
  EXPECT_FALSE(takes(schema, "[]"));
  EXPECT_TRUE(takes(schema, "[ true ]"));
  EXPECT_TRUE(takes(schema, "[true,false,true]"));
  EXPECT_FALSE(takes(schema, "[true,false,true,true]"));
  EXPECT_FALSE(takes(schema, "[true,]"));
  EXPECT_TRUE(takes(R"({"type":"array","minItems":2})", R"([1,"a",{"b":[]},null])"));
  EXPECT_TRUE(takes(R"({"type":"array","items":false})", "[]"));
}

TEST(JsonSchemaTest, BoundedArraysOfNumbersReadAtTheSamePaceThroughout) {  // J14
  const std::string schema =
      R"({"type":"array","items":{"type":"number"},"minItems":5,"maxItems":800})";
  std::string items = "1.5";
  for (int i = 1; i < 800; ++i) items += ",1.5";
  EXPECT_TRUE(takes(schema, "[" + items + "]"));
  EXPECT_FALSE(takes(schema, "[" + items + ",1]"));
  EXPECT_FALSE(takes(schema, "[1,2,3,4]"));
  EXPECT_FALSE(takes(schema, "[" + std::string(21, '1'))) << "digits are bounded";
  EXPECT_LE(ways(**compile(schema), "[" + items + "]"), 2U);
}

TEST(JsonSchemaTest, ReferencesHoldWhatTheyPointTo) {  // J07
  const std::string schema =
      R"({"$defs":{"C":{"enum":["red","green"]}},"type":"object",)"
      R"("properties":{"c":{"$ref":"#/$defs/C","description":"d"}},"required":["c"]})";
  EXPECT_TRUE(takes(schema, R"({"c":"red"})"));
  EXPECT_TRUE(takes(schema, R"({"c":"green"})"));
  EXPECT_FALSE(takes(schema, R"({"c":"blue"})"));
  EXPECT_FALSE(takes(schema, R"({"c":{}})"));
}

TEST(JsonSchemaTest, ASchemaMayHoldItselfToAnyDepth) {
  const std::string schema =
      R"({"$defs":{"n":{"type":"object","properties":{"v":{"type":"integer"},)"
      R"("next":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]}},"required":["v","next"]}},)"
      R"("$ref":"#/$defs/n"})";
  std::string text = "null";
  for (int i = 0; i < 1000; ++i) text = "{\"v\":1,\"next\":" + text + "}";
  EXPECT_TRUE(takes(schema, text));
  EXPECT_FALSE(takes(schema, "{\"v\":1,\"next\":1}"));
}

TEST(JsonSchemaTest, AReferenceThatOnlyRefersToItselfIsRefusedAtOnce) {  // J09
  for (const char* schema :
       {R"({"$defs":{"loop":{"$ref":"#/$defs/loop"}},"$ref":"#/$defs/loop"})",
        R"({"$defs":{"p":{"$ref":"#/$defs/q"},"q":{"$ref":"#/$defs/p"}},"$ref":"#/$defs/p"})",
        R"({"properties":{"a":{"$ref":"#"}},"required":["a"]})",
        R"({"properties":{"a":false},"required":["a"]})", R"({"enum":[1],"type":"string"})",
        R"({"required":["a"],"additionalProperties":false})",
        R"({"type":"array","minItems":2,"maxItems":1})"}) {
    EXPECT_THAT(refusal(schema), HasSubstr("nothing satisfies it")) << schema;
  }
}

TEST(JsonSchemaTest, ANullableEnumNeedsNoType) {  // J32
  const std::string schema = R"({"anyOf":[{"enum":["c","f"],"type":"string"},{"type":"null"}]})";
  for (const char* text : {"\"c\"", "\"f\"", "null"}) EXPECT_TRUE(takes(schema, text)) << text;
  for (const char* text : {"\"g\"", "\"\"", "nul", "c"}) EXPECT_FALSE(takes(schema, text)) << text;
}

TEST(JsonSchemaTest, AnEmptySchemaTakesAnyValueWhoseNumbersEnd) {  // J19
  for (const std::string schema : {"{}", "true", R"({"type":"number"})"}) {
    EXPECT_TRUE(takes(schema, "-12.5e+10"));
    EXPECT_TRUE(takes(schema, std::string(kDigitsMax, '7')));
    EXPECT_FALSE(takes(schema, std::string(kDigitsMax + 1, '7')));
    EXPECT_FALSE(takes(schema, "1." + std::string(kDigitsMax + 1, '7')));
    EXPECT_FALSE(takes(schema, "1e100"));
  }
  EXPECT_TRUE(takes("{}", R"({"a":[1,"b",{"c":null}]})"));
}

TEST(JsonSchemaTest, AnAmbiguousSchemaHasNoMoreWaysToReadATextThanItHasRules) {
  // Each level could be either, which would be 2^100 ways one by one.
  const std::string schema =
      R"({"$defs":{"n":{"anyOf":[)"
      R"({"properties":{"a":{"$ref":"#/$defs/n"},"x":{"type":"null"}},"required":["a"]},)"
      R"({"properties":{"a":{"$ref":"#/$defs/n"},"y":{"type":"null"}},"required":["a"]},)"
      R"({"const":1}]}},"$ref":"#/$defs/n"})";
  std::string text = "1";
  for (int i = 0; i < 100; ++i) {
    text = "{\"a\":" + text + (i % 2 == 0 ? ",\"x\":null}" : ",\"y\":null}");
  }
  EXPECT_TRUE(takes(schema, text));
  EXPECT_LE(ways(**compile(schema), text), 16U);
}

TEST(JsonSchemaTest, WhatIsNotSupportedIsRefusedWithItsPointerAndKeyword) {
  struct Case {
    const char* schema = nullptr;
    const char* pointer = nullptr;
    const char* keyword = nullptr;
  };
  for (
      const Case& each :
      {Case{
           R"({"properties":{"outer":{"properties":{"note":{"type":"string","maxLength":50000}}}}})",
           "#/properties/outer/properties/note:", "'maxLength'"},  // J11
       Case{R"({"properties":{"t":{"maxLength":80000}}})",
            "#/properties/t:", "'maxLength'"},                                               // J13
       Case{R"({"pattern":"^\\d{3}:\\d+$"})", "#:", "'pattern'"},                            // J15
       Case{R"({"items":{"pattern":"^x_\\S+$"}})", "#/items:", "'pattern'"},                 // J16
       Case{R"({"anyOf":[{"type":"null"},{"pattern":"abc"}]})", "#/anyOf/1:", "'pattern'"},  // J17
       Case{R"({"type":"integer","minimum":0,"maximum":30000000000})", "#:", "'minimum'"},   // J18
       Case{R"({"$defs":{"a/b":{"multipleOf":0}},"$ref":"#/$defs/a~1b"})",
            "#/$defs/a~1b:", "'multipleOf'"},  // J18
       Case{R"({"additionalProperties":{"format":"date"}})", "#/additionalProperties:", "'format'"},
       Case{R"({"anyOf":[true],"properties":{}})", "#:", "'properties' beside 'anyOf'"},
       Case{R"({"enum":[1],"items":{}})", "#:", "'items' beside 'enum'"},
       Case{R"({"$ref":"#/$defs/none"})", "#:", "#/$defs/none, where no schema is"},
       Case{R"({"$ref":"http://example.com/a"})", "#:", "$ref"},
       Case{R"({"type":"text"})", "#:", "type"}, Case{R"({"minItems":-1})", "#:", "minItems"},
       Case{R"({"required":[1]})", "#:", "required"},
       Case{R"({"items":[1]})", "#/items:", "a schema has to be an object"}}) {
    EXPECT_THAT(refusal(each.schema),
                testing::AllOf(testing::StartsWith(each.pointer), HasSubstr(each.keyword)));
  }
}

TEST(JsonSchemaTest, SizeAndDepthAreBounded) {  // J24
  std::string deep = "true";
  for (int i = 0; i < 500; ++i) deep = R"({"items":)" + deep + "}";
  EXPECT_THAT(refusal(deep), HasSubstr("nested deeper than 64"));
  const std::string large = R"({"description":")" + std::string(kSchemaBytesMax, 'x') + "\"}";
  EXPECT_THAT(refusal(large), HasSubstr("at most 65536"));
}

}  // namespace
}  // namespace cairn::engine
