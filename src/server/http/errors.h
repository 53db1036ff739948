// What a client is told when something is wrong: one table of causes, one writer of bodies.
//
// Purpose     every refusal of the server, with its status and the words of the three interfaces
//             whose clients read them.
// Invariants  a message names the thing, what was found and what is accepted; it never carries a
//             file's path, a key or another request's text.
// Adding      a cause: one enumerator here, one row in errors.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "server/http/message.h"

namespace cairn::server {

/// Whose error body a client expects.
enum class Flavour : std::uint8_t { kOpenAi, kAnthropic, kLlama };

/// Why a request is refused or ended.
enum class Cause : std::uint8_t {
  kBadRequest,
  kNoKey,
  kForbidden,
  kNotFound,
  kWrongMethod,
  kTimeout,
  kBodyTooLarge,
  kTargetTooLong,
  kWrongMediaType,
  kExpectation,
  kUnprocessable,
  kBusy,
  kHeadersTooLarge,
  kClosedByClient,
  kInternal,
  kNotImplemented,
  kLoading,
  kDraining,
  kTooManyConnections,
  kVersion,
};

/// One row per cause.
struct CauseInfo {
  Cause cause = Cause::kInternal;
  int status = 500;
  std::string_view openai_type = {};
  std::string_view openai_code = {};  // empty: null
  std::string_view anthropic_type = {};
  std::string_view llama_type = {};
  int retry_after_s = 0;  // 0: no Retry-After
};

/// The table row of `cause`.
const CauseInfo& info(Cause cause);

/// One error for a client.
struct WireError {
  Cause cause = Cause::kInternal;
  std::string message = {};
  std::string param = {};  // the field, as a path: "messages[0].role"; empty: null
  std::string code = {};   // replaces the row's code; empty: the row's
};

/// The error object of `flavour` as one line of JSON, without the HTTP around it.
std::string error_json(Flavour flavour, const WireError& error);

/// The whole response: status, body, and Retry-After where the row has one.
Response error_response(Flavour flavour, const WireError& error);

/// The cause that stands for a status of the rooms below.
Cause cause_of(StatusCode code);

}  // namespace cairn::server
