// GET /v1/requests/{id}: where a request's time went.
#include <fmt/core.h>

#include "base/clock.h"
#include "server/api/handling.h"
#include "server/api/watch.h"

namespace cairn::server {
namespace {

constexpr double kMsPerNs = 1e-6;

/// Milliseconds from one moment to the next; null where one of them did not come.
Json ms_between(std::int64_t from_ns, std::int64_t to_ns) {
  if (from_ns == 0 || to_ns == 0) return {};
  return static_cast<double>(to_ns - from_ns) * kMsPerNs;
}

Json record_object(const RequestRecord& record) {
  const bool ended = record.ended_ns != 0;
  const std::int64_t until_ns = ended ? record.ended_ns : steady_ns();
  return {{"id", record.id},
          {"object", "request"},
          {"endpoint", record.endpoint},
          {"model", record.model},
          {"status", ended ? "ended" : (record.first_token_ns != 0 ? "generating" : "waiting")},
          {"finish_reasons", record.finish_reasons},
          {"usage",
           {{"prompt_tokens", record.prompt_tokens},
            {"cached_tokens", record.cached_tokens},
            {"completion_tokens", record.generated_tokens}}},
          {"times_ms",
           {{"preparing", ms_between(record.arrived_ns, record.submitted_ns)},
            {"to_first_token", ms_between(record.submitted_ns, record.first_token_ns)},
            {"computing_prompt", record.prompt_s * kMsPerSecond},
            {"generating", ms_between(record.first_token_ns, until_ns)},
            {"total", ms_between(record.arrived_ns, until_ns)}}}};
}

}  // namespace

Reply get_request(const Api& api, Exchange& exchange) {
  const std::string& id = exchange.path_values.front();
  std::optional<RequestRecord> record = api.watch->find(id);
  // The id of a reply is that of its request behind a word for the kind.
  for (const std::string_view kind : {"chatcmpl-", "cmpl-", "msg_", "resp_"}) {
    if (!record && id.starts_with(kind)) record = api.watch->find(id.substr(kind.size()));
  }
  if (record) return json_response(record_object(*record));
  return error_response(
      Flavour::kOpenAi,
      {.cause = Cause::kNotFound,
       .message = fmt::format("no request is known by \"{}\"; the newest {} are, by their "
                              "X-Request-Id or the id of their reply",
                              id, Watch::kRecordsMax)});
}

}  // namespace cairn::server
