// Shows the JSON automaton to json_twin.py, bytes as hexadecimal digits:
//   json_driver walks COUNT   prints COUNT answers of random tokens under the mask, one a line
//   json_driver check         reads texts, one a line; prints "object", "beginning" or "no" for
//   each
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "engine/sampling/fake_vocabulary.h"
#include "engine/sampling/json_mask.h"
#include "tests/sampling/hex.h"

namespace cairn::engine {
namespace {

std::string_view judge(std::string_view text) {
  JsonState state;
  JsonStack stack;
  if (read_json(state, stack, text) != JsonVerdict::kYes) return "no";
  return state.mode == JsonMode::kDone ? "object" : "beginning";
}

/// Any allowed id at first; later one that closes something, where there is one.
TokenId pick(const FakeVocabulary& words, const std::vector<TokenId>& allowed, std::uint64_t random,
             bool close) {
  std::vector<TokenId> closing;
  for (const TokenId id : allowed) {
    const std::string_view text = words.bytes(id);
    if (text.find_first_of("}]\"") != text.npos && text.find_first_of("{[") == text.npos) {
      closing.push_back(id);
    }
  }
  const std::vector<TokenId>& from = close && !closing.empty() ? closing : allowed;
  return from[random % from.size()];
}

std::string walk(const FakeVocabulary& words, std::uint64_t seed) {
  JsonMask mask(words.index());
  std::string text;
  const std::uint64_t length = 1 + random_bits(seed, 1, 0) % 60;
  for (std::uint64_t step = 0; step < 5000 && !mask.must_end(); ++step) {
    std::vector<std::uint64_t> bits((words.size() + 63) / 64);
    mask.allow(bits);
    std::vector<TokenId> allowed;
    for (std::size_t id = 0; id < words.size(); ++id) {
      if ((bits[id / 64] >> (id % 64) & 1U) != 0) allowed.push_back(static_cast<TokenId>(id));
    }
    if (allowed.empty()) return text;
    const TokenId id = pick(words, allowed, random_bits(seed, 0, step), step > length);
    if (!mask.advance(id)) return text;
    text += words.bytes(id);
  }
  return text;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && arguments[0] == "walks") {
    const FakeVocabulary words({"{\"",      "\":",      "\": \"", "\",",  "\"}",
                                "}}",       "]]",       "}]",     "{}",   "[]",
                                "null",     "true",     "false",  "12",   "-0.5",
                                "1e",       "E+2",      "\n  ",   "\\u",  "\\ud83d\\ude00",
                                "\xC3\xA9", "\xE2\x82", "\xAC",   "name", "}}}}"});
    const std::uint64_t count = std::strtoull(arguments[1].c_str(), nullptr, 10);
    for (std::uint64_t seed = 0; seed < count; ++seed) {
      std::cout << to_hex(walk(words, seed)) << '\n';
    }
    return 0;
  }
  if (arguments.size() != 1 || arguments[0] != "check") return 2;
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << judge(from_hex(line)) << '\n';
  }
  return 0;
}

}  // namespace
}  // namespace cairn::engine

int main(int count, char** arguments) {
  return cairn::engine::run({arguments + 1, arguments + count});
}
