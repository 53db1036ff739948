#include "server/wire/answers.h"

#include <algorithm>
#include <array>

namespace cairn::server {
namespace {

// Source of the shapes: OpenAI's and Anthropic's API references, llama.cpp's and vLLM's servers.
// Only what every answer has is required; more may stand there.

constexpr std::string_view kObject = R"({"type":"object"})";

constexpr std::string_view kStatusWord =
    R"({"type":"object","required":["status"],"properties":{"status":{"type":"string"}}})";

constexpr std::string_view kVersionObject =
    R"({"type":"object","required":["version"],"properties":{"version":{"type":"string"}}})";

constexpr std::string_view kLoadObject =
    R"({"type":"object","required":["server_load","running","waiting"],"properties":{
        "server_load":{"type":"integer","minimum":0},"running":{"type":"integer","minimum":0},
        "waiting":{"type":"integer","minimum":0}}})";

constexpr std::string_view kModel =
    R"({"type":"object","required":["id","object","created","owned_by"],"properties":{
        "id":{"type":"string"},"object":{"const":"model"},"created":{"type":"integer"},
        "owned_by":{"type":"string"}}})";

constexpr std::string_view kModels =
    R"({"type":"object","required":["object","data"],"properties":{"object":{"const":"list"},
        "data":{"type":"array","items":{"type":"object","required":["id","object"],"properties":{
        "id":{"type":"string"},"object":{"const":"model"}}}}}})";

constexpr std::string_view kList =
    R"({"type":"object","required":["object","data","first_id","last_id","has_more"],"properties":{
        "object":{"const":"list"},"data":{"type":"array","items":{"type":"object"}},
        "first_id":{"type":["string","null"]},"last_id":{"type":["string","null"]},
        "has_more":{"type":"boolean"}}})";

constexpr std::string_view kDeleted =
    R"({"type":"object","required":["id","object","deleted"],"properties":{"id":{"type":"string"},
        "object":{"type":"string"},"deleted":{"const":true}}})";

constexpr std::string_view kCompletion =
    R"({"type":"object","required":["id","object","created","model","choices","usage"],
        "properties":{"id":{"type":"string"},"object":{"const":"text_completion"},
        "created":{"type":"integer"},"model":{"type":"string"},"choices":{"type":"array","minItems":1,
        "items":{"type":"object","required":["index","text","finish_reason"],"properties":{
        "index":{"type":"integer","minimum":0},"text":{"type":"string"},
        "logprobs":{"type":["object","null"]},"finish_reason":{"type":"string"}}}},
        "usage":{"type":"object","required":["prompt_tokens","completion_tokens","total_tokens"],
        "properties":{"prompt_tokens":{"type":"integer","minimum":0},
        "completion_tokens":{"type":"integer","minimum":0},
        "total_tokens":{"type":"integer","minimum":0}}}}})";

constexpr std::string_view kChat =
    R"({"type":"object","required":["id","object","created","model","choices","usage"],
        "properties":{"id":{"type":"string"},"object":{"const":"chat.completion"},
        "created":{"type":"integer"},"model":{"type":"string"},"choices":{"type":"array","minItems":1,
        "items":{"type":"object","required":["index","message","finish_reason"],"properties":{
        "index":{"type":"integer","minimum":0},"finish_reason":{"type":"string"},
        "logprobs":{"type":["object","null"]},"message":{"type":"object",
        "required":["role","content"],"properties":{"role":{"const":"assistant"},
        "content":{"type":["string","null"]},"reasoning_content":{"type":"string"},
        "tool_calls":{"type":"array","minItems":1,"items":{"type":"object",
        "required":["id","type","function"]}}}}}}},
        "usage":{"type":"object","required":["prompt_tokens","completion_tokens","total_tokens"]}}})";

constexpr std::string_view kEmbeddings =
    R"({"type":"object","required":["object","data","model","usage"],"properties":{
        "object":{"const":"list"},"model":{"type":"string"},"data":{"type":"array","minItems":1,
        "items":{"type":"object","required":["object","index","embedding"],"properties":{
        "object":{"const":"embedding"},"index":{"type":"integer","minimum":0},
        "embedding":{"anyOf":[{"type":"string"},{"type":"array","minItems":1,
        "items":{"type":"number"}}]}}}},
        "usage":{"type":"object","required":["prompt_tokens","total_tokens"]}}})";

