// The table of fields as documents: the reference page and OpenAPI.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "server/http/errors.h"
#include "server/http/message.h"
#include "server/wire/fields.h"

namespace cairn::server {

/// What values of that shape are accepted, null aside, as JSON Schema (2020-12); numbers within
/// the field's range.
Json shape_schema(const Field& field);

/// The schema of an endpoint's request body: honoured and inert fields, and refused ones with the
/// one value that passes.
Json request_schema(Endpoint endpoint);

/// A path as the OpenAPI document lists it. A part "{}" stands for any one part.
struct PathRow {
  std::string_view method = {};
  std::string_view path = {};
  std::string_view summary = {};
  Access access = Access::kKey;
  Flavour flavour = Flavour::kOpenAi;   // of its errors
  std::optional<Endpoint> fields = {};  // whose fields its body has
};

/// The document of /openapi.json (OpenAPI 3.1).
Json openapi_document(std::span<const PathRow> rows);

/// The page docs/reference/wire.md.
std::string wire_page();

}  // namespace cairn::server
