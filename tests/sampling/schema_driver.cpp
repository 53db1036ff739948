// Shows grammars of JSON Schemas to schema_twin.py. Reads lines of JSON and answers each with one:
//   {"schema": S, "walks": N, "seed": K}   {"texts": [N answers of random tokens under the mask]}
//   {"schema": S, "texts": [T, ...]}       {"verdicts": ["whole", "beginning" or "no", ...]}
// or {"error": "..."} for a schema that is refused. Texts are hexadecimal digits.
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/random.h"
#include "engine/grammar/grammar_mask.h"
#include "engine/grammar/json_schema.h"
#include "engine/sampling/fake_vocabulary.h"
#include "tests/sampling/hex.h"

namespace cairn::engine {
namespace {

Result<std::shared_ptr<const Grammar>> compile(const Json& schema) {
  auto grammar = std::make_shared<Grammar>();
  CAIRN_ASSIGN(const GrammarNode node, add_json_schema(*grammar, schema));
  CAIRN_TRY(grammar->seal(grammar->padded(node)));
  return std::shared_ptr<const Grammar>(std::move(grammar));
}

std::string_view judge(const Grammar& grammar, std::string_view text) {
  GrammarStack stack;
  GrammarPlaces places = grammar_start(grammar, stack);
  for (const char each : text) {
    places = grammar_step(grammar, stack, places, static_cast<std::uint8_t>(each));
  }
  if (places.empty()) return "no";
  return grammar_may_end(grammar, places) ? "whole" : "beginning";
}

/// Any allowed id at first; later one that opens nothing, and rather one that closes something.
TokenId pick(const FakeVocabulary& words, const std::vector<TokenId>& allowed, std::uint64_t random,
             bool close) {
  std::vector<TokenId> plain;
  std::vector<TokenId> closing;
  for (const TokenId id : allowed) {
    const std::string_view text = words.bytes(id);
    if (text.find_first_of("{[,") != text.npos) continue;
    plain.push_back(id);
    if (text.find_first_of("}]\"") != text.npos) closing.push_back(id);
  }
  const std::vector<TokenId>* from = &allowed;
  if (close && !plain.empty()) from = closing.empty() || random % 4 == 0 ? &plain : &closing;
  return (*from)[random / 4 % from->size()];
}

/// Empty where the answer does not end within its steps.
std::string walk(const FakeVocabulary& words, std::shared_ptr<const Grammar> grammar,
                 std::uint64_t seed) {
  GrammarMask mask(words.index(), std::move(grammar));
  std::string text;
  const std::uint64_t length = random_bits(seed, 1, 0) % 60;
  for (std::uint64_t step = 0; step < 3000; ++step) {
    if (mask.must_end() || (mask.may_end() && step > length)) return text;
    std::vector<std::uint64_t> bits((words.size() + 63) / 64);
    mask.allow(bits);
    std::vector<TokenId> allowed;
    for (std::size_t id = 0; id < words.size(); ++id) {
      if ((bits[id / 64] >> (id % 64) & 1U) != 0) allowed.push_back(static_cast<TokenId>(id));
    }
    if (allowed.empty()) return "stuck after " + text;
    const TokenId id = pick(words, allowed, random_bits(seed, 0, step), step > length);
    if (!mask.advance(id)) return "refused what it allowed after " + text;
    text += words.bytes(id);
  }
  return {};
}

Json answer(const FakeVocabulary& words, const Json& asked) {
  const auto grammar = compile(asked["schema"]);
  if (!grammar.ok()) return {{"error", grammar.status().message()}};
  Json texts = Json::array();
  if (asked.contains("texts")) {
    for (const Json& text : asked["texts"]) {
      texts.push_back(judge(**grammar, from_hex(text.get<std::string>())));
    }
    return {{"verdicts", texts}};
  }
  const auto seed = asked["seed"].get<std::uint64_t>();
  for (std::uint64_t i = 0; i < asked["walks"].get<std::uint64_t>(); ++i) {
    texts.push_back(to_hex(walk(words, *grammar, seed + i)));
  }
  return {{"texts", texts}};
}

}  // namespace
}  // namespace cairn::engine

int main() {
  const cairn::engine::FakeVocabulary words({"{\"",
                                             "\":",
                                             "\": \"",
                                             "\",",
                                             "\"}",
                                             "}}",
                                             "]]",
                                             "}]",
                                             "{}",
                                             "[]",
                                             "null",
                                             "true",
                                             "12",
                                             "-0.5",
                                             "1e",
                                             "E+2",
                                             "\n  ",
                                             "\\u",
                                             "\xC3\xA9",
                                             "\xE2\x82",
                                             "\xAC",
                                             "a\":",
                                             "\\ud83d\\ude00",
                                             "b\": ",
                                             ", \"",
                                             "],",
                                             "},",
                                             "false",
                                             "red\"",
                                             "\"a",
                                             "\"b",
                                             "0, "});
  for (std::string line; std::getline(std::cin, line);) {
    const auto asked = cairn::parse_json(line);
    if (!asked.ok()) return 2;
    std::cout << cairn::line_of(cairn::engine::answer(words, *asked)) << '\n';
  }
  return 0;
}
