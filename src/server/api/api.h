// Api: the endpoints that a server has for its model.
//
// Purpose     joins wire formats and the runtime: an endpoint's handler reads a request through the
//             table of fields, submits it, and replies as tokens come.
// Invariants  a handler that tokenizes runs on the preparation thread; nothing of a request is
//             dropped unsaid: a field is honoured, refused by name, or listed as ignored.
// Threads     built before the server starts; handlers as their rows say.
// Adding      an endpoint: its file under openai/, anthropic/, llama/ or vllm/ with a handler, the
//             handler's line below, and its row in routes.cpp. The OpenAPI document, the reference
//             page and the test that calls every path read that row.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "server/api/newsroom.h"
#include "server/api/response_store.h"
#include "server/api/served_model.h"
#include "server/api/watch.h"
#include "server/http/router.h"
#include "server/parts/syntax.h"
#include "server/wire/document.h"
#include "server/wire/parse.h"

namespace cairn::server {

class Batches;
class FileStore;
class Models;
class StreamKeeper;

/// What every handler sees. It outlives the server.
struct Api {
  Models* models = nullptr;  // several, of which handlers that use one see it as `model`; outlives
                             // the server. Null: one that is always there
  ServedModel model = {};
  Syntax syntax = {};  // of the model's answers
  std::shared_ptr<Watch> watch = {};
  Newsroom* newsroom = nullptr;        // publish() is called once per step; outlives the server
  std::uint64_t prompt_bytes_max = 0;  // of a request's text, looked at before tokenizing; 0: any
  std::uint64_t new_tokens_max = 0;    // of one answer; 0: to the end of the context
  Strictness strictness = Strictness::kLenient;
  runtime::Pooling pooling = runtime::Pooling::kLast;  // of embeddings
  std::shared_ptr<ResponseStore> responses = {};       // set by attach()
  FileStore* files = nullptr;       // null without a folder for them; outlives the server
  Batches* batches = nullptr;       // likewise
  StreamKeeper* streams = nullptr;  // null: a stream ends with its connection; outlives the server
};

/// Sets what the server keeps of requests: before the server starts.
void begin(Api& api);

/// Sets the one model there is and what follows from it; until Server::ready().
void attach(Api& api, ServedModel model);

/// Answers one request of an endpoint.
using EndpointHandler = Reply (*)(const Api& api, Exchange& exchange);

/// Whether an endpoint's handler is called with a model that is loaded.
enum class NeedsModel : std::uint8_t { kNo, kYes };

/// One row per method and path.
struct EndpointRow {
  Method method = Method::kGet;
  std::string_view path = {};
  Access access = Access::kKey;
  RunOn run_on = RunOn::kIo;
  Flavour flavour = Flavour::kOpenAi;
  EndpointHandler handler = nullptr;
  std::string_view summary = {};
  std::optional<Endpoint> fields = {};  // whose fields its body has; it is JSON then
  NeedsModel model = fields ? NeedsModel::kYes : NeedsModel::kNo;
};

/// Every row.
std::span<const EndpointRow> endpoints();

/// The rows as routes; `api` outlives them.
std::vector<Route> api_routes(const Api& api);

/// The rows as the OpenAPI document lists them.
std::vector<PathRow> path_rows();

/// The page docs/reference/endpoints.md.
std::string endpoints_page();

// The handlers, by the file they stand in.

/// page/
Reply get_page(const Api& api, Exchange& exchange);
Reply get_page_part(const Api& api, Exchange& exchange);

/// openai/
Reply list_models(const Api& api, Exchange& exchange);
Reply get_model(const Api& api, Exchange& exchange);
Reply post_completions(const Api& api, Exchange& exchange);
Reply post_chat_completions(const Api& api, Exchange& exchange);
Reply post_chat_input_tokens(const Api& api, Exchange& exchange);
Reply post_embeddings(const Api& api, Exchange& exchange);
Reply post_response(const Api& api, Exchange& exchange);
Reply post_response_input_tokens(const Api& api, Exchange& exchange);
Reply get_response(const Api& api, Exchange& exchange);
Reply delete_response(const Api& api, Exchange& exchange);
Reply cancel_response(const Api& api, Exchange& exchange);
Reply list_response_items(const Api& api, Exchange& exchange);
Reply post_file(const Api& api, Exchange& exchange);
Reply list_files(const Api& api, Exchange& exchange);
Reply get_file(const Api& api, Exchange& exchange);
Reply delete_file(const Api& api, Exchange& exchange);
Reply get_file_content(const Api& api, Exchange& exchange);
Reply post_batch(const Api& api, Exchange& exchange);
Reply list_batches(const Api& api, Exchange& exchange);
Reply get_batch(const Api& api, Exchange& exchange);
Reply cancel_batch(const Api& api, Exchange& exchange);

/// anthropic/
Reply post_messages(const Api& api, Exchange& exchange);
Reply post_count_tokens(const Api& api, Exchange& exchange);

/// models/
Reply load_model(const Api& api, Exchange& exchange);
Reply unload_model(const Api& api, Exchange& exchange);

/// resume/
Reply get_stream(const Api& api, Exchange& exchange);
Reply delete_stream(const Api& api, Exchange& exchange);

/// llama/
Reply post_apply_template(const Api& api, Exchange& exchange);
Reply post_completion(const Api& api, Exchange& exchange);
Reply get_props(const Api& api, Exchange& exchange);
Reply get_slots(const Api& api, Exchange& exchange);

/// vllm/
Reply get_health(const Api& api, Exchange& exchange);
Reply get_ping(const Api& api, Exchange& exchange);
Reply get_version(const Api& api, Exchange& exchange);
Reply get_load(const Api& api, Exchange& exchange);
Reply get_openapi(const Api& api, Exchange& exchange);
Reply post_tokenize(const Api& api, Exchange& exchange);
Reply post_detokenize(const Api& api, Exchange& exchange);
Reply get_metrics(const Api& api, Exchange& exchange);
Reply get_request(const Api& api, Exchange& exchange);
Reply reset_prefix_cache(const Api& api, Exchange& exchange);

}  // namespace cairn::server
