// The way of a request to its model, where there are several.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/api/api.h"
#include "server/models/models.h"

namespace cairn::server {

/// Whether the endpoint's handler uses a model that is loaded.
bool uses_model(const EndpointRow& row);

/// Calls the row's handler with the model that the request names, once that is loaded and its turn
/// has come; the model stays as long as the reply lives. With one model that is always there: at
/// once. Errors are answers: 404 with the names there are, 500 for a model that cannot be loaded.
Reply with_model(const Api& api, const EndpointRow& row, Exchange& exchange);

/// Every model that may be asked for, loaded or not.
std::vector<ModelStatus> models_of(const Api& api);

/// The model that a request without a body names in its query; the one that answers, or the first,
/// where it names none. Nothing for a name that is unknown.
std::optional<ModelStatus> asked_status(const Api& api, const Request& request);

/// 404 with the names there are.
WireError unknown_model(const Api& api, const std::string& name);

}  // namespace cairn::server
