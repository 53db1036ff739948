// A runtime whose model says what the test tells it to, token by token, with a real chat template.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/chat.h"
#include "runtime/runtime.h"

namespace cairn::server {

/// One token of the script. Control tokens print nothing.
struct ScriptedToken {
  std::string text = {};
  bool control = false;
};

/// What the model does.
struct Script {
  std::string chat_template = {};
  std::vector<ScriptedToken> answer = {};
  runtime::FinishReason finish = runtime::FinishReason::kStopId;
  runtime::MemoryReport memory = {};
  std::shared_ptr<void> counted = {};  // held as long as the model lives
};

class ScriptedRuntime final : public runtime::Runtime {
 public:
  explicit ScriptedRuntime(Script script);

  /// The newest conversation that was rendered.
  const runtime::ChatPrompt& seen() const { return seen_; }

  const runtime::ModelFacts& facts() const override { return facts_; }
  const std::vector<std::string>& warnings() const override { return warnings_; }
  const std::string& missing_bytes() const override { return empty_; }
  const runtime::SamplingParams& default_sampling() const override { return sampling_; }
  bool has_own_sampling() const override { return false; }
  const std::string& sampling_origin() const override { return empty_; }
  const std::string& chat_template() const override { return script_.chat_template; }
  Status chat_status() const override { return chat_.status(); }
  Result<std::vector<TokenId>> encode(const runtime::Prompt& prompt) const override;
  Result<std::string> render(const runtime::ChatPrompt& prompt) const override;
  Result<std::string> decode(std::span<const TokenId> ids) const override;
  Result<std::vector<std::string>> pieces(std::span<const TokenId> ids) const override;
  std::string describe(TokenId id) const override;
  Result<std::unique_ptr<runtime::TextStream>> generate(
      const runtime::GenerateRequest& request) override;
  Result<std::vector<std::unique_ptr<runtime::TextStream>>> generate(
      const runtime::GenerateRequest& request, std::size_t answers) override;
  Result<std::unique_ptr<runtime::Embedding>> embed(
      const runtime::EmbedRequest& /*request*/) override {
    return unsupported("the script has no vectors");
  }
  void forget() override {}
  /// Has no steps to run.
  void serve(const std::stop_token& stop) override;
  void finish_checks() override {}
  runtime::Activity activity() const override { return {}; }
  runtime::StepTimes step_times() const override { return {}; }
  Result<runtime::MemoryReport> memory() const override { return script_.memory; }

 private:
  Script script_;
  runtime::Chat chat_;
  runtime::ModelFacts facts_;
  runtime::SamplingParams sampling_;
  std::vector<std::string> warnings_;
  std::string empty_;
  runtime::ChatPrompt seen_;
};

}  // namespace cairn::server
