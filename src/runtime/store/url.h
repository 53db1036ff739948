// Addresses: what is one, and what two have in common.
#pragma once

#include <string>

#include "base/status.h"

namespace cairn::runtime {

/// Whether both have the same scheme, host and port: what a token may be sent to.
bool same_origin(const std::string& a, const std::string& b);

/// Errors: kInvalidArgument when `endpoint` is no http or https address with a host.
Status check_endpoint(const std::string& endpoint);

}  // namespace cairn::runtime
