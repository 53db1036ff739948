// What each path answers when all is well: its type and its JSON Schema.
//
// Purpose     one source for the OpenAPI document, against which property tests hold the server
//             (tests/clients/openapi_client.py).
// Invariants  every path that is not answered 501 throughout has one row, and a test looks.
// Adding      an endpoint: its row in answers.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/json.h"
#include "server/http/errors.h"

namespace cairn::server {

/// Whether the answer comes as events where the request says `stream`.
enum class Streams : std::uint8_t { kNo, kYes };

/// One row per method and path.
struct AnswerRow {
  std::string_view method = {};
  std::string_view path = {};
  std::string_view schema = {};  // JSON Schema (2020-12) as text; empty: no JSON
  std::string_view content_type = "application/json";
  Streams streams = Streams::kNo;
  std::string_view query = {};  // names of its parameters, with commas between
};

/// Every row.
std::span<const AnswerRow> answers();

/// The row of a path; null for one that answers 501.
const AnswerRow* find_answer(std::string_view method, std::string_view path);

/// The schema of an error's body.
Json error_schema(Flavour flavour);

}  // namespace cairn::server
