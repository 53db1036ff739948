// Where this process stands among Linux control groups, whose limits hold for all below them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// The path behind the line of a /proc/self/cgroup text that names `controller`; version 2 has one
/// line without names (""). "/" when there is no such line. Source: Linux kernel documentation,
/// admin-guide/cgroup-v2 and cgroup-v1.
std::string group_path(std::string_view groups, std::string_view controller);

/// The folders of the group at `path` and of those around it: `mount` first, then from the group
/// itself outwards.
std::vector<std::string> group_folders(const std::string& mount, std::string path);

}  // namespace cairn
