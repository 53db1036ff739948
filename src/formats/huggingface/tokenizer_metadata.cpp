// tokenizer.json as the keys that GGUF files have.
#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "formats/huggingface/tokenizer_json.h"
#include "formats/huggingface/tokenizer_parts.h"
#include "formats/quote.h"

namespace cairn::formats {
namespace {

constexpr std::string_view kPrefix = "tokenizer.ggml.";

// The numbers of token types are GGUF's (gguf-py, class TokenType).
constexpr std::int32_t kNormal = 1;
constexpr std::int32_t kUnknown = 2;
constexpr std::int32_t kControl = 3;
constexpr std::int32_t kUserDefined = 4;
constexpr std::int32_t kUnused = 5;
constexpr std::int32_t kByte = 6;

/// Ways to cut a token in two are counted, which takes the square of its length.
constexpr std::size_t kTokenBytesMax = 1024;

std::string ggml_key(std::string_view name) { return std::string(kPrefix) + std::string(name); }

bool model_flag(const Json& rest, const char* name) {
  return rest["model"].contains(name) && rest["model"][name] == true;
}

/// Members of the model that would change what it does, where they are set.
Status check_bpe(const Json& model) {
  for (const char* name : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"}) {
    if (!model.contains(name) || model[name].is_null() || model[name] == "") continue;
    return unsupported(fmt::format("model.{} is {}, which is not supported", name,
                                   printable(line_of(model[name]))));
  }
  return {};
}

bool is_byte_token(const std::string& text) {
  return text.size() == 6 && text.starts_with("<0x") && text.ends_with('>');
}

class Types {
 public:
  Types(const TokenizerJson& tokenizer, std::size_t count)
      : tokenizer_(tokenizer), types_(count, kNormal) {}

  void mark_bytes() {
    for (std::size_t id = 0; id < types_.size(); ++id) {
      if (is_byte_token(tokenizer_.tokens[id])) types_[id] = kByte;
    }
  }

  /// Added tokens; those that take the spaces beside them go to `left` and `right`.
  void mark_added(std::vector<std::int32_t>& left, std::vector<std::int32_t>& right) {
    if (!tokenizer_.rest.contains("added_tokens")) return;
    for (const Json& token : tokenizer_.rest["added_tokens"]) {
      const auto id = token["id"].get<std::uint64_t>();
      if (id >= types_.size()) continue;
      const auto is = [&](const char* name) { return token.contains(name) && token[name] == true; };
      types_[id] = is("special") ? kControl : kUserDefined;
      if (is("lstrip")) left.push_back(static_cast<std::int32_t>(id));
      if (is("rstrip")) right.push_back(static_cast<std::int32_t>(id));
    }
  }

  void mark_unknown() {
    const Json& model = tokenizer_.rest["model"];
    if (!model.contains("unk_token") || !model["unk_token"].is_string()) return;
    const auto id = id_of(tokenizer_, model["unk_token"].get<std::string>());
    if (id && *id < types_.size()) types_[*id] = kUnknown;
  }

  std::vector<std::int32_t> take() { return std::move(types_); }

 private:
  const TokenizerJson& tokenizer_;
  std::vector<std::int32_t> types_;
};

void set_lists(const TokenizerJson& tokenizer, std::size_t count, bool has_bytes,
               Metadata& metadata) {
  Types types(tokenizer, count);
  std::vector<std::int32_t> left;
  std::vector<std::int32_t> right;
  if (has_bytes) types.mark_bytes();
  types.mark_added(left, right);
  types.mark_unknown();
  std::vector<std::int32_t> numbers = types.take();
  std::vector<std::string> texts(tokenizer.tokens.begin(),
                                 tokenizer.tokens.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t id = 0; id < count; ++id) {
    if (!texts[id].empty()) continue;
    texts[id] = fmt::format("[PAD{}]", id);  // as the converter calls them
    numbers[id] = kUnused;
  }
  metadata.set(ggml_key("tokens"), array_of(texts));
  metadata.set(ggml_key("token_type"), array_of(numbers));
  if (!left.empty()) metadata.set("tokenizer.huggingface.strip_left", array_of(left));
  if (!right.empty()) metadata.set("tokenizer.huggingface.strip_right", array_of(right));
}

/// From merges to the score of each token: less the rank of the first merge that makes it. Merging
/// by such scores gives the same ids where every way to put a token together is a merge, and all of
/// them stand side by side, as transformers writes them for a SentencePiece model.
class MergeScores {
 public:
  explicit MergeScores(const TokenizerJson& tokenizer) : tokenizer_(tokenizer) {
    for (std::size_t id = 0; id < tokenizer.tokens.size(); ++id) {
      ids_.emplace(tokenizer.tokens[id], id);
    }
  }

  Result<std::vector<float>> scores(std::size_t count) {
    // Tokens that no merge makes come last.
    std::vector<float> scores(count, -static_cast<float>(tokenizer_.merges.size()) - 1);
    std::unordered_map<std::string, std::size_t> ways;
    std::string before;
    for (std::size_t rank = 0; rank < tokenizer_.merges.size(); ++rank) {
      const std::string whole = without_space(tokenizer_.merges[rank]);
      if (whole.size() > kTokenBytesMax) return refuse(whole, "make a token of over 1024 bytes");
      if (whole != before && ways.contains(whole)) return refuse(whole, "stand apart");
      ++ways[whole];
      before = whole;
      const auto id = ids_.find(whole);
      if (id == ids_.end()) return refuse(whole, "make a token that the vocabulary lacks");
      if (ways[whole] == 1 && id->second < count) scores[id->second] = -static_cast<float>(rank);
    }
    for (const auto& [whole, number] : ways) {
      if (splits(whole) != number) return refuse(whole, "are not all the ways to put it together");
    }
    return scores;
  }

