#include "server/api/generating.h"

#include <fmt/core.h>

#include <algorithm>
#include <random>
#include <utility>

#include "base/ascii.h"
#include "base/clock.h"
#include "server/api/constraint.h"
#include "server/api/generate.h"
#include "server/api/handling.h"
#include "server/api/replying.h"

namespace cairn::server {
namespace {

/// The answers to one request, being generated.
// A null Json is made without throwing, which the check does not see.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct Submitted {
  std::optional<WireError> error = {};
  std::vector<Answer> answers = {};
  Json effective = {};
};

/// A seed that every client can send back: JavaScript's numbers are whole below 2^53.
std::uint64_t drawn_seed() {
  std::random_device source;
  return (static_cast<std::uint64_t>(source()) << 32 | source()) & ((std::uint64_t{1} << 53) - 1);
}

/// Bytes that a template or the tokenizer would have to read.
std::uint64_t text_bytes(const GenerationRequest& request) {
  std::uint64_t bytes = request.system.size();
  for (const Json* const part : {&request.messages, &request.tools}) {
    if (!part->is_null()) bytes += line_of(*part).size();
  }
  for (const Prompt& prompt : request.prompts) {
    if (const auto* text = std::get_if<std::string>(&prompt)) bytes += text->size();
  }
  return bytes;
}

/// What of the deadline is left: it counts from the request's first byte.
std::optional<WireError> set_deadline(const GenerationRequest& request, std::int64_t arrived_ns,
                                      runtime::GenerateRequest& asked) {
  if (!request.deadline_ms) return std::nullopt;
  constexpr std::int64_t kNsPerMs = 1'000'000;
  constexpr double kSecondsPerNs = 1e-9;
  const std::int64_t left_ns = arrived_ns + *request.deadline_ms * kNsPerMs - steady_ns();
  if (left_ns <= 0) {
    return WireError{.cause = Cause::kTimeout,
                     .message = fmt::format("deadline_ms: the {} ms since the request came had "
                                            "passed before it could begin",
                                            *request.deadline_ms),
                     .param = "deadline_ms",
                     .code = "deadline_exceeded"};
  }
  asked.deadline_s = static_cast<double>(left_ns) * kSecondsPerNs;
  return std::nullopt;
}

/// The server's own limit: what asks for more gets it, and effective_params says so, or is refused
/// where requests are taken strictly.
std::optional<WireError> limit_tokens(const Api& api, runtime::GenerateRequest& asked) {
  const std::uint64_t most = api.new_tokens_max;
  if (most == 0 || (asked.tokens_max && *asked.tokens_max <= most)) return std::nullopt;
  if (asked.tokens_max && api.strictness == Strictness::kStrict) {
    return WireError{.cause = Cause::kBadRequest,
                     .message = fmt::format("max_tokens: {} was found; at most {} are generated",
                                            *asked.tokens_max, most),
                     .param = "max_tokens"};
  }
  asked.tokens_max = most;
  return std::nullopt;
}

/// Adds the answers to one prompt.
std::optional<WireError> submit_prompt(const Api& api, const GenerationRequest& request,
                                       const runtime::GenerateRequest& asked,
                                       Submitted& submitted) {
  const auto answers = static_cast<std::size_t>(request.n.value_or(1));
  runtime::Runtime& model = *api.model.runtime;
  auto streams = model.generate(asked, answers);
  if (!streams.ok()) return wire_error(request, streams.status());
  for (std::unique_ptr<runtime::TextStream>& stream : *streams) {
    const std::uint64_t index = submitted.answers.size();
    PromptPart prompt = prompt_part(request, model, *stream);
    submitted.answers.push_back({.stream = std::move(stream),
                                 .index = index,
                                 .opens_prompt = index % answers == 0,
                                 .prompt = std::move(prompt)});
  }
  return std::nullopt;
}

/// Where the answer begins: templates of some models open the reasoning.
Beginning beginning_of(const runtime::Runtime& model, const ThinkMarkers& markers,
                       const runtime::TextStream& stream) {
  constexpr std::size_t kTailTokens = 16;
  const std::vector<TokenId>& ids = stream.prompt_ids();
  std::string tail;
  for (std::size_t i = ids.size() - std::min(ids.size(), kTailTokens); i < ids.size(); ++i) {
    tail += model.describe(ids[i]);
  }
  const bool inside = trimmed(tail).ends_with(markers.open);
  return inside ? Beginning::kReasoning : Beginning::kAnswer;
}

/// Whether the model can be shown tools, and what it calls be told.
std::optional<WireError> check_tools(const Api& api, const GenerationRequest& request) {
  if (request.messages.is_null() || !offers_tools(request)) return std::nullopt;
  if (!api.syntax.takes_tools) {
    return WireError{.cause = Cause::kBadRequest,
                     .message = "tools: the model's chat template shows it no tools",
                     .param = "tools"};
  }
  if (api.syntax.calls == nullptr) {
    return WireError{.cause = Cause::kNotImplemented,
                     .message = "tools: how this model writes calls is not known here",
                     .param = "tools"};
  }
  return std::nullopt;
}

/// Sets what tells the parts of each answer apart.
void add_parsers(const Api& api, const GenerationRequest& request, std::vector<Answer>& answers) {
  if (request.messages.is_null()) return;
  const bool tools = offers_tools(request);
  const bool splits = request.reasoning_format.value_or("auto") != "none";
  for (Answer& answer : answers) {
    if (tools || (api.syntax.calls != nullptr && api.syntax.calls->has_reasoning)) {
      answer.parser = api.syntax.calls->make(tools ? request.tools : Json::array());
    }
    if (!splits || !api.syntax.think) continue;
    answer.parser = make_thinking(
        *api.syntax.think, beginning_of(*api.model.runtime, *api.syntax.think, *answer.stream),
        std::move(answer.parser));
  }
}

Submitted submit(const Api& api, const Generating& how, const GenerationRequest& request,
                 std::int64_t arrived_ns) {
  Submitted submitted;
  runtime::GenerateRequest asked;
  submitted.error = fill(how.endpoint, request, *api.model.runtime, asked);
  if (!submitted.error) submitted.error = check_tools(api, request);
  if (!submitted.error) submitted.error = constrain(api, request, asked.sampling);
  if (!submitted.error) submitted.error = set_deadline(request, arrived_ns, asked);
  if (!submitted.error) submitted.error = limit_tokens(api, asked);
  if (submitted.error) return submitted;
  if (!asked.seed) asked.seed = drawn_seed();
  if (request.effective_params.value_or(false)) submitted.effective = effective_params(asked);
  for (runtime::Prompt& prompt : prompts_of(request)) {
    asked.prompt = std::move(prompt);
    submitted.error = submit_prompt(api, request, asked, submitted);
    if (submitted.error) return submitted;
  }
  add_parsers(api, request, submitted.answers);
  return submitted;
}

/// The error as the endpoint's clients know its field.
Response refusal(const Generating& how, WireError error) {
  return error_response(how.flavour, by_own_name(std::move(error), how.own_name));
}

std::unique_ptr<WatchedRequest> watch(const Api& api, const Generating& how,
                                      const GenerationRequest& request, const Request& http) {
  return std::make_unique<WatchedRequest>(
      api.watch, RequestRecord{.id = http.id,
                               .endpoint = std::string(path_of(how.endpoint)),
                               .model = api.model.name,
                               .arrived_ns = http.arrived_ns,
                               .submitted_ns = steady_ns(),
                               .tokens_max = static_cast<std::uint64_t>(
                                   std::max<std::int64_t>(0, request.max_tokens.value_or(0)))});
}

}  // namespace

