// The table of fields: which endpoint takes which field, and what becomes of it.
//
// Purpose     one source for the parser, the OpenAPI document, the reference page and the test that
//             walks it: a field cannot be documented otherwise than it is read.
// Invariants  a field of a row is honoured, or refused by its name, or inert and listed in
//             ignored_fields; null is the same as leaving it out. A field stands at most once per
//             endpoint.
// Adding      a field: one row in table_*.cpp; when it is honoured, its member in request.h.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "server/wire/request.h"

namespace cairn::server {

enum class Endpoint : std::uint8_t { kCompletions = 1, kChat = 2 };

/// "/v1/completions" or "/v1/chat/completions".
std::string_view path_of(Endpoint endpoint);

/// What becomes of a field.
enum class Behaviour : std::uint8_t { kHonoured, kRefused, kInert };

/// "honoured", "refused" or "inert".
std::string_view name_of(Behaviour behaviour);

/// What a field's value looks like; shape_schema() says it as JSON Schema.
enum class Shape : std::uint8_t {
  kBoolean,
  kInteger,
  kNumber,
  kText,
  kTexts,        // an array of texts
  kTextOrTexts,  // one, or an array
  kIds,          // an array of token ids
  kPrompt,
  kMessages,
  kLogitBias,
  kStreamOptions,
  kResponseFormat,
  kTools,
  kToolChoice,
  kObject,
  kObjects,  // an array of objects
  kAny,
};

/// What is wrong with a value: `path` continues the field's name ("[0].role").
struct FieldFault {
  std::string path = {};
  std::string message = {};
};

struct Field;
/// Checks a value that is not null and stores it.
using FieldReader = std::optional<FieldFault> (*)(const Field& field, const Json& value,
                                                  GenerationRequest& request);

constexpr std::uint8_t kCompletionsOnly = static_cast<std::uint8_t>(Endpoint::kCompletions);
constexpr std::uint8_t kChatOnly = static_cast<std::uint8_t>(Endpoint::kChat);
constexpr std::uint8_t kBoth = kCompletionsOnly | kChatOnly;

/// One row.
struct Field {
  std::string_view name = {};
  std::uint8_t endpoints = kBoth;
  Behaviour behaviour = Behaviour::kHonoured;
  Shape shape = Shape::kAny;
  double min = -std::numeric_limits<double>::infinity();  // of numbers; both ends belong to it
  double max = std::numeric_limits<double>::infinity();
  std::string_view neutral = {};  // refused fields: the JSON value that changes nothing and passes
  FieldReader read = nullptr;     // honoured fields alone
  std::string_view sentence = {};
};

/// Every row.
std::span<const Field> fields();

/// The row of a field of an endpoint; null for none.
const Field* find_field(Endpoint endpoint, std::string_view name);

/// The names that an endpoint knows, in the order of the table.
std::vector<std::string> field_names(Endpoint endpoint);

/// The groups that fields() joins.
std::span<const Field> input_fields();
/// See input_fields().
std::span<const Field> sampling_fields();
/// See input_fields().
std::span<const Field> output_fields();
/// See input_fields().
std::span<const Field> refused_fields();

/// Most strings in a list of stops, banned words and the like.
constexpr std::size_t kTextsMax = 64;
/// Most bytes of one of them.
constexpr std::size_t kTextBytesMax = 1024;
/// Most prompts of one request.
constexpr std::size_t kPromptsMax = 1024;
/// Most ids in a list of ids that is no prompt.
constexpr std::size_t kIdsMax = 1024;
/// Most messages of a chat.
constexpr std::size_t kMessagesMax = 4096;
/// Most tools of a request.
constexpr std::size_t kToolsMax = 128;
/// Most answers to one prompt.
constexpr std::int64_t kChoicesMax = 128;
/// Most likeliest tokens to report.
constexpr std::int64_t kLogprobsMax = 20;

}  // namespace cairn::server
