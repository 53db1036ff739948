// The reference page of the HTTP layer.
#pragma once

#include <string>

namespace cairn::server {

/// The page docs/reference/http.md: the limits and the table of errors, made from their
/// declarations.
std::string http_page();

}  // namespace cairn::server
