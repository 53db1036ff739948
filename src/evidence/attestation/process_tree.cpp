#include "evidence/attestation/process_tree.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/utf8.h"

namespace cairn::evidence::attestation {
namespace {

using Identity = std::pair<std::int64_t, std::uint64_t>;  // pid, start identity

Identity identity_of(const host::ProcessEntry& entry) { return {entry.pid, entry.start_identity}; }

/// What the series says about one identity.
struct Track {
  bool in_tree = false;
  bool cpu_missing = false;  // in some sample
  bool cpu_fell = false;
  std::size_t cpu_readings = 0;
  std::int64_t cpu_first_ns = 0;
  std::int64_t cpu_last_ns = 0;
  bool rss_seen = false;
  std::int64_t rss_peak_bytes = 0;
  std::string image = {};  // as last seen

  void add(const host::ProcessEntry& entry) {
    image = entry.image;
    if (entry.rss_available) {
      rss_seen = true;
      rss_peak_bytes = std::max(rss_peak_bytes, entry.rss_bytes);
    }
    if (!entry.cpu_available) {
      cpu_missing = true;
      return;
    }
    if (cpu_readings == 0) cpu_first_ns = entry.cpu_ns;
    if (cpu_readings > 0 && entry.cpu_ns < cpu_last_ns) cpu_fell = true;
    cpu_last_ns = entry.cpu_ns;
    ++cpu_readings;
  }

