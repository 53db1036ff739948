// Store::pull: what a repository offers, which of it is wanted, and getting that here.
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "base/file.h"
#include "runtime/store/download.h"
#include "runtime/store/gguf_group.h"
#include "runtime/store/http.h"
#include "runtime/store/hub.h"
#include "runtime/store/layout.h"
#include "runtime/store/model_name.h"
#include "runtime/store/store.h"

namespace cairn::runtime {
namespace {

namespace fs = std::filesystem;

/// A pull whose names are checked.
struct Plan {
  ModelName name = {};
  std::string revision = {};
  std::string commit = {};
  std::vector<HubFile> files = {};
};

bool has_ending(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return path.ends_with(ending); });
}

/// The files of a repository without GGUF files that loading it can need.
std::vector<HubFile> tensor_files(const std::vector<HubFile>& files) {
  std::vector<HubFile> wanted;
  bool tensors = false;
  for (const HubFile& file : files) {
    tensors = tensors || file.path.ends_with(".safetensors");
    if (has_ending(file.path, {".safetensors", ".json", ".model", ".jinja", "merges.txt"})) {
      wanted.push_back(file);
    }
  }
  return tensors ? wanted : std::vector<HubFile>();
}

/// Which files of the listing the request means.
Result<std::vector<HubFile>> choose_files(const std::vector<HubFile>& files,
                                          const ModelName& name) {
  std::vector<NamedFile> named;
  std::map<std::string, const HubFile*> by_path;
  for (const HubFile& file : files) {
    named.push_back({.path = file.path, .bytes = file.bytes});
    by_path[file.path] = &file;
  }
  const std::vector<GgufGroup> groups = group_gguf_files(named);
  if (groups.empty()) {
    std::vector<HubFile> wanted = tensor_files(files);
    if (wanted.empty()) {
      return not_found(fmt::format("{}: found {} files, none of them .gguf or .safetensors",
                                   name.id(), files.size()));
    }
    if (name.tag.empty()) return wanted;
    return not_found(
        fmt::format("{}: has no GGUF files that \"{}\" could mean", name.id(), name.tag));
  }
  CAIRN_ASSIGN(const std::size_t at, select_group(groups, name.tag, name.id()));
  if (const auto missing = groups[at].missing(); !missing.empty()) {
    return invalid_file(fmt::format("{}: the repository lacks part {} of {} of {}", name.id(),
                                    missing[0], groups[at].parts, groups[at].stem));
  }
  std::vector<HubFile> wanted;
  for (const NamedFile& file : groups[at].files) wanted.push_back(*by_path[file.path]);
  return wanted;
}

Status make_folders(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return io_error(path + ": cannot make the folder: " + error.message());
  return {};
}

/// The report of a snapshot in `root` that holds every wanted file, or nothing.
std::optional<PullReport> report_if_whole(const std::string& root, const Plan& plan) {
  PullReport report = {
      .repository = plan.name.id(), .revision = plan.revision, .commit = plan.commit};
  const std::string folder = root + "/" + plan.name.folder() + "/snapshots/" + plan.commit;
  for (const HubFile& file : plan.files) {
    std::error_code error;
    const std::string path = folder + "/" + file.path;
    if (fs::file_size(path, error) != file.bytes || error) return std::nullopt;
    report.files.push_back({.name = file.path, .path = path, .bytes = file.bytes});
  }
  const bool gguf = !parse_gguf_name(plan.files[0].path).stem.empty();
  report.path = gguf ? report.files[0].path : folder;
  return report;
}

/// Sums up the progress of downloads that run at once.
class Tracker {
 public:
  Tracker(const std::vector<DownloadJob>& jobs, ProgressSink& sink)
      : jobs_(jobs), sink_(sink), done_(jobs.size(), 0) {
    for (const DownloadJob& job : jobs) total_ += job.bytes;
  }

