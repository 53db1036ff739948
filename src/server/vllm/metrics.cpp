// GET /metrics.
#include "server/api/handling.h"
#include "server/api/watch.h"
#include "server/models/with_model.h"

namespace cairn::server {

Reply get_metrics(const Api& api, Exchange& /*exchange*/) {
  std::vector<ModelActivity> models;
  for (const ModelStatus& model : models_of(api)) {
    models.push_back({.model = model.name});
    if (model.loaded != nullptr) models.back().activity = model.loaded->served.runtime->activity();
  }
  Response response;
  response.content_type = kMetricsType;
  response.body = api.watch->metrics().text(models);
  return response;
}

}  // namespace cairn::server
