// /v1/batches: create, list, get, cancel.
#include <fmt/core.h>

#include "server/api/handling.h"
#include "server/api/paging.h"
#include "server/batch/batches.h"

namespace cairn::server {
namespace {

Response refuse_batch(const WireError& error) { return error_response(Flavour::kOpenAi, error); }

/// Messages about a field begin with its name.
Response refuse_batch(const Status& status) {
  const std::string message = told(status);
  std::string param;
  for (const char* name : {"endpoint", "input_file_id"}) {
    if (message.starts_with(name)) param = name;
  }
  return refuse_batch(
      {.cause = cause_of(status.code()), .message = message, .param = std::move(param)});
}

Response no_batch_folder() {
  return refuse_batch({.cause = Cause::kNotImplemented,
                       .message = "batches need a folder: the server was started without --files"});
}

Response no_batch(const std::string& id) {
  return refuse_batch({.cause = Cause::kNotFound,
                       .message = fmt::format("no batch is called \"{}\"", id),
                       .param = "batch_id",
                       .code = "batch_not_found"});
}

}  // namespace

Reply post_batch(const Api& api, Exchange& exchange) {
  if (api.batches == nullptr) return no_batch_folder();
  ParsedRequest parsed = parse_body(api, Endpoint::kBatches, exchange);
  if (parsed.error) return refuse_batch(*parsed.error);
  Result<Json> batch =
      api.batches->create({.input_file_id = parsed.request.input_file_id.value_or(""),
                           .endpoint = parsed.request.batch_endpoint.value_or(""),
                           .metadata = std::move(parsed.request.metadata)});
  if (!batch.ok()) return refuse_batch(batch.status());
  Json object = std::move(*batch);
  if (!parsed.ignored_fields.empty()) object["ignored_fields"] = parsed.ignored_fields;
  return json_response(object);
}

Reply list_batches(const Api& api, Exchange& exchange) {
  if (api.batches == nullptr) return no_batch_folder();
  return page_response(api.batches->list(), exchange.request, {});
}

Reply get_batch(const Api& api, Exchange& exchange) {
  if (api.batches == nullptr) return no_batch_folder();
  const std::string& id = exchange.path_values.front();
  const std::optional<Json> batch = api.batches->find(id);
  if (!batch) return no_batch(id);
  return json_response(*batch);
}

Reply cancel_batch(const Api& api, Exchange& exchange) {
  if (api.batches == nullptr) return no_batch_folder();
  const std::string& id = exchange.path_values.front();
  const Result<std::optional<Json>> batch = api.batches->cancel(id);
  if (!batch.ok()) return refuse_batch(batch.status());
  if (!batch->has_value()) return no_batch(id);
  return json_response(**batch);
}

}  // namespace cairn::server