  void update(std::size_t job, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    sum_ += bytes - done_[job];
    done_[job] = bytes;
    sink_.update({.file = jobs_[job].name,
                  .file_bytes = bytes,
                  .file_bytes_total = jobs_[job].bytes,
                  .bytes = sum_,
                  .bytes_total = total_});
  }

 private:
  const std::vector<DownloadJob>& jobs_;
  ProgressSink& sink_;
  std::mutex mutex_;
  std::vector<std::uint64_t> done_;
  std::uint64_t sum_ = 0;
  std::uint64_t total_ = 0;
};

/// Downloads several files at once; the first error stops the others.
class Downloads {
 public:
  Downloads(const StoreOptions& options, const std::vector<DownloadJob>& jobs, ProgressSink& sink)
      : options_(options), jobs_(jobs), tracker_(jobs, sink), fetched_(jobs.size(), 0) {}

  Status run(const std::stop_token& stop) {
    const std::stop_callback forward(stop, [this] { stop_.request_stop(); });
    {
      std::vector<std::jthread> threads;
      const std::size_t count = std::min(options_.downloads_max, jobs_.size());
      for (std::size_t i = 0; i < count; ++i) threads.emplace_back([this] { work(); });
    }
    return first_error_;
  }

  /// What came over the network for a job.
  std::uint64_t fetched(std::size_t job) const { return fetched_[job]; }

 private:
  void work() {
    try {
      HttpClient client(options_, stop_.get_token());
      for (std::size_t at = next_++; at < jobs_.size() && !stop_.stop_requested(); at = next_++) {
        const DownloadProgress progress = [this, at](std::uint64_t n) { tracker_.update(at, n); };
        const auto fetched = download(client, jobs_[at], progress);
        if (!fetched.ok()) return fail(fetched.status());
        fetched_[at] = *fetched;
      }
      if (stop_.stop_requested()) fail(cancelled("the pull was stopped"));
    } catch (const std::exception& error) {
      fail(internal_error(std::string("a download ended by ") + error.what()));
    }
  }

  void fail(const Status& status) {
    const std::lock_guard lock(mutex_);
    if (first_error_.ok()) first_error_ = status;
    stop_.request_stop();
  }

  const StoreOptions& options_;
  const std::vector<DownloadJob>& jobs_;
  Tracker tracker_;
  std::vector<std::uint64_t> fetched_;
  std::atomic<std::size_t> next_ = 0;
  std::stop_source stop_;
  std::mutex mutex_;
  Status first_error_;
};

/// Refuses early what the disk can not hold.
Status check_space(const std::string& folder, const std::vector<DownloadJob>& jobs) {
  std::uint64_t needed = 0;
  for (const DownloadJob& job : jobs) {
    std::error_code error;
    const std::uint64_t here = fs::file_size(job.path + ".part", error);
    needed += error ? job.bytes : job.bytes - std::min(job.bytes, here);
  }
  struct statvfs disk = {};
  if (::statvfs(folder.c_str(), &disk) != 0)
    return errno_status(folder, "cannot ask for its space");
  const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  if (needed <= free) return {};
  return io_error(fmt::format("{}: the disk has {:.1f} MB free, {:.1f} MB are needed", folder,
                              static_cast<double>(free) / 1e6, static_cast<double>(needed) / 1e6));
}

/// Makes snapshots/COMMIT/FILE a link to its blob. It is made under a name that is never listed and
/// renamed, so that a link is there whole or not at all.
Status link_file(const std::string& snapshot, const HubFile& file) {
  const std::string path = snapshot + "/" + file.path;
  CAIRN_TRY(make_folders(fs::path(path).parent_path().string()));
  std::string target = "../../blobs/" + file.hash.hex;
  for (const char c : file.path) {
    if (c == '/') target.insert(0, "../");
  }
  const std::string temporary = path + ".part";
  ::unlink(temporary.c_str());
  if (::symlink(target.c_str(), temporary.c_str()) != 0) {
    return errno_status(temporary, "cannot make a link");
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) return errno_status(path, "cannot rename");
  return {};
}

