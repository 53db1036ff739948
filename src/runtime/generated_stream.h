// GeneratedStream: a TextStream over a stream of the engine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "runtime/runtime.h"
#include "runtime/text_assembler.h"
#include "tokenizer/tokenizer.h"

namespace cairn::runtime {

/// What a stream knows beside its tokens.
struct StreamFacts {
  std::vector<TokenId> prompt = {};
  std::uint64_t seed = 0;
  Figures model = {};  // the figures that are the model's: load_s, bytes_per_token, isa, numerics
};

class GeneratedStream final : public TextStream {
 public:
  /// `tokenizer` and the engine of `stream` outlive it.
  GeneratedStream(std::unique_ptr<engine::Stream> stream, const tokenizer::Tokenizer& tokenizer,
                  StreamFacts facts);

  Result<std::optional<TextPiece>> next() override;
  Result<std::optional<TextPiece>> take() override;
  bool ended() const override { return stream_->ended(); }
  void cancel() override { stream_->cancel(); }
  std::optional<FinishReason> finish_reason() const override { return stream_->finish_reason(); }
  const std::vector<TokenId>& prompt_ids() const override { return facts_.prompt; }
  const std::vector<TokenId>& ids() const override { return ids_; }
  std::uint64_t seed() const override { return facts_.seed; }
  std::size_t cached_tokens() const override { return stream_->figures().cached_tokens; }
  std::shared_ptr<const PromptLogprobs> prompt_logprobs() const override {
    return stream_->prompt_logprobs();
  }
  Figures figures() const override;

 private:
  std::string_view shown_bytes(const engine::Token& token);
  std::optional<TextPiece> piece_of(std::optional<engine::Token> token);

  std::unique_ptr<engine::Stream> stream_;
  const tokenizer::Tokenizer& tokenizer_;
  StreamFacts facts_;
  bool at_start_ = true;  // no byte of the answer has come
  TextAssembler assembler_;
  std::vector<TokenId> ids_;
};

/// SHA-256 of `ids` as little-endian u32, as 64 digits.
std::string hash_of(const std::vector<TokenId>& ids);

}  // namespace cairn::runtime
