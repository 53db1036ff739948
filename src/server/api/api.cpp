#include "server/api/api.h"

#include <fmt/core.h>

#include <random>
#include <utility>

#include "base/clock.h"
#include "server/api/generate.h"
#include "server/api/replying.h"
#include "server/wire/document.h"

namespace cairn::server {
namespace {

Response json_response(const Json& object) {
  Response response;
  response.body = object.dump(-1, ' ', false, Json::error_handler_t::replace);
  return response;
}

Response refuse(const WireError& error) { return error_response(Flavour::kOpenAi, error); }

Json model_object(const ServedModel& model) {
  const runtime::ModelFacts& facts = model.runtime->facts();
  return {{"id", model.name},
          {"object", "model"},
          {"created", model.created_s},
          {"owned_by", "cairn"},
          {"max_model_len", facts.context},
          {"meta",
           {{"architecture", facts.architecture},
            {"vocabulary", facts.vocabulary},
            {"context_trained", facts.context_trained},
            {"isa", facts.isa},
            {"numerics", facts.numerics}}}};
}

std::optional<WireError> check_model(const ServedModel& model,
                                     const std::optional<std::string>& name) {
  if (!name || *name == model.name) return std::nullopt;
  return WireError{
      .cause = Cause::kNotFound,
      .message = fmt::format("no model is called \"{}\"; there is: {}", *name, model.name),
      .param = "model",
      .code = "model_not_found"};
}

/// The answers to one request, being generated.
struct Submitted {
  std::optional<WireError> error = {};
  std::vector<Answer> answers = {};
  Json effective = {};
};

std::string echo_of(const GenerationRequest& request, const runtime::Runtime& model,
                    const runtime::TextStream& stream) {
  if (!request.echo.value_or(false)) return {};
  return model.decode(stream.prompt_ids()).value();  // ids that submitting checked
}

/// A seed that every client can send back: JavaScript's numbers are whole below 2^53.
std::uint64_t drawn_seed() {
  std::random_device source;
  return (static_cast<std::uint64_t>(source()) << 32 | source()) & ((std::uint64_t{1} << 53) - 1);
}

/// Bytes that a template or the tokenizer would have to read.
std::uint64_t text_bytes(const GenerationRequest& request) {
  std::uint64_t bytes = request.messages.is_null() ? 0 : request.messages.dump().size();
  for (const Prompt& prompt : request.prompts) {
    if (const auto* text = std::get_if<std::string>(&prompt)) bytes += text->size();
  }
  return bytes;
}

std::optional<WireError> check_length(const ApiOptions& options, Endpoint endpoint,
                                      const GenerationRequest& request) {
  const std::uint64_t bytes = text_bytes(request);
  if (options.prompt_bytes_max == 0 || bytes <= options.prompt_bytes_max) return std::nullopt;
  return WireError{
      .cause = Cause::kBadRequest,
      .message = fmt::format("the prompt has {} bytes of text; at most {} are accepted", bytes,
                             options.prompt_bytes_max),
      .param = endpoint == Endpoint::kChat ? "messages" : "prompt"};
}

Submitted submit(const ApiOptions& options, Endpoint endpoint, const GenerationRequest& request) {
  Submitted submitted;
  runtime::Runtime& model = *options.model.runtime;
  runtime::GenerateRequest asked;
  submitted.error = fill(endpoint, request, model, asked);
  if (submitted.error) return submitted;
  if (!asked.seed) asked.seed = drawn_seed();
  if (request.effective_params.value_or(false)) {
    submitted.effective = effective_params(asked);
  }
  const auto answers = static_cast<std::size_t>(request.n.value_or(1));
  for (runtime::Prompt& prompt : prompts_of(endpoint, request)) {
    asked.prompt = std::move(prompt);
    auto streams = model.generate(asked, answers);
    if (!streams.ok()) {
      const Status& status = streams.status();
      submitted.error = WireError{.cause = cause_of(status.code()), .message = status.message()};
      return submitted;
    }
    for (std::unique_ptr<runtime::TextStream>& stream : *streams) {
      const std::uint64_t index = submitted.answers.size();
      std::string echo = echo_of(request, model, *stream);
      submitted.answers.push_back({.stream = std::move(stream),
                                   .index = index,
                                   .opens_prompt = index % answers == 0,
                                   .echo = std::move(echo)});
    }
  }
  return submitted;
}

Reply generate(const ApiOptions& options, Endpoint endpoint, Exchange& exchange) {
  ParsedRequest parsed = parse_request(endpoint, exchange.request.body, options.strictness);
  if (parsed.error) return refuse(*parsed.error);
  const GenerationRequest& request = parsed.request;
  if (const auto error = check_model(options.model, request.model)) return refuse(*error);
  if (const auto error = check_length(options, endpoint, request)) return refuse(*error);
  // Before the first token can come: none may be missed.
  auto place = std::make_unique<Subscription>(*options.newsroom, exchange.waker);
  Submitted submitted = submit(options, endpoint, request);
  if (submitted.error) return refuse(*submitted.error);
  const bool chat = endpoint == Endpoint::kChat;
  const bool stream = request.stream.value_or(false);
  AnswerFacts facts{.endpoint = endpoint,
                    .head = {.id = (chat ? "chatcmpl-" : "cmpl-") + exchange.request.id,
                             .created_s = utc_ns() / 1'000'000'000,
                             .model = options.model.name,
                             .system_fingerprint = options.model.system_fingerprint,
                             .ignored_fields = std::move(parsed.ignored_fields),
                             .effective_params = std::move(submitted.effective)},
                    .wants_logprobs = request.logprobs.has_value(),
                    .wants_usage = request.include_usage.value_or(false)};
  auto answers = std::make_unique<Answers>(std::move(facts), std::move(submitted.answers),
                                           *options.model.runtime);
  if (!stream) return reply_whole(std::move(place), std::move(answers));
  EventStream events;
  events.source = reply_stream(std::move(place), std::move(answers));
  return events;
}

/// A handler that gives the same body every time.
Handler fixed(std::string body) {
  return [body = std::move(body)](Exchange&) -> Reply {
    Response response;
    response.body = body;
    return response;
  };
}

Response tokenize(const ApiOptions& options, const Exchange& exchange) {
  const Result<Json> body = parse_json(exchange.request.body, kJsonDepthMax);
  if (!body.ok() || !body->is_object()) {
    return refuse({.cause = Cause::kBadRequest, .message = "the body is no JSON object"});
  }
  for (const char* name : {"prompt", "content"}) {
    if (!body->contains(name)) continue;
    if (!(*body)[name].is_string()) break;
    const auto ids =
        options.model.runtime->encode(runtime::TextPrompt{(*body)[name].get<std::string>()});
    if (!ids.ok()) {
      return refuse({.cause = cause_of(ids.status().code()), .message = ids.status().message()});
    }
    return json_response({{"tokens", *ids},
                          {"count", ids->size()},
                          {"max_model_len", options.model.runtime->facts().context}});
  }
  return refuse(
      {.cause = Cause::kBadRequest, .message = "prompt: expected a text", .param = "prompt"});
}

Route get(std::string path, Access access, Handler handler) {
  return {.method = Method::kGet,
          .path = std::move(path),
          .access = access,
          .run_on = RunOn::kIo,
          .handler = std::move(handler)};
}

Route post(std::string path, Handler handler) {
  return {.method = Method::kPost,
          .path = std::move(path),
          .access = Access::kKey,
          .run_on = RunOn::kPreparation,
          .body = BodyType::kJson,
          .handler = std::move(handler)};
}

Response load(const ApiOptions& options) {
  const runtime::Activity activity = options.model.runtime->activity();
  return json_response({{"running", activity.running}, {"waiting", activity.waiting}});
}

}  // namespace

std::vector<Route> api_routes(const ApiOptions& options) {
  const Json model = model_object(options.model);
  const Json models = {{"object", "list"}, {"data", Json::array({model})}};
  return {
      get("/health", Access::kOpen, fixed("{\"status\":\"ok\"}")),
      get("/ping", Access::kOpen, fixed("{}")),
      get("/version", Access::kOpen, fixed(Json{{"version", CAIRN_VERSION}}.dump())),
      get("/openapi.json", Access::kOpen, fixed(openapi_document().dump())),
      get("/load", Access::kKey, [options](Exchange&) -> Reply { return load(options); }),
      get("/v1/models", Access::kKey, fixed(models.dump())),
      get("/v1/models/{}", Access::kKey,
          [options, model](Exchange& exchange) -> Reply {
            const auto error = check_model(options.model, exchange.path_values.front());
            return error ? refuse(*error) : json_response(model);
          }),
      post("/tokenize",
           [options](Exchange& exchange) -> Reply { return tokenize(options, exchange); }),
      post("/v1/completions",
           [options](Exchange& exchange) -> Reply {
             return generate(options, Endpoint::kCompletions, exchange);
           }),
      post("/v1/chat/completions",
           [options](Exchange& exchange) -> Reply {
             return generate(options, Endpoint::kChat, exchange);
           }),
  };
}

}  // namespace cairn::server
