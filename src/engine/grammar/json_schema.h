// JSON Schema as a grammar.
//
// Purpose     the subset of the 2020-12 draft that can be kept to while tokens are chosen: type,
//             properties, required, additionalProperties, items with minItems and maxItems, enum,
//             const, anyOf, $ref into the schema itself; the annotations title, description,
//             default, examples, $schema, $comment. Any other keyword is refused by its name.
// Invariants  what comes out is valid under the schema; not all that is valid can come out:
//             members stand in the order of `properties`, those not listed behind them, and without
//             additionalProperties there are no others where any is listed. Enumerated values have
//             one spelling. Without `type`, keywords of objects mean an object, those of arrays an
//             array.
// Source      json-schema.org, draft 2020-12.
#pragma once

#include <cstddef>

#include "base/json.h"
#include "base/status.h"
#include "engine/grammar/grammar.h"

namespace cairn::engine {

/// Largest schema, in bytes of JSON, and deepest.
inline constexpr std::size_t kSchemaBytesMax = 65536;
inline constexpr int kSchemaDepthMax = 64;

/// Adds what `schema` allows. Errors: kInvalidArgument with the JSON pointer and the keyword, or
/// the limit.
Result<GrammarNode> add_json_schema(Grammar& grammar, const Json& schema);

}  // namespace cairn::engine
