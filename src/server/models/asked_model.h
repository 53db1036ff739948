// Which model a request asks for, before its body is read for good.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cairn::server {

/// The text of the key "model" in an object of JSON, without keeping anything else of it; nothing
/// where there is none, and for what is no JSON: whoever reads the whole says what is wrong.
std::optional<std::string> asked_model(std::string_view body);

}  // namespace cairn::server