constexpr std::string_view kResponse =
    R"({"type":"object","required":["id","object","created_at","status","model","output"],
        "properties":{"id":{"type":"string"},"object":{"const":"response"},
        "created_at":{"type":"integer"},"model":{"type":"string"},
        "status":{"enum":["completed","incomplete","failed","in_progress"]},
        "output":{"type":"array","items":{"type":"object","required":["id","type"]}},
        "usage":{"type":["object","null"]}}})";

constexpr std::string_view kFile =
    R"({"type":"object","required":["id","object","bytes","created_at","filename","purpose"],
        "properties":{"id":{"type":"string"},"object":{"const":"file"},
        "bytes":{"type":"integer","minimum":0},"created_at":{"type":"integer"},
        "filename":{"type":"string"},"purpose":{"type":"string"}}})";

constexpr std::string_view kBatch =
    R"({"type":"object","required":["id","object","endpoint","status","input_file_id"],
        "properties":{"id":{"type":"string"},"object":{"const":"batch"},
        "endpoint":{"type":"string"},"status":{"type":"string"},
        "input_file_id":{"type":"string"}}})";

constexpr std::string_view kMessage =
    R"({"type":"object","required":["id","type","role","content","model","stop_reason",
        "stop_sequence","usage"],"properties":{"id":{"type":"string"},"type":{"const":"message"},
        "role":{"const":"assistant"},"model":{"type":"string"},"content":{"type":"array",
        "items":{"type":"object","required":["type"],"properties":{
        "type":{"enum":["text","thinking","tool_use"]}}}},
        "stop_reason":{"enum":["end_turn","max_tokens","stop_sequence","tool_use"]},
        "stop_sequence":{"type":["string","null"]},"usage":{"type":"object",
        "required":["input_tokens","output_tokens"]}}})";

constexpr std::string_view kInputTokens =
    R"({"type":"object","required":["input_tokens"],"properties":{
        "input_tokens":{"type":"integer","minimum":0}}})";

constexpr std::string_view kTokens =
    R"({"type":"object","required":["count","max_model_len","tokens"],"properties":{
        "count":{"type":"integer","minimum":0},"max_model_len":{"type":"integer","minimum":1},
        "tokens":{"type":"array","items":{"anyOf":[{"type":"integer","minimum":0},
        {"type":"object","required":["id","piece"]}]}}}})";

constexpr std::string_view kText =
    R"({"type":"object","required":["prompt","content"],"properties":{
        "prompt":{"type":"string"},"content":{"type":"string"}}})";

constexpr std::string_view kRendered =
    R"({"type":"object","required":["prompt"],"properties":{"prompt":{"type":"string"}}})";

// An object, or of several prompts an array of such: `required` looks at objects alone.
constexpr std::string_view kNative =
    R"({"type":["object","array"],"items":{"type":"object","required":["index","content"]},
        "required":["index","content","stop","stop_type","tokens_predicted","tokens_evaluated",
        "timings"],"properties":{"index":{"type":"integer","minimum":0},
        "content":{"type":"string"},"stop":{"const":true},
        "stop_type":{"enum":["eos","limit","word"]}}})";

constexpr std::string_view kSlots =
    R"({"type":"array","items":{"type":"object","required":["id","n_ctx","is_processing"],
        "properties":{"id":{"type":"integer","minimum":0},"n_ctx":{"type":"integer","minimum":1},
        "is_processing":{"type":"boolean"}}}})";

constexpr std::string_view kRequest =
    R"({"type":"object","required":["id","object","endpoint","model","status","usage","times_ms"],
        "properties":{"object":{"const":"request"},
        "status":{"enum":["waiting","generating","ended"]},"usage":{"type":"object"},
        "times_ms":{"type":"object"}}})";

constexpr std::string_view kSuccess =
    R"({"type":"object","required":["success"],"properties":{"success":{"const":true}}})";

constexpr std::string_view kPaging = "after,limit,order";