WireError by_own_name(WireError error, std::string (*own_name)(const std::string& param)) {
  if (own_name == nullptr || error.param.empty()) return error;
  std::string name = own_name(error.param);
  if (error.message.starts_with(error.param)) error.message.replace(0, error.param.size(), name);
  error.param = std::move(name);
  return error;
}

std::optional<WireError> check_length(const Api& api, const GenerationRequest& request) {
  const std::uint64_t bytes = text_bytes(request);
  if (api.prompt_bytes_max == 0 || bytes <= api.prompt_bytes_max) return std::nullopt;
  return WireError{
      .cause = Cause::kBadRequest,
      .message = fmt::format("the prompt has {} bytes of text; at most {} are accepted", bytes,
                             api.prompt_bytes_max),
      .param = request.messages.is_null() ? "prompt" : "messages"};
}

Reply generate(const Api& api, const Generating& how, Exchange& exchange) {
  ParsedRequest parsed = parse_body(api, how.endpoint, exchange);
  if (parsed.error) return refusal(how, *parsed.error);
  if (how.prepare) {
    if (const auto error = how.prepare(parsed.request)) return refusal(how, *error);
  }
  const GenerationRequest& request = parsed.request;
  if (const auto error = check_length(api, request)) return refusal(how, *error);
  // Before the first token can come: none may be missed.
  auto place = std::make_unique<Subscription>(*api.newsroom, exchange.waker);
  Submitted submitted = submit(api, how, request, exchange.request.arrived_ns);
  if (submitted.error) return refusal(how, *submitted.error);
  ReplyHead head{.id = std::string(how.id_prefix) + exchange.request.id,
                 .created_s = utc_s(),
                 .model = api.model.name,
                 .system_fingerprint = api.model.system_fingerprint,
                 .ignored_fields = std::move(parsed.ignored_fields),
                 .effective_params = std::move(submitted.effective)};
  AnswerFacts facts{.watched = watch(api, how, request, exchange.request),
                    .wants_logprobs = request.logprobs.has_value(),
                    .wants_reasoning = request.include_reasoning.value_or(true),
                    .stops = request.stop};
  if (!request.parallel_tool_calls.value_or(true)) facts.calls_max = 1;
  facts.watched->record().answers = submitted.answers.size();
  Replying replying{.place = std::move(place),
                    .answers = std::make_unique<Answers>(
                        std::move(facts), std::move(submitted.answers), *api.model.runtime),
                    .format = how.format(std::move(head), request)};
  if (!request.stream.value_or(false)) return reply_whole(std::move(replying));
  EventStream events;
  events.source = reply_stream(std::move(replying));
  return events;
}

}  // namespace cairn::server
