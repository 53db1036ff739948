// Addresses: what two have in common, and how a text stands in one.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace cairn::runtime {

/// Whether both have the same scheme, host and port: what a token may be sent to.
bool same_origin(const std::string& a, const std::string& b);

/// Errors: kInvalidArgument when `endpoint` is no http or https address with a host.
Status check_endpoint(const std::string& endpoint);

/// `text` with every byte as %XX but letters, digits, "-", "_", ".", "~" and those of `kept`.
std::string url_escape(std::string_view text, std::string_view kept = "/");

}  // namespace cairn::runtime
