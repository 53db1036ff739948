// What a serving benchmark asks: prompts of four classes (native-performance.md 18.8).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "evidence/bench/load.h"

namespace cairn::cli {

/// Prompts by class, in the order of kMixedLoad.
using LoadCorpus = std::array<std::vector<std::string>, evidence::kMixedLoad.size()>;

/// Made of a fixed list of words: eight prompts of each class, of lengths that the classes have in
/// practice. Always the same.
LoadCorpus made_corpus();

/// Lines of {"class": …, "prompt": …}, of every class at least one. Errors: kInvalidArgument with
/// the number of the line, what was found and what is accepted.
Result<LoadCorpus> parse_corpus(std::string_view lines);

/// SHA-256 over all prompts.
std::string corpus_sha256(const LoadCorpus& corpus);

/// The prompts of one repetition, in sending order, with their classes.
struct LoadList {
  std::vector<std::string> prompts;
  std::vector<std::string> classes;  // "short-question"
};

/// A pure function of its arguments.
LoadList load_list(const LoadCorpus& corpus, std::uint64_t seed, std::size_t requests);

}  // namespace cairn::cli
