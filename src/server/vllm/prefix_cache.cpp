// POST /reset_prefix_cache.
#include "server/api/handling.h"
#include "server/models/with_model.h"

namespace cairn::server {

Reply reset_prefix_cache(const Api& api, Exchange& /*exchange*/) {
  for (const ModelStatus& model : models_of(api)) {
    if (model.loaded != nullptr) model.loaded->served.runtime->forget();
  }
  return json_response(Json::object());
}

}  // namespace cairn::server
