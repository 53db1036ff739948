#include "runtime/generated_stream.h"

#include <array>
#include <utility>

#include "base/memory.h"
#include "base/sha256.h"

namespace cairn::runtime {

std::string hash_of(const std::vector<TokenId>& ids) {
  Sha256 hash;
  for (const TokenId id : ids) {
    const auto bits = static_cast<std::uint32_t>(id);
    const std::array<std::byte, 4> bytes = {std::byte(bits), std::byte(bits >> 8),
                                            std::byte(bits >> 16), std::byte(bits >> 24)};
    hash.update(bytes);
  }
  return hash.hex();
}

GeneratedStream::GeneratedStream(std::unique_ptr<engine::Stream> stream,
                                 const tokenizer::Tokenizer& tokenizer, StreamFacts facts)
    : stream_(std::move(stream)), tokenizer_(tokenizer), facts_(std::move(facts)) {}

/// The bytes of `token` without the space that some vocabularies put in front of every text, where
/// one begins with the answer.
std::string_view GeneratedStream::shown_bytes(const engine::Token& token) {
  std::string_view bytes = token.bytes;
  if (bytes.empty() || !at_start_) return bytes;
  at_start_ = false;
  const TokenId ids[] = {token.id};
  const std::string text = tokenizer_.decode(ids, {.previous = facts_.prompt.back()});
  if (bytes.front() == ' ' && !text.starts_with(' ')) bytes.remove_prefix(1);
  return bytes;
}

std::optional<TextPiece> GeneratedStream::piece_of(std::optional<engine::Token> token) {
  if (!token) return std::nullopt;
  ids_.push_back(token->id);
  TextPiece piece{.id = token->id, .logprob = token->logprob};
  piece.text = assembler_.push(shown_bytes(*token));
  if (stream_->ended()) piece.text += assembler_.finish();
  piece.top = std::move(token->top);
  piece.asked = std::move(token->asked);
  return piece;
}

Result<std::optional<TextPiece>> GeneratedStream::next() {
  CAIRN_ASSIGN(std::optional<engine::Token> token, stream_->next());
  return piece_of(std::move(token));
}

Result<std::optional<TextPiece>> GeneratedStream::take() {
  CAIRN_ASSIGN(std::optional<engine::Token> token, stream_->take());
  return piece_of(std::move(token));
}

Figures GeneratedStream::figures() const {
  Figures figures = facts_.model;
  const engine::RequestFigures& request = stream_->figures();
  figures.prompt_tokens = request.prompt_tokens;
  figures.cached_tokens = request.cached_tokens;
  figures.dropped_tokens = request.dropped_tokens;
  figures.prompt_s = request.prompt_s;
  figures.decode_tokens = request.generated_tokens > 0 ? request.generated_tokens - 1 : 0;
  figures.decode_s = request.decode_s;
  figures.near_ties = request.near_ties;
  figures.drafts = request.drafts;
  figures.peak_rss_bytes = peak_rss_bytes();
  figures.output_hash = hash_of(ids_);
  return figures;
}

}  // namespace cairn::runtime
