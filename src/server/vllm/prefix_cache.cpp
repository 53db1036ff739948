// POST /reset_prefix_cache.
#include "server/api/handling.h"

namespace cairn::server {

Reply reset_prefix_cache(const Api& api, Exchange& /*exchange*/) {
  api.model.runtime->forget();
  return json_response(Json::object());
}

}  // namespace cairn::server