  /// Last minus first reading; absent below two readings or when they fell.
  std::optional<std::int64_t> cpu_delta_ns() const {
    std::int64_t delta = 0;
    if (cpu_readings < 2 || cpu_fell) return std::nullopt;
    if (__builtin_sub_overflow(cpu_last_ns, cpu_first_ns, &delta)) return std::nullopt;
    return delta;
  }
};

using Tracks = std::map<Identity, Track>;

/// The pids of one sample under `root`, itself included.
std::set<std::int64_t> tree_pids(const host::Snapshot& sample, std::int64_t root) {
  std::multimap<std::int64_t, std::int64_t> children;
  for (const host::ProcessEntry& entry : sample.processes) {
    children.emplace(entry.parent_pid, entry.pid);
  }
  std::set<std::int64_t> pids = {root};
  std::vector<std::int64_t> open = {root};
  while (!open.empty()) {
    const auto [begin, end] = children.equal_range(open.back());
    open.pop_back();
    for (auto child = begin; child != end; ++child) {
      if (pids.insert(child->second).second) open.push_back(child->second);
    }
  }
  return pids;
}

Tracks track(const Series& series, std::int64_t root_pid) {
  Tracks tracks;
  for (const host::Snapshot* sample : series) {
    const std::set<std::int64_t> tree =
        root_pid > 0 ? tree_pids(*sample, root_pid) : std::set<std::int64_t>{};
    for (const host::ProcessEntry& entry : sample->processes) {
      Track& each = tracks[identity_of(entry)];
      each.add(entry);
      if (tree.contains(entry.pid)) each.in_tree = true;
    }
  }
  return tracks;
}

/// A sum, or why there is none.
struct Sum {
  std::optional<std::int64_t> value = {};
  std::string_view reason = {};
};

/// The processor time of the tree.
Sum tree_cpu_ns(const Tracks& tracks) {
  std::int64_t sum = 0;
  for (const auto& [identity, each] : tracks) {
    if (!each.in_tree) continue;
    if (each.cpu_missing) return {.reason = "a process of the tree has no cpu time"};
    if (identity.second == 0) return {.reason = "a process of the tree has no start identity"};
    const std::optional<std::int64_t> delta = each.cpu_delta_ns();
    if (!delta || __builtin_add_overflow(sum, *delta, &sum)) {
      return {.reason = "a process of the tree has no two rising cpu readings"};
    }
  }
  return {.value = sum};
}

/// The same, but only where the tree was seen completely.
Sum attributed_cpu_ns(const Series& series, const Tracks& tracks, std::int64_t root_pid) {
  for (const host::Snapshot* sample : series) {
    if (!sample->enumerated) return {.reason = "a sample has no list of processes"};
    if (sample->incomplete) return {.reason = "a sample may lack a process"};
  }
  const auto roots = std::ranges::count_if(
      tracks, [&](const Tracks::value_type& each) { return each.first.first == root_pid; });
  if (root_pid <= 0 || roots == 0) return {.reason = "the root process was not seen"};
  if (roots > 1) return {.reason = "the root pid was used by two processes"};
  return tree_cpu_ns(tracks);
}

/// The highest sum of each side over the samples; absent when any reading is missing.
struct RssPeaks {
  std::int64_t tree = 0;
  std::int64_t rest = 0;
};

std::optional<RssPeaks> rss_peaks(const Series& series, const Tracks& tracks) {
  RssPeaks peaks;
  for (const host::Snapshot* sample : series) {
    if (!sample->enumerated || sample->unreadable != 0) return std::nullopt;
    RssPeaks sums;
    for (const host::ProcessEntry& entry : sample->processes) {
      std::int64_t& side = tracks.at(identity_of(entry)).in_tree ? sums.tree : sums.rest;
      if (!entry.rss_available || __builtin_add_overflow(side, entry.rss_bytes, &side)) {
        return std::nullopt;
      }
    }
    peaks.tree = std::max(peaks.tree, sums.tree);
    peaks.rest = std::max(peaks.rest, sums.rest);
  }
  return peaks;
}

void fold_cpu(Attribution& attribution, const Sum& tree, const std::optional<HostDelta>& host) {
  std::string_view reason = tree.reason;
  if (tree.value && !host) reason = "host cpu counters unusable at an end of the window";
  if (tree.value && host && *tree.value > host->busy_ns) {
    reason = "the tree used more cpu time than the host was busy";
  }
  if (!reason.empty()) {
    attribution.sut_cpu_percent_of_host = unknown("percent", reason);
    attribution.non_sut_cpu_percent_of_host = unknown("percent", reason);
    return;
  }
  attribution.sut_cpu_percent_of_host =
      measured(percent_of(*tree.value, host->total_ns), "percent", "root and descendant cpu delta");
  attribution.non_sut_cpu_percent_of_host =
      measured(percent_of(host->busy_ns - *tree.value, host->total_ns), "percent",
               "host busy minus sut tree");
}

Consumer consumer_of(const Identity& identity, const Track& each) {
  const std::optional<std::int64_t> cpu = each.cpu_delta_ns();
  return {.image = base_name(replace_invalid_utf8(each.image)),
          .pid = identity.first,
          .cpu_seconds = static_cast<double>(cpu.value_or(0)) / 1e9,
          .rss_bytes = static_cast<std::uint64_t>(each.rss_peak_bytes),
          .cpu_available = cpu.has_value(),
          .rss_available = each.rss_seen};
}

}  // namespace

Attribution fold_attribution(const Series& series, std::int64_t root_pid) {
  const Tracks tracks = track(series, root_pid);
  Attribution attribution;
  fold_cpu(attribution, attributed_cpu_ns(series, tracks, root_pid), host_delta(series));
  if (const std::optional<RssPeaks> peaks = rss_peaks(series, tracks)) {
    attribution.sut_rss_bytes =
        measured(static_cast<double>(peaks->tree), "bytes", "peak sampled sut rss");
    attribution.non_sut_rss_bytes =
        measured(static_cast<double>(peaks->rest), "bytes", "peak sampled non-sut rss");
  } else {
    constexpr std::string_view kReason = "a process has no resident size in some sample";
    attribution.sut_rss_bytes = unknown("bytes", kReason);
    attribution.non_sut_rss_bytes = unknown("bytes", kReason);
  }
  return attribution;
}

std::vector<Consumer> top_consumers(const Series& series, std::int64_t root_pid) {
  std::vector<Consumer> consumers;
  for (const auto& [identity, each] : track(series, root_pid)) {
    // A-09 wants a positive pid; 0 is no process but the idle entry of some systems.
    if (!each.in_tree && identity.first > 0) consumers.push_back(consumer_of(identity, each));
  }
  std::ranges::stable_sort(consumers, [](const Consumer& a, const Consumer& b) {
    return std::tie(b.cpu_seconds, b.rss_bytes, a.pid) <
           std::tie(a.cpu_seconds, a.rss_bytes, b.pid);
  });
  if (consumers.size() > kConsumersMax) consumers.resize(kConsumersMax);
  return consumers;
}

}  // namespace cairn::evidence::attestation
