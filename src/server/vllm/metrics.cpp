// GET /metrics.
#include "server/api/handling.h"
#include "server/api/watch.h"

namespace cairn::server {

Reply get_metrics(const Api& api, Exchange& /*exchange*/) {
  Response response;
  response.content_type = kMetricsType;
  response.body = api.watch->metrics().text(api.model.runtime->activity());
  return response;
}

}  // namespace cairn::server