 private:
  static std::string without_space(const std::string& merge) {
    std::string whole = merge;
    whole.erase(whole.find(' ', 1), 1);
    return whole;
  }
  /// Ways to cut `text` into two tokens.
  std::size_t splits(const std::string& text) const {
    std::size_t count = 0;
    for (std::size_t at = 1; at < text.size(); ++at) {
      if ((static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) continue;
      count += ids_.contains(text.substr(0, at)) && ids_.contains(text.substr(at)) ? 1 : 0;
    }
    return count;
  }
  static Status refuse(const std::string& whole, std::string_view why) {
    return unsupported(fmt::format(
        "model.merges: the merges to \"{}\" {}: they do not follow from scores, which is needed "
        "for a vocabulary of characters with space marks",
        printable(whole), why));
  }

  const TokenizerJson& tokenizer_;
  std::unordered_map<std::string, std::size_t> ids_;
};

Status translate_space_marked(const TokenizerJson& tokenizer, std::size_t count,
                              Metadata& metadata) {
  CAIRN_ASSIGN(const SpaceMarks marks, space_marks(tokenizer.rest));
  if (!marks.is_used || !model_flag(tokenizer.rest, "byte_fallback")) {
    return unsupported(
        "model: BPE over characters is supported with byte_fallback and U+2581 for spaces alone");
  }
  CAIRN_ASSIGN(const std::vector<float> scores, MergeScores(tokenizer).scores(count));
  metadata.set(ggml_key("model"), std::string("llama"));
  metadata.set(ggml_key("scores"), array_of(scores));
  metadata.set(ggml_key("add_space_prefix"), marks.is_prefix);
  set_lists(tokenizer, count, true, metadata);
  return {};
}

Status translate_byte_level(const TokenizerJson& tokenizer, std::size_t count, Metadata& metadata) {
  CAIRN_ASSIGN(const std::vector<std::string> steps, pre_tokenizer_steps(tokenizer.rest));
  CAIRN_ASSIGN(const std::string normalizer, byte_level_normalizer(tokenizer.rest));
  metadata.set(ggml_key("model"), std::string("gpt2"));
  metadata.set("tokenizer.huggingface.pre_tokenizer", array_of(steps));
  metadata.set("tokenizer.huggingface.ignore_merges", model_flag(tokenizer.rest, "ignore_merges"));
  if (!normalizer.empty()) metadata.set("tokenizer.huggingface.normalizer", normalizer);
  metadata.set(ggml_key("merges"), array_of(tokenizer.merges));
  set_lists(tokenizer, count, false, metadata);
  return {};
}

/// Whether bytes are written in GPT-2's alphabet.
Result<bool> is_byte_level(const Json& rest) {
  CAIRN_ASSIGN(const std::vector<Json> parts, parts_of(rest, "pre_tokenizer", "pretokenizers"));
  return std::ranges::any_of(parts, [](const Json& part) {
    return part.is_object() && part.contains("type") && part["type"] == "ByteLevel";
  });
}

Status set_around(const TokenizerJson& tokenizer, std::size_t count, Metadata& metadata) {
  CAIRN_ASSIGN(const AroundText around, around_text(tokenizer.rest));
  const auto set = [&](const std::string& token, const char* id_key, const char* flag) -> Status {
    metadata.set(ggml_key(flag), !token.empty());
    if (token.empty()) return {};
    const auto id = id_of(tokenizer, token);
    if (!id || *id >= count) {
      return invalid_file(fmt::format("post_processor: no token is \"{}\"", printable(token)));
    }
    metadata.set(ggml_key(id_key), *id);
    return {};
  };
  CAIRN_TRY(set(around.before, "bos_token_id", "add_bos_token"));
  return set(around.behind, "eos_token_id", "add_eos_token");
}

}  // namespace

Status translate_tokenizer(const TokenizerJson& tokenizer, std::size_t rows, Metadata& metadata,
                           std::vector<std::string>& warnings) {
  const std::size_t count = std::min(tokenizer.tokens.size(), rows);
  for (std::size_t id = count; id < tokenizer.tokens.size(); ++id) {
    if (tokenizer.tokens[id].empty()) continue;
    warnings.push_back(
        fmt::format("tokenizer.json: token {} \"{}\" is left out: the embedding has {} rows", id,
                    printable(tokenizer.tokens[id]), rows));
  }
  const Json& model = tokenizer.rest["model"];
  if (model.contains("type") ? model["type"] != "BPE" : tokenizer.merges.empty()) {
    return unsupported(
        fmt::format("model.type is {}; \"BPE\" is supported",
                    model.contains("type") ? printable(line_of(model["type"])) : "missing"));
  }
  CAIRN_TRY(check_bpe(model));
  CAIRN_ASSIGN(const bool byte_level, is_byte_level(tokenizer.rest));
  CAIRN_TRY(byte_level ? translate_byte_level(tokenizer, count, metadata)
                       : translate_space_marked(tokenizer, count, metadata));
  return set_around(tokenizer, count, metadata);
}

}  // namespace cairn::formats
