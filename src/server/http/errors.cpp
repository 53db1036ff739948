#include "server/http/errors.h"

#include <array>

#include "base/json.h"

namespace cairn::server {
namespace {

constexpr std::string_view kInvalid = "invalid_request_error";

constexpr std::array<CauseInfo, 20> kCauses = {{
    {Cause::kBadRequest, 400, kInvalid, "", kInvalid, kInvalid, 0},
    {Cause::kNoKey, 401, "authentication_error", "invalid_api_key", "authentication_error",
     "authentication_error", 0},
    {Cause::kForbidden, 403, "permission_error", "", "permission_error", "permission_error", 0},
    {Cause::kNotFound, 404, kInvalid, "not_found", "not_found_error", "not_found_error", 0},
    {Cause::kWrongMethod, 405, kInvalid, "method_not_allowed", kInvalid, kInvalid, 0},
    {Cause::kTimeout, 408, kInvalid, "request_timeout", kInvalid, kInvalid, 0},
    {Cause::kBodyTooLarge, 413, kInvalid, "request_too_large", "request_too_large", kInvalid, 0},
    {Cause::kTargetTooLong, 414, kInvalid, "uri_too_long", kInvalid, kInvalid, 0},
    {Cause::kWrongMediaType, 415, kInvalid, "unsupported_media_type", kInvalid, kInvalid, 0},
    {Cause::kExpectation, 417, kInvalid, "expectation_failed", kInvalid, kInvalid, 0},
    {Cause::kUnprocessable, 422, kInvalid, "", kInvalid, kInvalid, 0},
    {Cause::kBusy, 429, "rate_limit_error", "rate_limit_exceeded", "rate_limit_error",
     "unavailable_error", 1},
    {Cause::kHeadersTooLarge, 431, kInvalid, "headers_too_large", kInvalid, kInvalid, 0},
    {Cause::kClosedByClient, 499, kInvalid, "client_closed_request", kInvalid, kInvalid, 0},
    {Cause::kInternal, 500, "server_error", "internal_error", "api_error", "server_error", 0},
    {Cause::kNotImplemented, 501, "not_supported_error", "not_implemented", "api_error",
     "not_supported_error", 0},
    {Cause::kLoading, 503, "server_error", "model_loading", "overloaded_error", "unavailable_error",
     2},
    {Cause::kDraining, 503, "server_error", "server_stopping", "overloaded_error",
     "unavailable_error", 5},
    {Cause::kTooManyConnections, 503, "server_error", "too_many_connections", "overloaded_error",
     "unavailable_error", 1},
    {Cause::kVersion, 505, kInvalid, "http_version_not_supported", kInvalid, kInvalid, 0},
}};

Json or_null(std::string_view text) { return text.empty() ? Json() : Json(text); }

Json error_object(Flavour flavour, const CauseInfo& row, const WireError& error) {
  switch (flavour) {
    case Flavour::kAnthropic:
      return {{"type", "error"},
              {"error", {{"type", row.anthropic_type}, {"message", error.message}}}};
    case Flavour::kLlama:
      return {
          {"error", {{"code", row.status}, {"message", error.message}, {"type", row.llama_type}}}};
    case Flavour::kOpenAi:
      break;
  }
  return {{"error",
           {{"message", error.message},
            {"type", row.openai_type},
            {"param", or_null(error.param)},
            {"code", or_null(error.code.empty() ? row.openai_code : error.code)}}}};
}

}  // namespace

const CauseInfo& info(Cause cause) { return kCauses[static_cast<std::size_t>(cause)]; }

std::string error_json(Flavour flavour, const WireError& error) {
  // A client's own bytes may stand in a message: what is no UTF-8 becomes U+FFFD.
  return error_object(flavour, info(error.cause), error)
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Response error_response(Flavour flavour, const WireError& error) {
  const CauseInfo& row = info(error.cause);
  Response response{.status = row.status,
                    .content_type = "application/json",
                    .headers = {},
                    .body = error_json(flavour, error)};
  if (row.retry_after_s > 0) {
    response.headers.push_back({.name = "Retry-After", .value = std::to_string(row.retry_after_s)});
  }
  return response;
}

Cause cause_of(StatusCode code) {
  switch (code) {
    case StatusCode::kInvalidArgument:
    case StatusCode::kTooLarge:
      return Cause::kBadRequest;
    case StatusCode::kNotFound:
      return Cause::kNotFound;
    case StatusCode::kUnsupported:
      return Cause::kNotImplemented;
    case StatusCode::kUnavailable:
      return Cause::kBusy;
    case StatusCode::kCancelled:
      return Cause::kClosedByClient;
    case StatusCode::kOk:
    case StatusCode::kInvalidFile:
    case StatusCode::kIo:
    case StatusCode::kInternal:
      break;
  }
  return Cause::kInternal;
}

}  // namespace cairn::server
