#include "server/wire/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/ascii.h"
#include "server/wire/answers.h"
#include "server/wire/not_yet.h"

namespace cairn::server {
namespace {

Json array_of(Json items, std::size_t items_max) {
  return {{"type", "array"}, {"items", std::move(items)}, {"maxItems", items_max}};
}

Json any_of(std::initializer_list<Json> schemas) {
  Json list = Json::array();
  for (const Json& schema : schemas) list.push_back(schema);
  return {{"anyOf", std::move(list)}};
}

Json text_schema() { return {{"type", "string"}, {"minLength", 1}, {"maxLength", kTextBytesMax}}; }

Json id_schema() { return {{"type", "integer"}, {"minimum", 0}, {"maximum", 2147483647}}; }

Json number_schema(const char* type, const Field& field) {
  Json schema = {{"type", type}};
  if (std::isfinite(field.min)) schema["minimum"] = field.min;
  if (std::isfinite(field.max)) schema["maximum"] = field.max;
  return schema;
}

Json ids_schema() { return {{"type", "array"}, {"items", id_schema()}, {"minItems", 1}}; }

Json prompt_schema() {
  Json texts = array_of({{"type", "string"}}, kPromptsMax);
  texts["minItems"] = 1;
  Json lists = array_of(ids_schema(), kPromptsMax);
  lists["minItems"] = 1;
  return any_of({{{"type", "string"}}, std::move(texts), ids_schema(), std::move(lists)});
}

Json messages_schema() {
  const Json part = {{"type", "object"}, {"required", Json::array({"type"})}};
  const Json content =
      any_of({{{"type", "string"}}, {{"type", "array"}, {"items", part}}, {{"type", "null"}}});
  const Json role = {
      {"enum", Json::array({"system", "developer", "user", "assistant", "tool", "function"})}};
  Json list = array_of({{"type", "object"},
                        {"required", Json::array({"role"})},
                        {"properties", {{"role", role}, {"content", content}}}},
                       kMessagesMax);
  list["minItems"] = 1;
  return list;
}

Json with_type(std::initializer_list<const char*> words) {
  Json list = Json::array();
  for (const char* const word : words) list.push_back(word);
  return {{"type", "object"},
          {"required", Json::array({"type"})},
          {"properties", {{"type", {{"enum", std::move(list)}}}}}};
}

Json stream_options_schema() {
  const Json boolean = {{"type", Json::array({"boolean", "null"})}};
  return {{"type", "object"},
          {"properties", {{"include_usage", boolean}, {"continuous_usage_stats", boolean}}}};
}

Json with_null(Json schema) { return any_of({std::move(schema), {{"type", "null"}}}); }

Json json_body(Json schema) { return {{"application/json", {{"schema", std::move(schema)}}}}; }

Json answer_schema(const AnswerRow& row) {
  Json content = json_body(row.schema.empty() ? Json::object() : Json::parse(row.schema));
  if (row.schema.empty()) content = {{row.content_type, Json::object()}};
  if (row.streams == Streams::kYes) content["text/event-stream"] = Json::object();
  return {{"description", "The answer, or its events when the request says stream."},
          {"content", std::move(content)}};
}

/// An error that a path may answer with.
struct Refusal {
  int status = 400;
  const char* when = "";
};

constexpr std::array kEverywhereRefusals = {
    Refusal{400, "The request, or a field of it, is wrong; the error names it."},
    Refusal{403, "A page of another site asked, or the key may not do this."},
    Refusal{405, "The path answers other methods."},
    Refusal{408, "The request did not arrive in time."},
    Refusal{413, "The body is too large."},
    Refusal{414, "The request line is too long."},
    Refusal{415, "The body has another type than is expected, or is encoded."},
    Refusal{429, "Too many requests wait; Retry-After says when to come back."},
    Refusal{431, "The headers are too large."},
    Refusal{503, "The model loads or the server stops; Retry-After says when to come back."},
};

void add_refusal(Json& responses, const Refusal& refusal, const Json& schema) {
  Json response = {{"description", refusal.when}, {"content", json_body(schema)}};
  if (refusal.status == 429 || refusal.status == 503) {
    response["headers"] = {{"Retry-After", {{"schema", {{"type", "string"}}}}}};
  }
  responses[std::to_string(refusal.status)] = std::move(response);
}

/// Every status that the path answers with.
Json responses_of(const PathRow& row) {
  const Json error = error_schema(row.flavour);
  const AnswerRow* const answer = find_answer(row.method, row.path);
  Json responses = Json::object();
  if (answer != nullptr) responses["200"] = answer_schema(*answer);
  for (const Refusal& refusal : kEverywhereRefusals) add_refusal(responses, refusal, error);
  if (row.access != Access::kOpen) {
    add_refusal(responses, {401, "No API key, or a wrong one."}, error);
  }
  if (row.fields || row.path.find("{}") != std::string_view::npos) {
    add_refusal(responses, {404, "There is no such model or thing."}, error);
  }
  const bool keeps_files = row.path.starts_with("/v1/files") || row.path.starts_with("/v1/batches");
  if (answer == nullptr || row.fields || keeps_files) {
    add_refusal(responses, {501, "What is asked for is not there; the error names it."}, error);
  }
  return responses;
}

/// The form of POST /v1/files.
Json form_body() {
  const Json text = {{"type", "string"}};
  return {{"required", true},
          {"content",
           {{"multipart/form-data",
             {{"schema",
               {{"type", "object"},
                {"required", Json::array({"file", "purpose"})},
                {"properties", {{"file", text}, {"purpose", {{"enum", {"batch"}}}}}}}}}}}}};
}

Json operation(const PathRow& row) {
  Json object = {{"summary", row.summary}};
  if (row.fields) {
    object["requestBody"] = {{"required", true},
                             {"content", json_body(request_schema(*row.fields))}};
  } else if (row.method == "POST" && row.path == "/v1/files") {
    object["requestBody"] = form_body();
  }
  object["responses"] = responses_of(row);
  return object;
}

/// "/v1/models/{}" with names for its parts, as OpenAPI wants them.
std::string named_path(std::string_view path, Json& parameters) {
  std::string named;
  for (std::size_t at = 0; at < path.size(); ++at) {
    named += path[at];
    if (!path.substr(at).starts_with("{}")) continue;
    const std::string name = fmt::format("part{}", parameters.size() + 1);
    parameters.push_back(
        {{"name", name}, {"in", "path"}, {"required", true}, {"schema", {{"type", "string"}}}});
    named += name;
  }
  return named;
}

void add_query(std::string_view names, Json& parameters) {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    parameters.push_back({{"name", name}, {"in", "query"}, {"schema", {{"type", "string"}}}});
  }
}

std::string endpoint_words(const Field& field) {
  std::string words;
  bool all = true;
  for (const EndpointInfo& row : field_endpoints()) {
    if (!serves(field, row.endpoint)) {
      all = false;
      continue;
    }
    if (!words.empty()) words += ", ";
    words += row.word;
  }
  if (all) return "all";
  return field.endpoints == kGenerating ? "generating" : words;
}

std::string_view shape_words(Shape shape) {
  constexpr std::array<std::string_view, 19> kWords = {
      "boolean",      "whole number",   "number",   "text",    "texts",  "text or texts",
      "ids",          "prompt",         "messages", "biases",  "object", "object with a type",
      "tools",        "word or object", "object",   "objects", "any",    "text or blocks",
      "text or items"};
  return kWords[static_cast<std::size_t>(shape)];
}

std::string range_cell(const Field& field) {
  const bool low = std::isfinite(field.min);
  const bool high = std::isfinite(field.max);
  if (low && high) return fmt::format("{} to {}", field.min, field.max);
  if (low) return fmt::format("at least {}", field.min);
  if (!field.neutral.empty()) return fmt::format("passes: `{}`", field.neutral);
  return {};
}

void append_table(std::string& page, Behaviour behaviour) {
  page += "\n| field | endpoints | type | range | |\n|---|---|---|---|---|\n";
  for (const Field& field : fields()) {
    if (field.behaviour != behaviour) continue;
    page += fmt::format("| `{}` | {} | {} | {} | {} |\n", field.name, endpoint_words(field),
                        shape_words(field.shape), range_cell(field), field.sentence);
  }
}

}  // namespace

