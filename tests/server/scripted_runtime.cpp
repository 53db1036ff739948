#include "tests/server/scripted_runtime.h"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace cairn::server {
namespace {

// Ids below are the script's, from here on bytes.
constexpr TokenId kBytes = 100'000;

/// One token per take(), with nothing between two of them, as a slow model has it.
class ScriptedStream final : public runtime::TextStream {
 public:
  ScriptedStream(const Script& script, std::vector<TokenId> prompt)
      : script_(script), prompt_(std::move(prompt)) {}

  Result<std::optional<runtime::TextPiece>> next() override { return piece(); }
  Result<std::optional<runtime::TextPiece>> take() override {
    pause_ = !pause_;
    if (!pause_) return std::optional<runtime::TextPiece>();
    return piece();
  }
  bool ended() const override { return cancelled_ || ids_.size() == script_.answer.size(); }
  void cancel() override { cancelled_ = true; }
  std::optional<runtime::FinishReason> finish_reason() const override {
    if (cancelled_) return runtime::FinishReason::kCancelled;
    return ended() ? std::optional(script_.finish) : std::nullopt;
  }
  const std::vector<TokenId>& prompt_ids() const override { return prompt_; }
  const std::vector<TokenId>& ids() const override { return ids_; }
  std::uint64_t seed() const override { return 0; }
  std::size_t cached_tokens() const override { return 0; }
  std::shared_ptr<const runtime::PromptLogprobs> prompt_logprobs() const override { return {}; }
  runtime::Figures figures() const override { return {}; }

 private:
  std::optional<runtime::TextPiece> piece() {
    if (ended()) return std::nullopt;
    const ScriptedToken& token = script_.answer[ids_.size()];
    ids_.push_back(static_cast<TokenId>(ids_.size()));
    return runtime::TextPiece{.id = ids_.back(), .text = token.control ? "" : token.text};
  }

  const Script& script_;
  std::vector<TokenId> prompt_;
  std::vector<TokenId> ids_;
  bool pause_ = false;
  bool cancelled_ = false;
};

}  // namespace

ScriptedRuntime::ScriptedRuntime(Script script)
    : script_(std::move(script)), chat_(script_.chat_template, {}) {
  facts_.context = 1'000'000;
}

void ScriptedRuntime::serve(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any ended;
  std::unique_lock lock(mutex);
  ended.wait(lock, stop, [] { return false; });
}

Result<std::vector<TokenId>> ScriptedRuntime::encode(const runtime::Prompt& prompt) const {
  std::string text;
  if (const auto* const chat = std::get_if<runtime::ChatPrompt>(&prompt)) {
    CAIRN_ASSIGN(text, render(*chat));
  } else if (const auto* const plain = std::get_if<runtime::TextPrompt>(&prompt)) {
    text = plain->text;
  }
  std::vector<TokenId> ids;
  for (const char c : text) ids.push_back(kBytes + static_cast<unsigned char>(c));
  return ids;
}

Result<std::string> ScriptedRuntime::render(const runtime::ChatPrompt& prompt) const {
  CAIRN_ASSIGN(tokenizer::Rendered rendered, chat_.render(prompt));
  return std::move(rendered.text);
}

Result<std::string> ScriptedRuntime::decode(std::span<const TokenId> ids) const {
  std::string text;
  for (const TokenId id : ids) {
    const bool control = id < kBytes && script_.answer.at(static_cast<std::size_t>(id)).control;
    if (!control) text += describe(id);
  }
  return text;
}

Result<std::vector<std::string>> ScriptedRuntime::pieces(std::span<const TokenId> ids) const {
  std::vector<std::string> pieces;
  for (const TokenId& id : ids) {
    CAIRN_ASSIGN(std::string piece, decode({&id, 1}));
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::string ScriptedRuntime::describe(TokenId id) const {
  if (id >= kBytes) return std::string(1, static_cast<char>(id - kBytes));
  return script_.answer.at(static_cast<std::size_t>(id)).text;
}

Result<std::unique_ptr<runtime::TextStream>> ScriptedRuntime::generate(
    const runtime::GenerateRequest& request) {
  CAIRN_ASSIGN(std::vector<std::unique_ptr<runtime::TextStream>> streams, generate(request, 1));
  return std::move(streams.front());
}

Result<std::vector<std::unique_ptr<runtime::TextStream>>> ScriptedRuntime::generate(
    const runtime::GenerateRequest& request, std::size_t answers) {
  CAIRN_ASSIGN(const std::vector<TokenId> prompt, encode(request.prompt));
  if (const auto* const chat = std::get_if<runtime::ChatPrompt>(&request.prompt)) seen_ = *chat;
  std::vector<std::unique_ptr<runtime::TextStream>> streams;
  while (streams.size() < answers) {
    streams.push_back(std::make_unique<ScriptedStream>(script_, prompt));
  }
  return streams;
}

}  // namespace cairn::server