constexpr std::array kAnswers = {
    AnswerRow{"GET", "/", {}, "text/html"},
    AnswerRow{"GET", "/page/{}", {}, "*/*"},
    AnswerRow{"GET", "/health", kStatusWord},
    AnswerRow{"GET", "/v1/health", kStatusWord},
    AnswerRow{"GET", "/ping", kObject},
    AnswerRow{"POST", "/ping", kObject},
    AnswerRow{"GET", "/version", kVersionObject},
    AnswerRow{"GET", "/openapi.json", kObject},
    AnswerRow{"GET", "/load", kLoadObject},
    AnswerRow{"GET", "/v1/models", kModels},
    AnswerRow{"GET", "/models", kModels},
    AnswerRow{"GET", "/v1/models/{}", kModel},
    AnswerRow{"POST", "/v1/completions", kCompletion, "application/json", Streams::kYes},
    AnswerRow{"POST", "/v1/chat/completions", kChat, "application/json", Streams::kYes},
    AnswerRow{"POST", "/v1/chat/completions/input_tokens", kInputTokens},
    AnswerRow{"POST", "/v1/embeddings", kEmbeddings},
    AnswerRow{"POST", "/v1/responses", kResponse, "application/json", Streams::kYes},
    AnswerRow{"POST", "/v1/responses/input_tokens", kInputTokens},
    AnswerRow{"GET", "/v1/responses/{}", kResponse},
    AnswerRow{"DELETE", "/v1/responses/{}", kDeleted},
    AnswerRow{"POST", "/v1/responses/{}/cancel", kResponse},
    AnswerRow{"GET", "/v1/responses/{}/input_items", kList, "application/json", Streams::kNo,
              kPaging},
    AnswerRow{"POST", "/v1/files", kFile},
    AnswerRow{"GET", "/v1/files", kList, "application/json", Streams::kNo,
              "after,limit,order,purpose"},
    AnswerRow{"GET", "/v1/files/{}", kFile},
    AnswerRow{"DELETE", "/v1/files/{}", kDeleted},
    AnswerRow{"GET", "/v1/files/{}/content", {}, "application/octet-stream"},
    AnswerRow{"POST", "/v1/batches", kBatch},
    AnswerRow{"GET", "/v1/batches", kList, "application/json", Streams::kNo, kPaging},
    AnswerRow{"GET", "/v1/batches/{}", kBatch},
    AnswerRow{"POST", "/v1/batches/{}/cancel", kBatch},
    AnswerRow{"POST", "/v1/messages", kMessage, "application/json", Streams::kYes},
    AnswerRow{"POST", "/v1/messages/count_tokens", kInputTokens},
    AnswerRow{"POST", "/tokenize", kTokens},
    AnswerRow{"POST", "/detokenize", kText},
    AnswerRow{"POST", "/apply-template", kRendered},
    AnswerRow{"POST", "/completion", kNative, "application/json", Streams::kYes},
    AnswerRow{"GET", "/props", kObject},
    AnswerRow{"GET", "/slots", kSlots, "application/json", Streams::kNo, "fail_on_no_slot"},
    AnswerRow{"GET", "/metrics", {}, "text/plain"},
    AnswerRow{"GET", "/v1/requests/{}", kRequest},
    AnswerRow{"POST", "/reset_prefix_cache", kObject},
    AnswerRow{"POST", "/models/load", kSuccess},
    AnswerRow{"POST", "/models/unload", kSuccess},
    AnswerRow{"GET", "/v1/stream", {}, "text/event-stream", Streams::kNo, "conv_id,from"},
    AnswerRow{"GET", "/v1/stream/{}", {}, "text/event-stream", Streams::kNo, "from"},
    AnswerRow{"DELETE", "/v1/stream/{}", kObject},
};

constexpr std::string_view kOpenAiError =
    R"({"type":"object","required":["error"],"properties":{"error":{"type":"object",
        "required":["message","type","param","code"],"properties":{"message":{"type":"string",
        "minLength":1},"type":{"type":"string"},"param":{"type":["string","null"]},
        "code":{"type":["string","null"]}}}}})";

constexpr std::string_view kAnthropicError =
    R"({"type":"object","required":["type","error"],"properties":{"type":{"const":"error"},
        "error":{"type":"object","required":["type","message"],"properties":{
        "type":{"type":"string"},"message":{"type":"string","minLength":1}}}}})";

constexpr std::string_view kLlamaError =
    R"({"type":"object","required":["error"],"properties":{"error":{"type":"object",
        "required":["code","message","type"],"properties":{"code":{"type":"integer"},
        "message":{"type":"string","minLength":1},"type":{"type":"string"}}}}})";

}  // namespace

std::span<const AnswerRow> answers() { return kAnswers; }

const AnswerRow* find_answer(std::string_view method, std::string_view path) {
  const auto* const row = std::ranges::find_if(kAnswers, [&](const AnswerRow& candidate) {
    return candidate.method == method && candidate.path == path;
  });
  return row == kAnswers.end() ? nullptr : row;
}

Json error_schema(Flavour flavour) {
  constexpr std::array kSchemas = {kOpenAiError, kAnthropicError, kLlamaError};
  return Json::parse(kSchemas[static_cast<std::size_t>(flavour)]);
}

}  // namespace cairn::server
