#include "tokenizer/special_tokens.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/ascii.h"

namespace cairn::tokenizer {
namespace {

/// Texts that end a turn or a text, whatever type the file gives them.
constexpr std::string_view kTurnEnds[] = {
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|flush|>",
    "<|calls|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<end_of_utterance>",
    "<turn|>",
    "<|tool_response>",
    "<｜end▁of▁sentence｜>",
    "<|end_of_turn|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|eos|>",
};

/// The same, but ordinary text in some vocabularies: only where the file calls them control.
constexpr std::string_view kControlTurnEnds[] = {"</s>",  "<eos>", "<EOT>",
                                                 "[EOT]", "[EOS]", "[e~["};

/// Texts that begin a turn where their shape does not tell.
constexpr std::string_view kTurnStarts[] = {"<start_of_turn>", "<end_of_turn>", "[INST]",
                                            "[/INST]",         "<<SYS>>",       "<</SYS>>"};

bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_special_type(TokenType type) {
  return type == TokenType::kControl || type == TokenType::kUnknown ||
         type == TokenType::kUserDefined;
}

}  // namespace

bool looks_like_marker(std::string_view text) {
  if (std::find(std::begin(kTurnStarts), std::end(kTurnStarts), text) != std::end(kTurnStarts)) {
    return true;
  }
  if (text.size() < 4 || text.front() != '<' || text.back() != '>') return false;
  constexpr std::string_view kWideBar = "｜";
  const std::string_view inner = text.substr(1, text.size() - 2);
  return inner.front() == '|' || inner.back() == '|' || inner.starts_with(kWideBar) ||
         inner.ends_with(kWideBar);
}

std::vector<TokenId> find_stop_ids(Vocabulary& vocabulary) {
  std::set<TokenId> stops;
  const SpecialIds& special = vocabulary.special();
  for (const auto id : {special.eos, special.eot, special.eom}) {
    if (id) stops.insert(*id);
  }
  // Harmony and its kin end a message with <|end|> and go on; a turn ends with the others.
  const auto has = [&](std::string_view text) { return vocabulary.find(text).has_value(); };
  const bool goes_on = (has("<|call|>") && (has("<|return|>") || has("<|flush|>"))) ||
                       (has("<|calls|>") && has("<|flush|>"));
  for (const std::string_view text : kTurnEnds) {
    const auto id = vocabulary.find(text);
    if (!id || (text == "<|end|>" && goes_on)) continue;
    if (vocabulary.type(*id) != TokenType::kControl) {
      vocabulary.warn(fmt::format(
          "tokenizer.ggml.token_type[{}] says that \"{}\" is no control token; read as one", *id,
          text));
      vocabulary.set_type(*id, TokenType::kControl);
    }
    stops.insert(*id);
  }
  for (const std::string_view text : kControlTurnEnds) {
    const auto id = vocabulary.find(text);
    if (id && vocabulary.type(*id) == TokenType::kControl) stops.insert(*id);
  }
  return {stops.begin(), stops.end()};
}

SpecialMatcher::SpecialMatcher(const Vocabulary& vocabulary, const formats::Metadata& metadata)
    : vocabulary_(vocabulary), plain_(vocabulary.size()), strips_(vocabulary.size()) {
  std::vector<std::pair<std::string_view, std::int32_t>> entries;
  for (TokenId id = 0; vocabulary.contains(id); ++id) {
    const TokenType type = vocabulary.type(id);
    if (!is_special_type(type)) continue;
    entries.emplace_back(vocabulary.text(id), id);
    plain_[static_cast<std::size_t>(id)] =
        type == TokenType::kUserDefined && !looks_like_marker(vocabulary.text(id)) ? 1 : 0;
  }
  trie_ = Trie(std::move(entries));
  find_strips(metadata);
  set_strips(metadata, "tokenizer.huggingface.strip_left", Strip::kLeft);
  set_strips(metadata, "tokenizer.huggingface.strip_right", Strip::kRight);
}

/// Ids of a list, as a tokenizer.json names them; ids past the vocabulary are no tokens.
void SpecialMatcher::set_strips(const formats::Metadata& metadata, std::string_view key,
                                Strip strip) {
  const auto ids = metadata.i64s(key);
  if (!ids.ok()) return;  // nobody names any
  for (const std::int64_t id : *ids) {
    const auto index = static_cast<std::size_t>(id);
    if (id < 0 || index >= strips_.size()) continue;
    strips_[index] = strips_[index] == Strip::kNone ? strip : Strip::kBoth;
  }
}

/// GGUF does not store which tokens take the spaces beside them, so it is known by model.
/// Source: the published added_tokens of those models, as llama.cpp lists them.
void SpecialMatcher::find_strips(const formats::Metadata& metadata) {
  const auto string_of = [&](std::string_view key) {
    const auto value = metadata.string_or(key, "");
    return value.ok() ? std::string(value.value()) : std::string();
  };
  const std::string pre = string_of("tokenizer.ggml.pre");
  const std::string architecture = string_of("general.architecture");
  const std::string name = lower_ascii(string_of("general.name"));
  const auto contains = [](const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  };
  const auto set = [&](std::string_view text, Strip strip) {
    if (const auto id = vocabulary_.find(text)) strips_[static_cast<std::size_t>(*id)] = strip;
  };
  if (metadata.has("tokenizer.huggingface.pre_tokenizer")) return;  // its own lists count
  if (contains(pre, "jina-v2-") || architecture == "nomic-bert-moe" ||
      architecture == "jina-bert-v3") {
    set("<mask>", Strip::kLeft);
  } else if (contains(name, "modern-bert")) {
    set("[MASK]", Strip::kLeft);
  } else if (contains(name, "phi-3") || contains(name, "phi3")) {
    for (TokenId id = 0; vocabulary_.contains(id); ++id) {
      if (is_special_type(vocabulary_.type(id))) {
        strips_[static_cast<std::size_t>(id)] = Strip::kRight;
      }
    }
    for (const std::string_view text : {"<unk>", "<s>", "<|endoftext|>"}) set(text, Strip::kNone);
  }
}

bool SpecialMatcher::found_in_plain_text(TokenId id) const {
  return plain_[static_cast<std::size_t>(id)] != 0;
}

std::vector<SpecialMatch> SpecialMatcher::find(std::string_view text,
                                               std::span<const ByteRange> parsed,
                                               std::uint64_t& steps) const {
  std::vector<SpecialMatch> matches;
  std::size_t range = 0;
  std::size_t free_from = 0;  // end of the match before
  for (std::size_t at = 0; at < text.size();) {
    while (range < parsed.size() && parsed[range].end <= at) ++range;
    const bool inside = range < parsed.size() && parsed[range].begin <= at;
    const std::size_t parsed_end = inside ? parsed[range].end : at;
    SpecialMatch match = longest_at(text, at, parsed_end, steps);
    if (match.id == Trie::kNone) {
      ++at;
      continue;
    }
    take_spaces(text, free_from, match);
    matches.push_back(match);
    at = match.end;
    free_from = match.end;
  }
  return matches;
}

SpecialMatch SpecialMatcher::longest_at(std::string_view text, std::size_t at,
                                        std::size_t parsed_end, std::uint64_t& steps) const {
  SpecialMatch match{.id = Trie::kNone, .begin = at, .end = at};
  steps += 1 + trie_.walk(text, at, [&](std::size_t end, std::int32_t id) {
    if (!found_in_plain_text(id) && end > parsed_end) return;
    match.id = id;
    match.end = end;
  });
  return match;
}

void SpecialMatcher::take_spaces(std::string_view text, std::size_t free_from,
                                 SpecialMatch& match) const {
  const Strip strip = strips_[static_cast<std::size_t>(match.id)];
  if (strip == Strip::kLeft || strip == Strip::kBoth) {
    while (match.begin > free_from && is_ascii_space(text[match.begin - 1])) --match.begin;
  }
  if (strip == Strip::kRight || strip == Strip::kBoth) {
    while (match.end < text.size() && is_ascii_space(text[match.end])) ++match.end;
  }
}

}  // namespace cairn::tokenizer
