#include "base/processors.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

#include "base/control_groups.h"
#include "base/file.h"

namespace cairn {
namespace {

constexpr std::uint64_t kProcessorFileBytesMax = 1 << 20;
constexpr std::size_t kProcessorsMax = 1 << 16;

std::string text_of(const std::string& path) {
  Result<std::string> text = read_file(path, kProcessorFileBytesMax);
  return text.ok() ? std::move(*text) : std::string();
}

/// A number at the beginning; what stands before and after it is cut off.
std::optional<std::int64_t> take_number(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::optional<std::int64_t> number_in(const std::string& path) {
  const std::string text = text_of(path);
  std::string_view rest = text;
  return take_number(rest);
}

/// "0-3,8" as numbers; what is not of this form ends the list.
std::set<std::size_t> processor_list(std::string_view text) {
  std::set<std::size_t> numbers;
  for (;;) {
    const auto first = take_number(text);
    if (!first || *first < 0) return numbers;
    std::int64_t last = *first;
    if (text.starts_with('-')) {
      text.remove_prefix(1);
      last = take_number(text).value_or(*first);
    }
    last = std::min(last, static_cast<std::int64_t>(kProcessorsMax));
    for (std::int64_t n = *first; n <= last; ++n) numbers.insert(static_cast<std::size_t>(n));
    if (!text.starts_with(',')) return numbers;
    text.remove_prefix(1);
  }
}

std::string processor_file(const std::string& root, std::size_t processor, std::string_view name) {
  return fmt::format("{}/sys/devices/system/cpu/cpu{}/{}", root, processor, name);
}

/// Processors of the fastest kind: Intel's performance cores, or those of the largest capacity.
std::vector<std::size_t> fast_ones(const std::string& root, std::span<const std::size_t> allowed) {
  std::vector<std::size_t> fast;
  const std::set<std::size_t> performance =
      processor_list(text_of(root + "/sys/devices/cpu_core/cpus"));
  std::int64_t largest = 0;
  std::vector<std::int64_t> capacities;
  for (const std::size_t processor : allowed) {
    capacities.push_back(number_in(processor_file(root, processor, "cpu_capacity")).value_or(0));
    largest = std::max(largest, capacities.back());
  }
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    // Cores of one kind differ by a few per cent; of two kinds by a factor.
    const bool capable = capacities[i] * 4 >= largest * 3;
    const bool performs = performance.empty() || performance.contains(allowed[i]);
    if (capable && performs) fast.push_back(allowed[i]);
  }
  if (fast.empty()) fast.assign(allowed.begin(), allowed.end());
  return fast;
}

/// Physical cores: threads of one core name the same list of siblings.
std::size_t cores_of(const std::string& root, std::span<const std::size_t> processors) {
  std::set<std::string> cores;
  for (const std::size_t processor : processors) {
    std::string siblings =
        text_of(processor_file(root, processor, "topology/thread_siblings_list"));
    cores.insert(siblings.empty() ? fmt::format("{}", processor) : std::move(siblings));
  }
  return cores.size();
}

using Nodes = std::map<std::size_t, std::vector<std::size_t>>;

/// The processors of each memory node that has some of them. A machine without nodes has one.
Nodes nodes_of(const std::string& root, std::span<const std::size_t> processors) {
  Nodes nodes;
  for (const std::size_t node : processor_list(text_of(root + "/sys/devices/system/node/online"))) {
    const std::set<std::size_t> here = processor_list(
        text_of(fmt::format("{}/sys/devices/system/node/node{}/cpulist", root, node)));
    for (const std::size_t processor : processors) {
      if (here.contains(processor)) nodes[node].push_back(processor);
    }
  }
  if (nodes.empty()) nodes[0].assign(processors.begin(), processors.end());
  return nodes;
}

/// The node asked for, or the first of those with the most cores.
Result<std::size_t> choose_node(const std::string& root, const Nodes& nodes,
                                std::optional<std::uint64_t> asked) {
  if (asked && !nodes.contains(*asked)) {
    std::vector<std::size_t> numbers;
    for (const auto& [number, processors] : nodes) numbers.push_back(number);
    return invalid_argument(
        fmt::format("node: {} has no processor for this process; nodes with some: {}", *asked,
                    fmt::join(numbers, ", ")));
  }
  if (asked) return static_cast<std::size_t>(*asked);
  std::size_t best = nodes.begin()->first;
  for (const auto& [number, processors] : nodes) {
    if (cores_of(root, processors) > cores_of(root, nodes.at(best))) best = number;
  }
  return best;
}

/// Processors' worth of time that a group's files allow; nothing where there is no limit.
std::optional<double> quota_in(const std::string& folder) {
  const std::string both = text_of(folder + "/cpu.max");
  std::string_view text = both;
  std::optional<std::int64_t> quota = take_number(text);
  std::optional<std::int64_t> period = take_number(text);
  if (both.empty()) {
    quota = number_in(folder + "/cpu.cfs_quota_us");
    period = number_in(folder + "/cpu.cfs_period_us");
  }
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

void take_smallest(std::optional<double>& smallest, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const std::optional<double> here = quota_in(folder);
    if (here && (!smallest || *here < *smallest)) smallest = here;
  }
}

/// The smallest quota of this process's group and those around it.
std::optional<double> quota_of(const std::string& root) {
  const std::string groups = text_of(root + "/proc/self/cgroup");
  const std::string mount = root + "/sys/fs/cgroup";
  std::optional<double> smallest;
  take_smallest(smallest, group_folders(mount, group_path(groups, "")));
  const std::string old = group_path(groups, "cpu");
  for (const char* name : {"/cpu", "/cpu,cpuacct"}) {
    take_smallest(smallest, group_folders(mount + name, old));
  }
  return smallest;
}

}  // namespace

std::vector<std::size_t> allowed_processors() {
  std::vector<std::size_t> allowed;
#if defined(__linux__)
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) {
    for (std::size_t n = 0; n < CPU_SETSIZE; ++n) {
      if (CPU_ISSET(n, &mask)) allowed.push_back(n);
    }
  }
#endif
  const std::size_t all = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  for (std::size_t n = 0; allowed.empty() && n < all; ++n) allowed.push_back(n);
  return allowed;
}

