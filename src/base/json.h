// JSON values (nlohmann, keys in the order of the text) and the one way to parse them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/status.h"

namespace cairn {

using Json = nlohmann::ordered_json;

/// Parses one JSON text (RFC 8259); of keys that stand twice the last wins.
/// Errors: kInvalidArgument with the position, also for arrays and objects nested deeper than
/// `depth_max` (printing and destroying a value takes stack by depth).
Result<Json> parse_json(std::string_view text, int depth_max = 100);

/// The same, asking `keep` for each event which parts of the tree are kept: for large texts whose
/// parts become something else. `keep` must outlive the call and throws nothing.
Result<Json> parse_json(std::string_view text, int depth_max, const Json::parser_callback_t& keep);

/// `json` on one line; bytes that are not UTF-8 become U+FFFD.
std::string line_of(const Json& json);

}  // namespace cairn
