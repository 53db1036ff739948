// Times as documents write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cairn::evidence {

/// A text whose byte order is the order of times, of an RFC 3339 time in UTC with up to nine
/// fraction digits; nothing for any other text ("2026-02-30T…" included).
std::optional<std::string> utc_key(std::string_view text);

/// "2026-11-30" of such a time.
std::string_view utc_date(std::string_view text);

}  // namespace cairn::evidence
