// Source: OpenAI, the Harmony response format of gpt-oss.
#include <array>
#include <utility>

#include "server/parts/call_object.h"
#include "server/parts/parsers.h"

namespace cairn::server {
namespace {

constexpr std::array<std::string_view, 5> kBodyEnds = {"<|end|>", "<|call|>", "<|return|>",
                                                       "<|start|>", "<|channel|>"};
constexpr std::string_view kMessage = "<|message|>";
constexpr std::string_view kChannel = "<|channel|>";

/// "functions.f" of "commentary to=functions.f <|constrain|>json", without its name space.
std::string recipient_of(std::string_view header) {
  constexpr std::string_view kTo = "to=";
  const std::size_t at = header.find(kTo);
  if (at == std::string_view::npos) return {};
  std::string_view name = header.substr(at + kTo.size());
  name = name.substr(0, name.find_first_of(" <\n"));
  constexpr std::string_view kFunctions = "functions.";
  if (name.starts_with(kFunctions)) name.remove_prefix(kFunctions.size());
  return std::string(name);
}

/// The prompt ends with "<|start|>assistant", so an answer begins within a header.
class Harmony final : public StepParser {
 protected:
  bool step(AnswerParts& out) override {
    if (place_ == Place::kHeader) {
      if (!held().take_until(kMessage, header_)) return false;
      begin_body(out);
      return true;
    }
    if (place_ == Place::kCall && arguments_.state() == CallArguments::State::kMore) {
      held().drop(arguments_.feed(held().view(), call(), out));
      if (arguments_.state() == CallArguments::State::kMore) return false;
    }
    std::string body;
    const std::optional<std::size_t> end = held().take_until(kBodyEnds, body);
    if (place_ == Place::kReasoning) out.reasoning += body;
    if (place_ == Place::kText) text().add(body, out);
    if (!end) return false;
    place_ = Place::kHeader;
    header_.clear();
    if (kBodyEnds[*end] == kChannel) header_ = kChannel;
    return true;
  }

  /// What stands outside of any channel is an answer all the same.
  void at_end(AnswerParts& out) override {
    const bool lost = place_ == Place::kHeader && header_.find(kChannel) == std::string::npos;
    if (lost && !any_) text().add(header_ + held().take_all(), out);
    if (place_ == Place::kText) text().add(held().take_all(), out);
    if (place_ == Place::kReasoning) out.reasoning += held().take_all();
  }

 private:
  enum class Place : std::uint8_t { kHeader, kReasoning, kText, kCall };

  void begin_body(AnswerParts& out) {
    any_ = true;
    const std::string name = recipient_of(header_);
    const bool analysis = header_.find("analysis") != std::string::npos;
    place_ = analysis ? Place::kReasoning : Place::kText;
    if (name.empty()) return;
    place_ = Place::kCall;
    arguments_ = {};
    text().at_call();
    call().begin(name, out);
  }

  Place place_ = Place::kHeader;
  bool any_ = false;
  std::string header_;
  CallArguments arguments_;
};

}  // namespace

std::unique_ptr<AnswerParser> make_harmony(const Json& /*tools*/) {
  return std::make_unique<Harmony>();
}

}  // namespace cairn::server
