// Whether the server lives, what it is, and how busy it is: /health, /ping, /version, /load and
// /openapi.json.
#include "server/api/handling.h"
#include "server/models/with_model.h"

namespace cairn::server {

Reply get_health(const Api& /*api*/, Exchange& /*exchange*/) {
  return json_response({{"status", "ok"}});
}

Reply get_ping(const Api& /*api*/, Exchange& /*exchange*/) { return json_response(Json::object()); }

Reply get_version(const Api& /*api*/, Exchange& /*exchange*/) {
  return json_response({{"version", CAIRN_VERSION}});
}

Reply get_load(const Api& api, Exchange& /*exchange*/) {
  std::size_t running = 0;
  std::size_t waiting = 0;
  for (const ModelStatus& model : models_of(api)) {
    if (model.loaded == nullptr) continue;
    const runtime::Activity activity = model.loaded->served.runtime->activity();
    running += activity.running;
    waiting += activity.waiting;
  }
  return json_response(
      {{"server_load", running + waiting}, {"running", running}, {"waiting", waiting}});
}

Reply get_openapi(const Api& /*api*/, Exchange& /*exchange*/) {
  return json_response(openapi_document(path_rows()));
}

}  // namespace cairn::server
