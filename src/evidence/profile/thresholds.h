// The rows of chapter 9, 17.4 and 17.5: the first whose condition holds names the class.
#pragma once

#include <string>
#include <string_view>

#include "evidence/profile/profile.h"

namespace cairn::evidence {

/// What a row decided.
struct Bottleneck {
  std::string_view id;
  std::string_view bottleneck;
  std::string_view confidence;
  std::string_view pinned_lever;  // the route of the pinned envelopes; empty for new backends
  std::string evidence;           // "[K-02] command_buffers 40 >= 32"
};

/// The first row of the profile's backend that holds. The profile is valid.
Bottleneck find_bottleneck(const Profile& profile, Rules rules = {});

}  // namespace cairn::evidence