Result<ThreadChoice> choose_threads(const std::string& root, std::span<const std::size_t> allowed,
                                    std::optional<std::uint64_t> node) {
  const std::vector<std::size_t> fast = fast_ones(root, allowed);
  const Nodes nodes = nodes_of(root, fast);
  CAIRN_ASSIGN(const std::size_t chosen, choose_node(root, nodes, node));
  const std::vector<std::size_t>& here = nodes.at(chosen);
  const std::size_t cores = std::max<std::size_t>(1, cores_of(root, here));
  ThreadChoice choice = {cores,
                         fmt::format("{} core{}{}{}", cores, cores == 1 ? "" : "s",
                                     fast.size() < allowed.size() ? " of the fast kind" : "",
                                     nodes.size() > 1 ? fmt::format(" of node {}", chosen) : "")};
  if (here.size() < allowed.size()) choice.processors = here;
  const std::optional<double> quota = quota_of(root);
  if (quota && *quota < static_cast<double>(cores)) {
    choice.threads = std::max<std::size_t>(1, static_cast<std::size_t>(*quota));
    choice.reason = fmt::format("a quota of {:g} processors", *quota);
  }
  return choice;
}

Result<ThreadChoice> choose_threads(std::optional<std::uint64_t> node) {
  return choose_threads("", allowed_processors(), node);
}

ThreadChoice choose_threads() {
  return choose_threads(std::nullopt).value();  // only a node that is asked for can be wrong
}

namespace {

bool stay_on(std::span<const std::size_t> processors) {
#if defined(__linux__)
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const std::size_t n : processors) {
    if (n < CPU_SETSIZE) CPU_SET(n, &mask);
  }
  return sched_setaffinity(0, sizeof mask, &mask) == 0;
#else
  return processors.empty();
#endif
}

}  // namespace

StayOn::StayOn(std::span<const std::size_t> processors) {
  if (processors.empty()) return;
  before_ = allowed_processors();
  if (!stay_on(processors)) before_.clear();
}

StayOn::~StayOn() {
  if (!before_.empty()) stay_on(before_);
}

}  // namespace cairn
