// GET /v1/models and /v1/models/{name}.
#include <algorithm>

#include "server/api/handling.h"
#include "server/models/with_model.h"

namespace cairn::server {
namespace {

/// What is known of a model that is not loaded is its name; how it stands is told as llama.cpp's
/// router tells it.
Json model_object(const Api& api, const ModelStatus& model) {
  Json object = {{"id", model.name},
                 {"object", "model"},
                 {"created", api.models == nullptr ? api.model.created_s : api.models->created_s()},
                 {"owned_by", "cairn"},
                 {"root", model.name},
                 {"parent", nullptr},
                 {"status", {{"value", name_of(model.state)}}}};
  if (model.loaded == nullptr) return object;
  const runtime::ModelFacts& facts = model.loaded->served.runtime->facts();
  object["max_model_len"] = facts.context;
  object["meta"] = {{"architecture", facts.architecture},
                    {"vocabulary", facts.vocabulary},
                    {"context_trained", facts.context_trained},
                    {"isa", facts.isa},
                    {"numerics", facts.numerics}};
  return object;
}

}  // namespace

Reply list_models(const Api& api, Exchange& /*exchange*/) {
  Json data = Json::array();
  for (const ModelStatus& model : models_of(api)) data.push_back(model_object(api, model));
  return json_response({{"object", "list"}, {"data", std::move(data)}});
}

Reply get_model(const Api& api, Exchange& exchange) {
  const std::string& name = exchange.path_values.front();
  const std::vector<ModelStatus> models = models_of(api);
  const auto found = std::ranges::find(models, name, &ModelStatus::name);
  if (found == models.end()) return error_response(Flavour::kOpenAi, unknown_model(api, name));
  return json_response(model_object(api, *found));
}

}  // namespace cairn::server