Json shape_schema(const Field& field) {
  switch (field.shape) {
    case Shape::kBoolean:
      return {{"type", "boolean"}};
    case Shape::kInteger:
      return number_schema("integer", field);
    case Shape::kNumber:
      return number_schema("number", field);
    case Shape::kText:
      return {{"type", "string"}};
    case Shape::kTexts:
      return array_of(text_schema(), kTextsMax);
    case Shape::kTextOrTexts:
      return any_of({text_schema(), array_of(text_schema(), kTextsMax)});
    case Shape::kIds:
      return array_of(id_schema(), kIdsMax);
    case Shape::kPrompt:
      return prompt_schema();
    case Shape::kMessages:
      return messages_schema();
    case Shape::kLogitBias:
      return any_of({{{"type", "object"}}, {{"type", "array"}}});
    case Shape::kStreamOptions:
      return stream_options_schema();
    case Shape::kResponseFormat:
      return with_type({"text", "json_object", "json_schema"});
    case Shape::kTools:
      return array_of(with_type({"function"}), kToolsMax);
    case Shape::kToolChoice:
      return any_of(
          {{{"enum", Json::array({"none", "auto", "required"})}}, with_type({"function"})});
    case Shape::kObject:
      return {{"type", "object"}};
    case Shape::kObjects:
      return {{"type", "array"}, {"items", {{"type", "object"}}}};
    case Shape::kTextOrBlocks:
      return any_of({{{"type", "string"}}, {{"type", "array"}, {"items", with_type({"text"})}}});
    case Shape::kTextOrItems:
      return any_of({{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "object"}}}}});
    case Shape::kAny:
      break;
  }
  return Json::object();
}

