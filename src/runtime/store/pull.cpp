// Store::pull: what a repository offers, which of it is wanted, and getting that here.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "runtime/store/downloads.h"
#include "runtime/store/gguf_group.h"
#include "runtime/store/http.h"
#include "runtime/store/hub.h"
#include "runtime/store/layout.h"
#include "runtime/store/model_name.h"
#include "runtime/store/store.h"
#include "runtime/store/wanted_files.h"

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
  CAIRN_ASSIGN(plan.files, wanted_files(listing.files, plan.name));
  if (!options_.hub_cache.empty()) {
    if (auto report = report_if_whole(options_.hub_cache, plan)) return *std::move(report);
  }
  return fetch(options_, plan, request.stop, progress);
}

}  // namespace cairn::runtime
