// The table of endpoints.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "server/api/api.h"
#include "server/http/errors.h"
#include "server/models/with_model.h"
#include "server/resume/kept_stream.h"

namespace cairn::server {
namespace {

constexpr auto kGet = Method::kGet;
constexpr auto kPost = Method::kPost;
constexpr auto kDelete = Method::kDelete;
constexpr auto kAnyone = Access::kOpen;
constexpr auto kKey = Access::kKey;
constexpr auto kIo = RunOn::kIo;
constexpr auto kPrepare = RunOn::kPreparation;
constexpr auto kNoModel = NeedsModel::kNo;
constexpr auto kOpenAiBody = Flavour::kOpenAi;
constexpr auto kAnthropicBody = Flavour::kAnthropic;
constexpr auto kLlamaBody = Flavour::kLlama;

constexpr std::string_view kReranker = "a reranker model";
constexpr std::string_view kClassifier = "a classifier model";
constexpr std::string_view kPooling = "pooling";
constexpr std::string_view kInfill = "a model with fill-in-the-middle tokens";
constexpr std::string_view kAudioModel = "an audio model";
constexpr std::string_view kSpeechModel = "a speech model";
constexpr std::string_view kImageModel = "an image model";
constexpr std::string_view kVideoModel = "a video model";
constexpr std::string_view kAdapters = "adapters (LoRA)";

/// Says what the route needs.
template <const std::string_view& kNeeds>
Reply post_missing(const Api& /*api*/, Exchange& exchange) {
  return error_response(Flavour::kOpenAi,
                        {.cause = Cause::kNotImplemented,
                         .message = fmt::format("{} needs {}, which is not supported yet",
                                                exchange.request.path, kNeeds)});
}

template <const std::string_view& kNeeds>
constexpr EndpointRow missing(std::string_view path) {
  return {kPost,
          path,
          kKey,
          kIo,
          kOpenAiBody,
          &post_missing<kNeeds>,
          "Answers 501 with what is missing."};
}

constexpr std::array kRows = {
    EndpointRow{kGet, "/", kAnyone, kIo, kOpenAiBody, &get_page, "A page to chat in."},
    EndpointRow{kGet, "/page/{}", kAnyone, kIo, kOpenAiBody, &get_page_part,
                "What the page is made of."},
    EndpointRow{kGet, "/health", kAnyone, kIo, kLlamaBody, &get_health,
                "Whether requests are answered: 200, or 503 while the model loads."},
    EndpointRow{kGet, "/v1/health", kAnyone, kIo, kLlamaBody, &get_health, "As /health."},
    EndpointRow{kGet, "/ping", kAnyone, kIo, kOpenAiBody, &get_ping, "As /health, without a body."},
    EndpointRow{kPost, "/ping", kAnyone, kIo, kOpenAiBody, &get_ping,
                "As /health, without a body."},
    EndpointRow{kGet, "/version", kAnyone, kIo, kOpenAiBody, &get_version, "The version of cairn."},
    EndpointRow{kGet, "/openapi.json", kAnyone, kIo, kOpenAiBody, &get_openapi,
                "This interface as an OpenAPI 3.1 document."},
    EndpointRow{kGet, "/load", kKey, kIo, kOpenAiBody, &get_load, "How many answers run and wait."},
    EndpointRow{kGet, "/v1/models", kKey, kIo, kOpenAiBody, &list_models, "The models there are."},
    EndpointRow{kGet, "/models", kKey, kIo, kOpenAiBody, &list_models, "As /v1/models."},
    EndpointRow{kGet, "/v1/models/{}", kKey, kIo, kOpenAiBody, &get_model, "One model."},
    EndpointRow{kPost, "/models/load", Access::kAdmin, kPrepare, kLlamaBody, &load_model,
                "Loads a model before it is asked for.", Endpoint::kLoadModel, kNoModel},
    EndpointRow{kPost, "/models/unload", Access::kAdmin, kPrepare, kLlamaBody, &unload_model,
                "Gives the memory of a model back once its answers have ended.",
                Endpoint::kUnloadModel, kNoModel},
    EndpointRow{kPost, "/v1/completions", kKey, kPrepare, kOpenAiBody, &post_completions,
                "Continues texts, as OpenAI's completions.", Endpoint::kCompletions},
    EndpointRow{kPost, "/v1/chat/completions", kKey, kPrepare, kOpenAiBody, &post_chat_completions,
                "Answers a conversation, as OpenAI's chat.", Endpoint::kChat},
    EndpointRow{kPost, "/v1/chat/completions/input_tokens", kKey, kPrepare, kOpenAiBody,
                &post_chat_input_tokens, "How many tokens a chat's conversation has.",
                Endpoint::kChat},
    EndpointRow{kPost, "/v1/embeddings", kKey, kPrepare, kOpenAiBody, &post_embeddings,
                "Texts as vectors, as OpenAI's embeddings.", Endpoint::kEmbeddings},
    EndpointRow{kPost, "/v1/responses", kKey, kPrepare, kOpenAiBody, &post_response,
                "Answers a conversation, as OpenAI's Responses.", Endpoint::kResponses},
    EndpointRow{kPost, "/v1/responses/input_tokens", kKey, kPrepare, kOpenAiBody,
                &post_response_input_tokens, "How many tokens a response's input has.",
                Endpoint::kResponses},
    EndpointRow{kGet, "/v1/responses/{}", kKey, kIo, kOpenAiBody, &get_response,
                "A stored response."},
    EndpointRow{kDelete, "/v1/responses/{}", kKey, kIo, kOpenAiBody, &delete_response,
                "Forgets a stored response."},
    EndpointRow{kPost, "/v1/responses/{}/cancel", kKey, kIo, kOpenAiBody, &cancel_response,
                "Says why a stored response cannot be cancelled: none runs in the background."},
    EndpointRow{kGet, "/v1/responses/{}/input_items", kKey, kPrepare, kOpenAiBody,
                &list_response_items, "What a stored response was asked."},
    EndpointRow{kPost, "/v1/files", kKey, kPrepare, kOpenAiBody, &post_file,
                "Keeps a file of requests, sent as a form, for a batch."},
    EndpointRow{kGet, "/v1/files", kKey, kPrepare, kOpenAiBody, &list_files,
                "The files there are."},
    EndpointRow{kGet, "/v1/files/{}", kKey, kPrepare, kOpenAiBody, &get_file, "One file."},
    EndpointRow{kDelete, "/v1/files/{}", kKey, kPrepare, kOpenAiBody, &delete_file,
                "Removes a file."},
    EndpointRow{kGet, "/v1/files/{}/content", kKey, kPrepare, kOpenAiBody, &get_file_content,
                "What stands in a file."},
    EndpointRow{kPost, "/v1/batches", kKey, kPrepare, kOpenAiBody, &post_batch,
                "Answers every request of a file, beside the others.", Endpoint::kBatches,
                kNoModel},
    EndpointRow{kGet, "/v1/batches", kKey, kPrepare, kOpenAiBody, &list_batches,
                "The batches there are."},
    EndpointRow{kGet, "/v1/batches/{}", kKey, kPrepare, kOpenAiBody, &get_batch, "One batch."},
    EndpointRow{kPost, "/v1/batches/{}/cancel", kKey, kPrepare, kOpenAiBody, &cancel_batch,
                "Ends a batch with what it has."},
    EndpointRow{kPost, "/v1/messages", kKey, kPrepare, kAnthropicBody, &post_messages,
                "Answers a conversation, as Anthropic's Messages.", Endpoint::kMessages},
    EndpointRow{kPost, "/v1/messages/count_tokens", kKey, kPrepare, kAnthropicBody,
                &post_count_tokens, "How many tokens a conversation has.", Endpoint::kCountTokens},
    EndpointRow{kPost, "/tokenize", kKey, kPrepare, kOpenAiBody, &post_tokenize,
                "A text or a conversation as token ids.", Endpoint::kTokenize},
    EndpointRow{kPost, "/detokenize", kKey, kPrepare, kOpenAiBody, &post_detokenize,
                "Token ids as text.", Endpoint::kDetokenize},
    EndpointRow{kPost, "/apply-template", kKey, kPrepare, kLlamaBody, &post_apply_template,
                "A conversation as the text that the model reads.", Endpoint::kApplyTemplate},
    EndpointRow{kPost, "/completion", kKey, kPrepare, kLlamaBody, &post_completion,
                "Continues a text, as llama.cpp's own endpoint.", Endpoint::kNativeCompletion},
    EndpointRow{kGet, "/props", kKey, kIo, kLlamaBody, &get_props,
                "The model and its defaults, as llama.cpp tells them."},
    EndpointRow{kGet, "/slots", kKey, kIo, kLlamaBody, &get_slots,
                "One row per answer that can be generated at once."},
    EndpointRow{kGet, "/metrics", kKey, kIo, kOpenAiBody, &get_metrics,
                "Counters and histograms in Prometheus' text format, by vLLM's names."},
    EndpointRow{kGet, "/v1/stream", kKey, kIo, kLlamaBody, &get_stream,
                "Goes on with the streamed answer of a conversation (conv_id, from)."},
    EndpointRow{kGet, "/v1/stream/{}", kKey, kIo, kLlamaBody, &get_stream,
                "As /v1/stream, with the conversation in the path."},
    EndpointRow{kDelete, "/v1/stream/{}", kKey, kIo, kLlamaBody, &delete_stream,
                "Ends the streamed answer of a conversation and forgets it."},
    EndpointRow{kGet, "/v1/requests/{}", kKey, kIo, kOpenAiBody, &get_request,
                "Where the time of a request went."},
    EndpointRow{kPost, "/reset_prefix_cache", Access::kAdmin, kPrepare, kOpenAiBody,
                &reset_prefix_cache, "Gives back the pages kept for equal beginnings."},
    missing<kReranker>("/v1/rerank"),
    missing<kReranker>("/rerank"),
    missing<kReranker>("/v2/rerank"),
    missing<kReranker>("/v1/score"),
    missing<kReranker>("/score"),
    missing<kClassifier>("/classify"),
    missing<kPooling>("/pooling"),
    missing<kInfill>("/infill"),
    missing<kAudioModel>("/v1/audio/transcriptions"),
    missing<kAudioModel>("/v1/audio/translations"),
    missing<kSpeechModel>("/v1/audio/speech"),
    missing<kImageModel>("/v1/images/generations"),
    missing<kVideoModel>("/v1/videos"),
    missing<kAdapters>("/lora-adapters"),
    missing<kAdapters>("/v1/load_lora_adapter"),
    missing<kAdapters>("/v1/unload_lora_adapter"),
};

Handler handler_of(const Api& api, const EndpointRow& row) {
  if (uses_model(row)) {
    return [&api, &row](Exchange& exchange) {
      return kept_stream(api, row.flavour, exchange,
                         [&] { return with_model(api, row, exchange); });
    };
  }
  return [&api, handler = row.handler](Exchange& exchange) { return handler(api, exchange); };
}

std::string_view access_word(Access access) {
  constexpr std::array<std::string_view, 3> kWords = {"open", "key", "admin key"};
  return kWords[static_cast<std::size_t>(access)];
}

}  // namespace

std::span<const EndpointRow> endpoints() { return kRows; }

void begin(Api& api) {
  api.watch = std::make_shared<Watch>();
  api.responses = std::make_shared<ResponseStore>(ResponseStore::Limits{});
}

void attach(Api& api, ServedModel model) {
  if (api.watch == nullptr) begin(api);
  api.syntax = syntax_of(*model.runtime);
  api.model = std::move(model);
}

std::vector<Route> api_routes(const Api& api) {
  std::vector<Route> routes;
  for (const EndpointRow& row : endpoints()) {
    routes.push_back({.method = row.method,
                      .path = std::string(row.path),
                      .access = row.access,
                      .run_on = row.run_on,
                      .body = row.fields ? BodyType::kJson : BodyType::kAny,
                      .flavour = row.flavour,
                      .handler = handler_of(api, row)});
  }
  return routes;
}

std::vector<PathRow> path_rows() {
  std::vector<PathRow> rows;
  for (const EndpointRow& row : endpoints()) {
    rows.push_back({.method = name_of(row.method),
                    .path = row.path,
                    .summary = row.summary,
                    .access = row.access,
                    .flavour = row.flavour,
                    .fields = row.fields});
  }
  return rows;
}

std::string endpoints_page() {
  std::string page =
      "# Endpoints\n\n"
      "Made from the table in `src/server/routes.cpp` by `make_wire_page endpoints`; a test holds "
      "the two\ntogether. `/openapi.json` lists the same. Keys are asked for where the server was "
      "given some.\n\n"
      "| method | path | without a key | |\n|---|---|---|---|\n";
  for (const EndpointRow& row : endpoints()) {
    page += fmt::format("| {} | `{}` | {} | {} |\n", name_of(row.method), row.path,
                        row.access == Access::kOpen ? "yes" : access_word(row.access), row.summary);
  }
  return page;
}

}  // namespace cairn::server