Json request_schema(Endpoint endpoint) {
  Json properties = Json::object();
  for (const Field& field : fields()) {
    if (!serves(field, endpoint)) continue;
    Json schema = with_null(shape_schema(field));
    if (field.behaviour == Behaviour::kRefused) {
      Json values = Json::array({nullptr});
      if (!field.neutral.empty()) values.push_back(Json::parse(field.neutral));
      schema = {{"enum", std::move(values)}};
    }
    schema["description"] = field.sentence;
    properties[std::string(field.name)] = std::move(schema);
  }
  Json required = Json::array();
  for (const std::string_view name : info(endpoint).required) {
    if (!name.empty()) required.push_back(name);
  }
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

Json openapi_document(std::span<const PathRow> rows) {
  Json paths = Json::object();
  for (const PathRow& row : rows) {
    Json parameters = Json::array();
    Json& path = paths[named_path(row.path, parameters)];
    Json object = operation(row);
    if (const AnswerRow* const answer = find_answer(row.method, row.path)) {
      add_query(answer->query, parameters);
    }
    if (!parameters.empty()) object["parameters"] = std::move(parameters);
    path[lower_ascii(row.method)] = std::move(object);
  }
  return {{"openapi", "3.1.0"},
          {"info", {{"title", "cairn"}, {"version", CAIRN_VERSION}}},
          {"paths", std::move(paths)}};
}

std::string wire_page() {
  std::string page =
      "# Fields of the wire\n\n"
      "Made from the table in `src/server/wire/` by `make_wire_page`; a test holds the two "
      "together. Null is\nthe same as leaving a field out. A field that no row names is listed in "
      "`ignored_fields` of the reply, or,\nin strict mode, answered 400 with the nearest name.\n"
      "\n## Honoured\n";
  append_table(page, Behaviour::kHonoured);
  page += "\n## Not yet\n\nAnswered 501 with the field's name.\n\n| field | value |\n|---|---|\n";
  for (const NotYet& row : not_yet()) page += fmt::format("| `{}` | {} |\n", row.field, row.value);
  page +=
      "\n## Inert\n\nThey cannot change the answer; the reply lists them in `ignored_fields`.\n";
  append_table(page, Behaviour::kInert);
  page +=
      "\n## Refused\n\nAnswered 400 with the field's name, unless the value is the one that "
      "passes: it asks for what is done\nanyway.\n";
  append_table(page, Behaviour::kRefused);
  return page;
}

}  // namespace cairn::server
