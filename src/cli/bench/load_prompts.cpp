#include "cli/bench/load_prompts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/random.h"
#include "base/sha256.h"

namespace cairn::cli {
namespace {

using evidence::kMixedLoad;

constexpr std::size_t kPromptsOfClass = 8;
/// Words of a prompt of each class.
constexpr std::array<std::size_t, kMixedLoad.size()> kPromptWords = {12, 96, 192, 640};
constexpr std::array<std::string_view, kMixedLoad.size()> kBeginnings = {
    "Answer in a sentence:", "Complete this function:", "Go on with this text:",
    "Review what follows and list what is wrong:"};
constexpr std::array<std::string_view, 32> kVocabulary = {
    "river", "engine", "under", "seven",  "the",   "carries", "stone",  "light",
    "and",   "return", "value", "before", "a",     "window",  "count",  "of",
    "paper", "turns",  "slow",  "bridge", "other", "reads",   "garden", "with",
    "north", "number", "is",    "open",   "for",   "letter",  "every",  "house"};

std::string made_prompt(std::size_t load_class, std::size_t index) {
  std::string text(kBeginnings[load_class]);
  for (std::size_t i = 0; i < kPromptWords[load_class]; ++i) {
    const std::uint64_t bits = random_bits(load_class + 1, index, i);
    text += fmt::format(" {}", kVocabulary[bits % kVocabulary.size()]);
  }
  return text;
}

std::string class_names() {
  std::string names;
  for (const evidence::LoadClass& each : kMixedLoad) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
  }
  return names;
}

std::string string_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

Status take_prompt(std::string_view line, LoadCorpus& corpus) {
  CAIRN_ASSIGN(const Json object, parse_json(line));
  if (!object.is_object()) return invalid_argument("found no JSON object");
  const std::string name = string_of(object, "class");
  std::string prompt = string_of(object, "prompt");
  const auto* const known = std::ranges::find(kMixedLoad, name, &evidence::LoadClass::name);
  if (known == kMixedLoad.end()) {
    return invalid_argument(
        fmt::format("found the class '{}', expected one of: {}", name, class_names()));
  }
  if (prompt.empty()) return invalid_argument("found no prompt, expected a text that is not empty");
  corpus[static_cast<std::size_t>(known - kMixedLoad.begin())].push_back(std::move(prompt));
  return {};
}

std::string hyphened(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, ' ', '-');
  return text;
}

}  // namespace

LoadCorpus made_corpus() {
  LoadCorpus corpus;
  for (std::size_t i = 0; i < corpus.size(); ++i) {
    for (std::size_t k = 0; k < kPromptsOfClass; ++k) corpus[i].push_back(made_prompt(i, k));
  }
  return corpus;
}

Result<LoadCorpus> parse_corpus(std::string_view lines) {
  LoadCorpus corpus;
  for (std::size_t number = 1; !lines.empty(); ++number) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    CAIRN_TRY(take_prompt(line, corpus).in(fmt::format("line {}", number)));
  }
  for (std::size_t i = 0; i < corpus.size(); ++i) {
    if (!corpus[i].empty()) continue;
    return invalid_argument(
        fmt::format("found no prompt of the class '{}', expected one of each: {}",
                    kMixedLoad[i].name, class_names()));
  }
  return corpus;
}

std::string corpus_sha256(const LoadCorpus& corpus) {
  std::string all;
  for (const std::vector<std::string>& prompts : corpus) {
    for (const std::string& prompt : prompts) all += sha256_hex(std::string_view(prompt));
  }
  return sha256_hex(std::string_view(all));
}

LoadList load_list(const LoadCorpus& corpus, std::uint64_t seed, std::size_t requests) {
  std::array<std::size_t, kMixedLoad.size()> sizes = {};
  for (std::size_t i = 0; i < corpus.size(); ++i) sizes[i] = corpus[i].size();
  LoadList list;
  for (const evidence::LoadRequest& request : evidence::mixed_load(seed, requests, sizes)) {
    const auto* const found =
        std::ranges::find(kMixedLoad, request.load_class, &evidence::LoadClass::name);
    const auto index = static_cast<std::size_t>(found - kMixedLoad.begin());
    list.prompts.push_back(corpus[index][request.prompt]);
    list.classes.push_back(hyphened(request.load_class));
  }
  return list;
}

}  // namespace cairn::cli
