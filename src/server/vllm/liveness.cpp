// Whether the server lives, what it is, and how busy it is: /health, /ping, /version, /load and
// /openapi.json.
#include "server/api/handling.h"

namespace cairn::server {

Reply get_health(const Api& /*api*/, Exchange& /*exchange*/) {
  return json_response({{"status", "ok"}});
}

Reply get_ping(const Api& /*api*/, Exchange& /*exchange*/) { return json_response(Json::object()); }

Reply get_version(const Api& /*api*/, Exchange& /*exchange*/) {
  return json_response({{"version", CAIRN_VERSION}});
}

Reply get_load(const Api& api, Exchange& /*exchange*/) {
  const runtime::Activity activity = api.model.runtime->activity();
  return json_response({{"server_load", activity.running + activity.waiting},
                        {"running", activity.running},
                        {"waiting", activity.waiting}});
}

Reply get_openapi(const Api& /*api*/, Exchange& /*exchange*/) {
  return json_response(openapi_document(path_rows()));
}

}  // namespace cairn::server
