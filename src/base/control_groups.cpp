#include "base/control_groups.h"

#include <fmt/core.h>

#include <algorithm>

namespace cairn {

std::string group_path(std::string_view groups, std::string_view controller) {
  while (!groups.empty()) {
    const std::size_t end = std::min(groups.find('\n'), groups.size());
    const std::string_view line = groups.substr(0, end);
    groups.remove_prefix(std::min(end + 1, groups.size()));
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string names = fmt::format(",{},", line.substr(first + 1, second - first - 1));
    if (names.find(fmt::format(",{},", controller)) == names.npos) continue;
    return std::string(line.substr(second + 1));
  }
  return "/";
}

std::vector<std::string> group_folders(const std::string& mount, std::string path) {
  std::vector<std::string> folders = {mount};
  while (path.size() > 1) {
    folders.push_back(mount + path);
    const std::size_t slash = path.rfind('/');
    path.resize(slash == std::string::npos ? 0 : slash);
  }
  return folders;
}

}  // namespace cairn
