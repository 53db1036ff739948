#include "tokenizer/tokenizer.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace cairn::tokenizer {
namespace {

/// A flag of the file, or what the model kind assumes.
Result<bool> flag(const formats::Metadata& metadata, std::string_view name, bool otherwise) {
  return metadata.boolean_or(fmt::format("tokenizer.ggml.{}", name), otherwise);
}

/// Ids that a generation_config.json names, beside those that the vocabulary gives.
Status add_stop_ids(const formats::Metadata& metadata, const Vocabulary& vocabulary,
                    std::vector<TokenId>& stops) {
  constexpr std::string_view kKey = "tokenizer.huggingface.stop_ids";
  if (!metadata.has(kKey)) return {};
  CAIRN_ASSIGN(const std::vector<std::int64_t> ids, metadata.i64s(kKey));
  for (const std::int64_t id : ids) {
    if (id < 0 || static_cast<std::size_t>(id) >= vocabulary.size()) {
      return invalid_file(
          fmt::format("{}: {} is no id; one below {} is expected", kKey, id, vocabulary.size()));
    }
    stops.push_back(static_cast<TokenId>(id));
  }
  std::ranges::sort(stops);
  const auto rest = std::ranges::unique(stops);
  stops.erase(rest.begin(), rest.end());
  return {};
}

}  // namespace

Result<std::unique_ptr<Tokenizer>> Tokenizer::create(const formats::Metadata& metadata,
                                                     const TokenizerOptions& options) {
  CAIRN_ASSIGN(const std::string_view model, metadata.string("tokenizer.ggml.model"));
  CAIRN_ASSIGN(const EncoderKind* kind, find_encoder_kind(model));
  CAIRN_ASSIGN(const EncoderDefaults defaults, kind->defaults(metadata));
  CAIRN_ASSIGN(Vocabulary vocabulary, Vocabulary::load(metadata));
  std::unique_ptr<Tokenizer> result(new Tokenizer(std::move(vocabulary)));
  result->stop_ids_ = find_stop_ids(result->vocabulary_);
  CAIRN_TRY(add_stop_ids(metadata, result->vocabulary_, result->stop_ids_));
  CAIRN_ASSIGN(result->add_space_prefix_,
               flag(metadata, "add_space_prefix", defaults.add_space_prefix));
  CAIRN_ASSIGN(result->encoder_, kind->create({.metadata = &metadata,
                                               .vocabulary = &result->vocabulary_,
                                               .step_counting = options.step_counting,
                                               .add_space_prefix = result->add_space_prefix_}));
  CAIRN_TRY(result->load_flags(metadata, defaults));
  result->matcher_ = std::make_unique<SpecialMatcher>(result->vocabulary_, metadata);
  result->load_bytes();
  return result;
}

Status Tokenizer::load_flags(const formats::Metadata& metadata, const EncoderDefaults& defaults) {
  CAIRN_ASSIGN(add_bos_, flag(metadata, "add_bos_token", defaults.add_bos));
  CAIRN_ASSIGN(add_eos_, flag(metadata, "add_eos_token", defaults.add_eos));
  if (add_bos_ && !bos()) {
    vocabulary_.warn(
        "a bos token is to be added but tokenizer.ggml.bos_token_id is missing; none "
        "is added");
    add_bos_ = false;
  }
  if (add_eos_ && !eos()) {
    vocabulary_.warn(
        "an eos token is to be added but tokenizer.ggml.eos_token_id is missing; none "
        "is added");
    add_eos_ = false;
  }
  return {};
}

void Tokenizer::load_bytes() {
  byte_ends_.reserve(size());
  for (TokenId id = 0; vocabulary_.contains(id); ++id) {
    bytes_ += encoder_->token_bytes(id);
    byte_ends_.push_back(bytes_.size());
  }
}

bool Tokenizer::is_control(TokenId id) const {
  if (!vocabulary_.contains(id)) return false;
  const TokenType type = vocabulary_.type(id);
  return type == TokenType::kControl || type == TokenType::kUnknown;
}

