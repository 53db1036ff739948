// The name of a request in logs and answers.
#pragma once

#include <string>

#include "server/http/message.h"

namespace cairn::server {

/// The client's X-Request-Id where it is 1 to 128 letters, digits, "-", "_", "." or ":", else 32
/// random hexadecimal digits.
std::string request_id(const Request& request);

}  // namespace cairn::server
