// A request's JSON into its struct, through the table of fields.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/errors.h"
#include "server/wire/fields.h"
#include "server/wire/request.h"

namespace cairn::server {

/// What an unknown field means: listed as ignored, or an error with the nearest name.
enum class Strictness : std::uint8_t { kLenient, kStrict };

/// Deepest nesting of a request's JSON.
constexpr int kJsonDepthMax = 64;

/// A request, or what is wrong with it.
// A null Json is made without throwing, which the check does not see.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct ParsedRequest {
  std::optional<WireError> error = {};
  GenerationRequest request = {};
  /// Inert and, when lenient, unknown fields, in the order of the body.
  std::vector<std::string> ignored_fields = {};
  /// Every field that was given.
  std::set<std::string> names = {};
};

/// Errors are of status 400 and name the field in `param`: a body that is no JSON object, has a key
/// twice or is nested deeper than kJsonDepthMax, a required field missing, a wrong type, a value
/// out of range, a refused field, fields that exclude each other.
ParsedRequest parse_request(Endpoint endpoint, std::string_view body, Strictness strictness);

}  // namespace cairn::server