bool Tokenizer::ends_text(TokenId id) const {
  return is_control(id) ||
         (vocabulary_.contains(id) && vocabulary_.type(id) == TokenType::kUserDefined);
}

std::string_view Tokenizer::bytes(TokenId id) const {
  if (!vocabulary_.contains(id) || is_control(id)) return {};
  const auto index = static_cast<std::size_t>(id);
  const std::size_t begin = index == 0 ? 0 : byte_ends_[index - 1];
  return std::string_view(bytes_).substr(begin, byte_ends_[index] - begin);
}

std::string_view Tokenizer::piece(TokenId id) const {
  return vocabulary_.contains(id) ? vocabulary_.text(id) : std::string_view();
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  const ByteRange all{.begin = 0, .end = text.size()};
  const bool parse = options.special == Special::kParse;
  return encode_ranges(text, std::span(&all, parse ? 1U : 0U), options);
}

std::vector<TokenId> Tokenizer::encode(std::span<const TextSegment> segments,
                                       const EncodeOptions& options) const {
  std::string text;
  std::vector<ByteRange> parsed;
  for (const TextSegment& segment : segments) {
    const std::size_t begin = text.size();
    text += segment.text;
    if (segment.special != Special::kParse || segment.text.empty()) continue;
    if (!parsed.empty() && parsed.back().end == begin) {
      parsed.back().end = text.size();
    } else {
      parsed.push_back({.begin = begin, .end = text.size()});
    }
  }
  return encode_ranges(text, parsed, options);
}

std::vector<TokenId> Tokenizer::encode_ranges(std::string_view text,
                                              std::span<const ByteRange> parsed,
                                              const EncodeOptions& options) const {
  std::vector<TokenId> ids;
  EncodeSink sink{.ids = &ids};
  const bool add = options.add_special == AddSpecial::kAdd;
  if (add && add_bos_) ids.push_back(*bos());
  encode_text(text, parsed, sink);
  if (add && add_eos_) ids.push_back(*eos());
  if (options.steps != nullptr) *options.steps += sink.steps;
  return ids;
}

void Tokenizer::encode_text(std::string_view text, std::span<const ByteRange> parsed,
                            EncodeSink& sink) const {
  std::size_t begin = 0;
  for (const SpecialMatch& match : matcher_->find(text, parsed, sink.steps)) {
    if (match.begin > begin) encoder_->encode(text.substr(begin, match.begin - begin), sink);
    sink.ids->push_back(match.id);
    begin = match.end;
  }
  if (begin < text.size()) encoder_->encode(text.substr(begin), sink);
}

std::string Tokenizer::decode(std::span<const TokenId> ids, const DecodeOptions& options) const {
  StreamDecoder decoder(*this, options);
  std::string text;
  for (const TokenId id : ids) text += decoder.push(id);
  return text + decoder.finish();
}

StreamDecoder::StreamDecoder(const Tokenizer& tokenizer, const DecodeOptions& options)
    : tokenizer_(tokenizer),
      special_(options.special),
      at_text_start_(!options.previous || tokenizer.ends_text(*options.previous)) {}

std::string StreamDecoder::push(TokenId id) {
  std::string_view bytes = tokenizer_.bytes(id);
  if (tokenizer_.is_control(id) && special_ == ShowSpecial::kShow) bytes = tokenizer_.piece(id);
  const bool ends_text = tokenizer_.ends_text(id);
  if (tokenizer_.add_space_prefix_ && at_text_start_ && !ends_text && bytes.starts_with(' ')) {
    bytes.remove_prefix(1);
  }
  // A hidden marker still ends the text before it: its incomplete character is no start of another.
  std::string text = ends_text ? finish() : std::string();
  at_text_start_ = ends_text;
  pending_ += bytes;
  const std::size_t rest = incomplete_utf8_suffix(pending_);
  text += replace_invalid_utf8(std::string_view(pending_).substr(0, pending_.size() - rest));
  pending_.erase(0, pending_.size() - rest);
  return text;
}

std::string StreamDecoder::finish() {
  std::string text = replace_invalid_utf8(pending_);
  pending_.clear();
  return text;
}

}  // namespace cairn::tokenizer
