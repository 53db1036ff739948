// POST /v1/embeddings.
#include <fmt/format.h>
#include <openssl/evp.h>

#include <bit>
#include <iterator>
#include <utility>

#include "base/clock.h"
#include "server/api/generate.h"
#include "server/api/generating.h"
#include "server/api/handling.h"

namespace cairn::server {
namespace {

enum class Encoding : std::uint8_t { kFloat, kBase64 };

/// The shortest decimals that read back as the same floats.
std::string float_list(const std::vector<float>& vector) {
  std::string text = "[";
  for (const float each : vector) fmt::format_to(std::back_inserter(text), "{},", each);
  text.back() = ']';
  return text;
}

/// Little-endian floats (RFC 4648, 4).
std::string base64_text(const std::vector<float>& vector) {
  std::vector<unsigned char> bytes;
  bytes.reserve(vector.size() * sizeof(float));
  for (const float each : vector) {
    const auto bits = std::bit_cast<std::uint32_t>(each);
    for (const int shift : {0, 8, 16, 24}) {
      bytes.push_back(static_cast<unsigned char>(bits >> shift & 0xFFU));
    }
  }
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // with the NUL that OpenSSL writes
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(),
                  static_cast<int>(bytes.size()));
  text.pop_back();
  return '"' + text + '"';
}

/// One vector of the reply: written as soon as it is there, so that no poll works for long.
struct WrittenVector {
  std::unique_ptr<runtime::Embedding> embedding = {};
  std::string text = {};  // empty: not there yet
};

/// What a reply is made of.
struct EmbeddingReply {
  std::unique_ptr<Subscription> place = {};
  std::unique_ptr<WatchedRequest> watched = {};
  std::vector<WrittenVector> vectors = {};
  Encoding encoding = Encoding::kFloat;
  Json head = {};  // everything but data and usage
};

class PendingEmbeddings final : public PendingAnswer {
 public:
  explicit PendingEmbeddings(EmbeddingReply reply) : reply_(std::move(reply)) {}

  std::optional<Reply> poll() override {
    bool all = true;
    for (WrittenVector& each : reply_.vectors) {
      if (!each.text.empty()) continue;
      Result<std::optional<std::vector<float>>> vector = each.embedding->take();
      if (!vector.ok()) return error_response(Flavour::kOpenAi, failure(vector.status()));
      all = all && vector->has_value();
      if (*vector) finish(each, std::move(**vector));
    }
    if (!all) return std::nullopt;
    return whole();
  }

  Response end_early(EndReason /*reason*/) override {
    return error_response(Flavour::kOpenAi,
                          {.cause = Cause::kDraining, .message = "the server stops"});
  }

 private:
  static WireError failure(const Status& status) {
    return {.cause = cause_of(status.code()), .message = status.message()};
  }

  void finish(WrittenVector& vector, std::vector<float> numbers) {
    runtime::normalize(numbers);
    vector.text = reply_.encoding == Encoding::kBase64 ? base64_text(numbers) : float_list(numbers);
    RequestRecord& record = reply_.watched->record();
    record.prompt_tokens += vector.embedding->prompt_tokens();
    record.cached_tokens += vector.embedding->cached_tokens();
    reply_.watched->ended("stop");
  }

  Response whole() {
    const std::uint64_t tokens = reply_.watched->record().prompt_tokens;
    reply_.head["usage"] = {{"prompt_tokens", tokens}, {"total_tokens", tokens}};
    std::string body = line_of(reply_.head);
    body.pop_back();
    body += ",\"data\":[";
    for (std::size_t i = 0; i < reply_.vectors.size(); ++i) {
      body += fmt::format("{}{{\"object\":\"embedding\",\"index\":{},\"embedding\":{}}}",
                          i == 0 ? "" : ",", i, reply_.vectors[i].text);
    }
    body += "]}";
    Response response;
    response.body = std::move(body);
    return response;
  }

  EmbeddingReply reply_;
};

/// What an error about a prompt is about here.
WireError about_input(WireError error) {
  if (error.param == "prompt") error.param = "input";
  return error;
}

std::optional<WireError> check_inputs(const Api& api, const GenerationRequest& request) {
  const std::size_t width = api.model.runtime->facts().width;
  if (request.dimensions && static_cast<std::uint64_t>(*request.dimensions) != width) {
    return WireError{
        .cause = Cause::kBadRequest,
        .message = fmt::format("dimensions: {} was found; the model's vectors have {}, "
                               "and its file does not say that they may be cut",
                               *request.dimensions, width),
        .param = "dimensions"};
  }
  for (std::size_t i = 0; i < request.prompts.size(); ++i) {
    const auto* const text = std::get_if<std::string>(&request.prompts[i]);
    if (text == nullptr || !text->empty()) continue;
    const std::string param = request.prompt_is_list ? fmt::format("input[{}]", i) : "input";
    return WireError{.cause = Cause::kBadRequest,
                     .message = param + ": an empty text was found; at least one byte is expected",
                     .param = param};
  }
  return check_length(api, request);
}

/// Submits every input. Errors name the input.
std::optional<WireError> submit_inputs(const Api& api, const GenerationRequest& request,
                                       std::vector<WrittenVector>& vectors) {
  for (runtime::Prompt& prompt : prompts_of(request)) {
    if (auto* const text = std::get_if<runtime::TextPrompt>(&prompt)) {
      text->markers = runtime::MarkersInText::kText;
    }
    auto embedding =
        api.model.runtime->embed({.prompt = std::move(prompt),
                                  .pooling = api.pooling,
                                  .priority = static_cast<double>(request.priority.value_or(0)),
                                  .cache_salt = request.cache_salt.value_or("")});
    if (!embedding.ok()) {
      WireError error = about_input(wire_error(request, embedding.status()));
      if (error.param == "input" && request.prompt_is_list) {
        error.param = fmt::format("input[{}]", vectors.size());
      }
      return error;
    }
    vectors.push_back({.embedding = std::move(*embedding)});
  }
  return std::nullopt;
}

}  // namespace

Reply post_embeddings(const Api& api, Exchange& exchange) {
  const auto refuse = [](const WireError& error) {
    return error_response(Flavour::kOpenAi, about_input(error));
  };
  ParsedRequest parsed = parse_body(api, Endpoint::kEmbeddings, exchange);
  if (parsed.error) return refuse(*parsed.error);
  const GenerationRequest& request = parsed.request;
  if (const auto error = check_inputs(api, request)) return refuse(*error);
  EmbeddingReply reply{.place = std::make_unique<Subscription>(*api.newsroom, exchange.waker)};
  if (const auto error = submit_inputs(api, request, reply.vectors)) return refuse(*error);
  reply.watched = std::make_unique<WatchedRequest>(
      api.watch, RequestRecord{.id = exchange.request.id,
                               .endpoint = std::string(path_of(Endpoint::kEmbeddings)),
                               .model = api.model.name,
                               .arrived_ns = exchange.request.arrived_ns,
                               .submitted_ns = steady_ns(),
                               .answers = reply.vectors.size()});
  if (request.encoding_format == "base64") reply.encoding = Encoding::kBase64;
  reply.head = {{"id", "embd-" + exchange.request.id},
                {"object", "list"},
                {"created", utc_s()},
                {"model", api.model.name}};
  if (!parsed.ignored_fields.empty()) reply.head["ignored_fields"] = parsed.ignored_fields;
  return std::make_unique<PendingEmbeddings>(std::move(reply));
}

}  // namespace cairn::server
