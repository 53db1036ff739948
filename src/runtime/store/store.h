// Store: model files on this machine, by name, and how they get here from a hub.
//
// Purpose     turns what a person types (a path, a name, org/repo:TAG) into a model file; fetches
//             repositories that are not here yet; lists what is.
// Layout      the folder holds model files as they are (their name is the file's without ".gguf"),
//             and repositories as the hub's own cache does: models--org--repo/ with blobs/ (named
//             by their hash), snapshots/COMMIT/FILE (links to blobs) and refs/REVISION (a commit).
//             An existing hub cache is read the same way and never written.
// Invariants  a file under snapshots/ is whole and has had its hash checked; what is not yet whole
//             is called *.part and is never listed nor opened. The token goes to the hub's own
//             address only. Nothing here reads the environment.
// Threads     a Store may be used from any thread; pull() blocks and works on threads of its own.
// Adding      what else a hub offers: hub.h; another way to name models: model_name.h.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace cairn::runtime {

enum class Network : std::uint8_t { kOnline, kOffline };

struct StoreOptions {
  std::string folder = {};     // made when something is pulled
  std::string hub_cache = {};  // a hub cache that other programs filled, read only; empty: none
  std::string endpoint = "https://huggingface.co";  // HF_ENDPOINT
  std::string token = {};                           // HF_TOKEN; empty: none
  Network network = Network::kOnline;               // kOffline for HF_HUB_OFFLINE=1
  std::string proxy = {};                           // for every request; empty: none
  std::size_t downloads_max = 4;                    // files fetched at once
  int attempts_max = 6;          // tries in a row without a new byte before a file fails
  std::int64_t retry_ms = 1000;  // before the second try; doubles up to a minute
  std::int64_t stall_s = 30;     // a connection that brings less than 1 KiB in that time is dropped
  std::int64_t connect_s = 15;
};

/// What a repository's file adds to a pull.
struct PulledFile {
  std::string name = {};  // inside the repository
  std::string path = {};  // here
  std::uint64_t bytes = 0;
  std::uint64_t fetched_bytes = 0;  // 0 when it was here already
};

struct PullRequest {
  std::string model = {};     // "org/repo", "org/repo:TAG", either with "@REVISION"
  std::string revision = {};  // a branch, tag or commit; empty: what `model` says, else main
  std::stop_token stop = {};  // leaves what has arrived, to be resumed
};

struct PullReport {
  std::string repository = {};  // org/repo
  std::string revision = {};
  std::string commit = {};  // what the revision stood for
  std::string path = {};    // what to open: the first GGUF part, or the snapshot's folder
  std::vector<PulledFile> files = {};
};

/// How far a pull is. `file` is the one that has just moved.
struct PullProgress {
  std::string_view file = {};
  std::uint64_t file_bytes = 0;
  std::uint64_t file_bytes_total = 0;
  std::uint64_t bytes = 0;
  std::uint64_t bytes_total = 0;
};

/// Called while a pull goes on: one call at a time, from any of its threads, many per second.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void update(const PullProgress& progress) = 0;
};

/// One model that is here.
struct StoreEntry {
  std::string name = {};        // what resolve() takes
  std::string path = {};        // of the first part
  std::string repository = {};  // org/repo; empty for a plain file
  std::string commit = {};      // of a pulled one
  std::string revision = {};    // the ref that stands for the commit, if any
  std::uint64_t bytes = 0;      // of all parts
  std::uint64_t parts = 1;      // that the model has
  std::uint64_t parts_missing = 0;
};

class Store {
 public:
  /// Errors: kInvalidArgument for an endpoint that is no http or https address.
  static Result<Store> open(StoreOptions options);

  /// The file (or, for a repository without GGUF files, the folder) that `model` means: a path that
  /// exists, else a name in the store, else org/repo[:TAG][@REVISION] that was pulled.
  /// Errors: kNotFound with the name that was probably meant, else what to do; kInvalidArgument
  /// with the candidates when several fit; kInvalidFile when a part is missing.
  Result<std::string> resolve(std::string_view model) const;

  /// Fetches what is not here yet. Errors: kInvalidArgument (a bad name; several models and no tag,
  /// with their list; no access), kNotFound, kUnavailable (network, hub, offline, another process
  /// fetching the same), kInvalidFile (wrong bytes, size or names from the hub), kIo (a full disk),
  /// kCancelled. After an error what has arrived is kept as *.part and resumed by the next pull,
  /// except bytes that were found to be wrong.
  Result<PullReport> pull(const PullRequest& request, ProgressSink& progress) const;

  /// Every model that is here, by name. Split models are one entry (G22).
  /// Errors: kIo when a folder that exists can not be read.
  Result<std::vector<StoreEntry>> list() const;

  const StoreOptions& options() const { return options_; }

 private:
  explicit Store(StoreOptions options);

  Status not_here(std::string_view model) const;

  StoreOptions options_;
};

}  // namespace cairn::runtime
