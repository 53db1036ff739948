// The table of fields: which endpoint takes which field, and what becomes of it.
//
// Purpose     one source for the parser, the OpenAPI document, the reference page and the test that
//             walks it: a field cannot be documented otherwise than it is read.
// Invariants  a field of a row is honoured, or refused by its name, or inert and listed in
//             ignored_fields; null is the same as leaving it out. A field stands at most once per
//             endpoint.
// Adding      a field: one row in table_*.cpp; when it is honoured, its member in request.h. An
//             endpoint: its enumerator, its row in fields.cpp, and its bit in the rows it takes.
#pragma once

#include <array>
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

/// An endpoint whose body has fields; a bit each.
enum class Endpoint : std::uint32_t {
  kCompletions = 1 << 0,
  kChat = 1 << 1,
  kMessages = 1 << 2,
  kCountTokens = 1 << 3,
  kNativeCompletion = 1 << 4,
  kTokenize = 1 << 5,
  kDetokenize = 1 << 6,
  kApplyTemplate = 1 << 7,
  kEmbeddings = 1 << 8,
  kResponses = 1 << 9,
  kBatches = 1 << 10,
  kLoadModel = 1 << 11,
  kUnloadModel = 1 << 12,
};

/// Several endpoints.
using Endpoints = std::uint32_t;

/// One row per endpoint.
struct EndpointInfo {
  Endpoint endpoint = Endpoint::kCompletions;
  std::string_view path = {};
  std::string_view word = {};                     // in the reference page
  std::array<std::string_view, 2> required = {};  // fields; empty: no more
};

/// Every row.
std::span<const EndpointInfo> field_endpoints();

/// The row of an endpoint.
const EndpointInfo& info(Endpoint endpoint);

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
  kTextOrBlocks,
  kTextOrItems,
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

constexpr Endpoints kCompletionsOnly = static_cast<Endpoints>(Endpoint::kCompletions);
constexpr Endpoints kChatOnly = static_cast<Endpoints>(Endpoint::kChat);
constexpr Endpoints kMessagesOnly = static_cast<Endpoints>(Endpoint::kMessages);
constexpr Endpoints kCountOnly = static_cast<Endpoints>(Endpoint::kCountTokens);
constexpr Endpoints kNativeOnly = static_cast<Endpoints>(Endpoint::kNativeCompletion);
constexpr Endpoints kTokenizeOnly = static_cast<Endpoints>(Endpoint::kTokenize);
constexpr Endpoints kDetokenizeOnly = static_cast<Endpoints>(Endpoint::kDetokenize);
constexpr Endpoints kTemplateOnly = static_cast<Endpoints>(Endpoint::kApplyTemplate);
constexpr Endpoints kEmbeddingsOnly = static_cast<Endpoints>(Endpoint::kEmbeddings);
constexpr Endpoints kResponsesOnly = static_cast<Endpoints>(Endpoint::kResponses);
constexpr Endpoints kBatchesOnly = static_cast<Endpoints>(Endpoint::kBatches);
/// OpenAI's two.
constexpr Endpoints kBoth = kCompletionsOnly | kChatOnly;
/// Those that generate.
constexpr Endpoints kGenerating = kBoth | kMessagesOnly | kNativeOnly | kResponsesOnly;
/// Those that render a conversation of OpenAI's shape.
constexpr Endpoints kRendering = kChatOnly | kTemplateOnly | kTokenizeOnly;
/// Anthropic's two.
constexpr Endpoints kBothAnthropic = kMessagesOnly | kCountOnly;
/// All there are.
constexpr Endpoints kEverywhere = ~Endpoints{0};

/// One row.
struct Field {
  std::string_view name = {};
  Endpoints endpoints = kGenerating;
  Behaviour behaviour = Behaviour::kHonoured;
  Shape shape = Shape::kAny;
  double min = -std::numeric_limits<double>::infinity();  // of numbers; both ends belong to it
  double max = std::numeric_limits<double>::infinity();
  std::string_view neutral = {};  // refused fields: the JSON value that changes nothing and passes
  FieldReader read = nullptr;     // honoured fields alone
  std::string_view sentence = {};
};

/// Whether the endpoint takes the field.
bool serves(const Field& field, Endpoint endpoint);

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
/// See input_fields().
std::span<const Field> anthropic_fields();
/// See input_fields().
std::span<const Field> token_fields();
/// See input_fields().
std::span<const Field> embedding_fields();
/// See input_fields().
std::span<const Field> response_fields();
/// See input_fields().
std::span<const Field> batch_fields();

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
