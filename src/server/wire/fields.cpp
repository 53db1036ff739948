#include "server/wire/fields.h"

#include <algorithm>
#include <array>

namespace cairn::server {
namespace {

std::vector<Field> joined() {
  std::vector<Field> all;
  for (const std::span<const Field> group :
       {input_fields(), anthropic_fields(), response_fields(), embedding_fields(), batch_fields(),
        token_fields(), output_fields(), sampling_fields(), refused_fields()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

constexpr std::array kEndpoints = {
    EndpointInfo{Endpoint::kCompletions, "/v1/completions", "completions", {"prompt"}},
    EndpointInfo{Endpoint::kChat, "/v1/chat/completions", "chat", {"messages"}},
    EndpointInfo{Endpoint::kMessages, "/v1/messages", "messages", {"messages", "max_tokens"}},
    EndpointInfo{Endpoint::kCountTokens, "/v1/messages/count_tokens", "count_tokens", {"messages"}},
    EndpointInfo{Endpoint::kNativeCompletion, "/completion", "completion", {"prompt"}},
    EndpointInfo{Endpoint::kTokenize, "/tokenize", "tokenize", {}},
    EndpointInfo{Endpoint::kDetokenize, "/detokenize", "detokenize", {"tokens"}},
    EndpointInfo{Endpoint::kApplyTemplate, "/apply-template", "apply-template", {"messages"}},
    EndpointInfo{Endpoint::kEmbeddings, "/v1/embeddings", "embeddings", {"input"}},
    EndpointInfo{Endpoint::kResponses, "/v1/responses", "responses", {"input"}},
    EndpointInfo{Endpoint::kBatches, "/v1/batches", "batches", {"input_file_id", "endpoint"}},
    EndpointInfo{Endpoint::kLoadModel, "/models/load", "load", {"model"}},
    EndpointInfo{Endpoint::kUnloadModel, "/models/unload", "unload", {"model"}},
};

}  // namespace

std::span<const EndpointInfo> field_endpoints() { return kEndpoints; }

const EndpointInfo& info(Endpoint endpoint) {
  return *std::ranges::find(kEndpoints, endpoint, &EndpointInfo::endpoint);
}

std::string_view path_of(Endpoint endpoint) { return info(endpoint).path; }

bool serves(const Field& field, Endpoint endpoint) {
  return (field.endpoints & static_cast<Endpoints>(endpoint)) != 0;
}

std::string_view name_of(Behaviour behaviour) {
  constexpr std::array<std::string_view, 3> kNames = {"honoured", "refused", "inert"};
  return kNames[static_cast<std::size_t>(behaviour)];
}

std::span<const Field> fields() {
  static const std::vector<Field> kFields = joined();
  return kFields;
}

const Field* find_field(Endpoint endpoint, std::string_view name) {
  for (const Field& field : fields()) {
    if (field.name == name && serves(field, endpoint)) return &field;
  }
  return nullptr;
}

std::vector<std::string> field_names(Endpoint endpoint) {
  std::vector<std::string> names;
  for (const Field& field : fields()) {
    if (serves(field, endpoint)) names.emplace_back(field.name);
  }
  return names;
}

}  // namespace cairn::server
