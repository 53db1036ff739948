// The closed sets of 17.3: engine names, backends, and the platforms of each backend.
#pragma once

#include <string_view>

namespace cairn::evidence {

/// Z-03: ^[a-z0-9][a-z0-9._-]{0,63}$
bool is_engine_name(std::string_view name);

/// G-22: the two pairs of v2, and of the pinned envelopes in v3.
bool is_pinned_pair(std::string_view backend, std::string_view platform);

/// Z-04 and Z-05: a backend of the registry with one of its platforms.
bool is_registered_pair(std::string_view backend, std::string_view platform);

}  // namespace cairn::evidence
