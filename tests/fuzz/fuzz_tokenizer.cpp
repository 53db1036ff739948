// room: tokenizer
// Vocabularies of every kind made from the input, then the rest of it encoded and decoded.
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "formats/metadata.h"
#include "tokenizer/tokenizer.h"

namespace {

using cairn::TokenId;
using cairn::formats::array_of;
using cairn::formats::Metadata;

/// Takes numbers and texts off the front of the input.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {}

  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }
  std::string text(std::size_t size) {
    std::string value(rest_.substr(0, size));
    rest_.remove_prefix(value.size());
    return value;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

constexpr std::string_view kKinds[] = {"gpt2", "llama", "t5", "bert", "gemma4"};
constexpr std::string_view kPres[] = {"default",    "gpt-2", "llama3",       "gpt-4o",   "kimi-k2",
                                      "exaone-moe", "afmoe", "deepseek-llm", "superbpe", "?"};

Metadata make_vocabulary(Input& input) {
  Metadata metadata;
  metadata.set("tokenizer.ggml.model", std::string(kKinds[input.byte() % std::size(kKinds)]));
  metadata.set("tokenizer.ggml.pre", std::string(kPres[input.byte() % std::size(kPres)]));
  std::vector<std::string> tokens;
  std::vector<std::string> merges;
  std::vector<std::int32_t> types;
  std::vector<float> scores;
  const std::size_t count = input.byte() % 64;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t shape = input.byte();
    tokens.push_back(input.text(shape % 8));
    types.push_back(shape / 32);
    scores.push_back(-static_cast<float>(shape % 16));
  }
  const std::size_t merge_count = input.byte() % 32;
  for (std::size_t i = 0; i < merge_count; ++i) merges.push_back(input.text(input.byte() % 8));
  metadata.set("tokenizer.ggml.tokens", array_of(tokens));
  metadata.set("tokenizer.ggml.token_type", array_of(types));
  metadata.set("tokenizer.ggml.scores", array_of(scores));
  metadata.set("tokenizer.ggml.merges", array_of(merges));
  const std::uint8_t flags = input.byte();
  metadata.set("tokenizer.ggml.add_space_prefix", (flags & 1U) != 0);
  metadata.set("tokenizer.ggml.add_bos_token", (flags & 2U) != 0);
  if ((flags & 4U) != 0) metadata.set("tokenizer.ggml.unknown_token_id", std::uint32_t{0});
  if ((flags & 8U) != 0) metadata.set("tokenizer.ggml.remove_extra_whitespaces", true);
  if ((flags & 16U) != 0) metadata.set("tokenizer.ggml.eos_token_id", std::uint32_t{flags});
  if ((flags & 32U) != 0) {
    metadata.set("tokenizer.ggml.precompiled_charsmap", input.text(4 * std::size_t{input.byte()}));
  }
  return metadata;
}

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using cairn::tokenizer::AddSpecial;
  using cairn::tokenizer::Special;
  using cairn::tokenizer::StreamDecoder;
  using cairn::tokenizer::TextSegment;
  using cairn::tokenizer::Tokenizer;
  Input input(data, size);
  const auto tokenizer = Tokenizer::create(make_vocabulary(input));
  if (!tokenizer.ok()) return 0;
  const Tokenizer& t = **tokenizer;
  for (const Special special : {Special::kPlain, Special::kParse}) {
    const std::vector<TokenId> ids =
        t.encode(input.rest(), {.special = special, .add_special = AddSpecial::kAdd});
    StreamDecoder decoder(t);
    std::string streamed;
    for (const TokenId id : ids) {
      require(id >= 0 && static_cast<std::size_t>(id) < t.size());
      streamed += decoder.push(id);
    }
    streamed += decoder.finish();
    require(streamed == t.decode(ids));
    require(streamed == cairn::replace_invalid_utf8(streamed));
  }
  const std::size_t half = input.rest().size() / 2;
  const TextSegment segments[] = {
      {.text = input.rest().substr(0, half), .special = Special::kParse},
      {.text = input.rest().substr(half)}};
  for (const TokenId id : t.encode(segments, {})) require(id >= 0);
  return 0;
}
