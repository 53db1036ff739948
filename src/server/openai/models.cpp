// GET /v1/models and /v1/models/{name}.
#include "server/api/handling.h"

namespace cairn::server {
namespace {

Json model_object(const ServedModel& model) {
  const runtime::ModelFacts& facts = model.runtime->facts();
  return {{"id", model.name},
          {"object", "model"},
          {"created", model.created_s},
          {"owned_by", "cairn"},
          {"root", model.name},
          {"parent", nullptr},
          {"max_model_len", facts.context},
          {"meta",
           {{"architecture", facts.architecture},
            {"vocabulary", facts.vocabulary},
            {"context_trained", facts.context_trained},
            {"isa", facts.isa},
            {"numerics", facts.numerics}}}};
}

}  // namespace

Reply list_models(const Api& api, Exchange& /*exchange*/) {
  return json_response({{"object", "list"}, {"data", Json::array({model_object(api.model)})}});
}

Reply get_model(const Api& api, Exchange& exchange) {
  const auto error = check_model(api.model, exchange.path_values.front());
  if (error) return error_response(Flavour::kOpenAi, *error);
  return json_response(model_object(api.model));
}

}  // namespace cairn::server
