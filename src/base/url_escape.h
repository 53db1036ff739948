// How a text stands in an address.
#pragma once

#include <string>
#include <string_view>

namespace cairn {

/// `text` with every byte as %XX but letters, digits, "-", "_", ".", "~" (RFC 3986, 2.3) and those
/// of `kept`.
std::string url_escape(std::string_view text, std::string_view kept = "/");

}  // namespace cairn