/// The downloads that are still needed, each blob once.
std::vector<DownloadJob> jobs_of(const StoreOptions& options, const Plan& plan,
                                 const std::string& blobs) {
  std::vector<DownloadJob> jobs;
  std::set<std::string> seen;
  for (const HubFile& file : plan.files) {
    std::error_code error;
    const std::string path = blobs + "/" + file.hash.hex;
    const bool here = fs::file_size(path, error) == file.bytes && !error;
    if (here || !seen.insert(path).second) continue;
    jobs.push_back({.name = file.path,
                    .url = file_url(options.endpoint, plan.name.id(), plan.commit, file.path),
                    .path = path,
                    .bytes = file.bytes,
                    .hash = file.hash});
  }
  return jobs;
}

Result<PullReport> fetch(const StoreOptions& options, const Plan& plan, const std::stop_token& stop,
                         ProgressSink& sink) {
  const std::string repository = options.folder + "/" + plan.name.folder();
  const std::string blobs = repository + "/blobs";
  const std::string snapshot = repository + "/snapshots/" + plan.commit;
  CAIRN_TRY(make_folders(blobs));
  const std::vector<DownloadJob> jobs = jobs_of(options, plan, blobs);
  CAIRN_TRY(check_space(blobs, jobs));
  Downloads downloads(options, jobs, sink);
  CAIRN_TRY(downloads.run(stop));
  for (const HubFile& file : plan.files) CAIRN_TRY(link_file(snapshot, file));
  if (!is_commit(plan.revision)) {
    const std::string ref = repository + "/refs/" + plan.revision;
    CAIRN_TRY(make_folders(fs::path(ref).parent_path().string()));
    CAIRN_TRY(write_file_whole(ref, plan.commit));
  }
  auto report = report_if_whole(options.folder, plan);
  if (!report.has_value())
    return internal_error(snapshot + ": a file that was pulled is not there");
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (PulledFile& file : report->files) {
      if (file.name == jobs[i].name) file.fetched_bytes = downloads.fetched(i);
    }
  }
  return *std::move(report);
}

/// What is here already, for a pull that may not ask the hub.
Result<PullReport> report_offline(const StoreOptions& options, const Plan& plan) {
  for (const std::string& root : {options.folder, options.hub_cache}) {
    if (root.empty()) continue;
    CAIRN_ASSIGN(const auto snapshot, find_snapshot(root, plan.name, plan.revision));
    if (!snapshot.has_value()) continue;
    auto path = model_in(*snapshot, plan.name.tag);
    if (!path.ok()) continue;
    return PullReport{.repository = plan.name.id(),
                      .revision = plan.revision,
                      .commit = snapshot->commit,
                      .path = std::move(path).value()};
  }
  return unavailable(
      fmt::format("{}: not in the store, and the hub may not be asked (offline)", plan.name.id()));
}

}  // namespace

Result<PullReport> Store::pull(const PullRequest& request, ProgressSink& progress) const {
  Plan plan;
  CAIRN_ASSIGN(plan.name, parse_model_name(request.model));
  plan.revision = request.revision.empty() ? plan.name.revision : request.revision;
  if (plan.revision.empty()) plan.revision = "main";
  CAIRN_TRY(check_revision(plan.revision));
  if (options_.network == Network::kOffline) return report_offline(options_, plan);

  HttpClient client(options_, request.stop);
  CAIRN_ASSIGN(const HubListing listing,
               list_repository(client, options_.endpoint, plan.name.id(), plan.revision));
  plan.commit = listing.commit;
  CAIRN_ASSIGN(plan.files, choose_files(listing.files, plan.name));
  if (!options_.hub_cache.empty()) {
    if (auto report = report_if_whole(options_.hub_cache, plan)) return *std::move(report);
  }
  return fetch(options_, plan, request.stop, progress);
}

}  // namespace cairn::runtime
