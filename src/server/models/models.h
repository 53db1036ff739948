// Models: several models behind one address, one of which answers at a time.
//
// Purpose     loads a model when it is first asked for, keeps it while memory allows, and lets
//             requests for different models take turns.
// Invariants  steps of two models never run together: they would halve each other's speed. Answers
//             that run are finished before another model's begin, and whoever waits is served in
//             the order of coming, with those who wait for the same model. What does not fit makes
//             the model go that was used least lately. Nobody who waits is lost: a model that
//             cannot be loaded refuses them.
// Threads     serve() has one thread of its own, which loads, steps and unloads; all else may be
//             called from any.
// Adding      a kind of turn: an enumerator of TurnKind and its line in Models::settle.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "runtime/runtime.h"
#include "server/api/served_model.h"
#include "server/http/reply.h"
#include "server/parts/syntax.h"

namespace cairn::server {

/// A model that may be asked for: what clients call it and what the opener takes.
struct ModelSource {
  std::string name = {};
  std::string path = {};
};

/// One in memory.
struct LoadedModel {
  std::unique_ptr<runtime::Runtime> owner = {};  // null: somebody else's
  ServedModel served = {};
  Syntax syntax = {};
};

enum class ModelState : std::uint8_t { kUnloaded, kLoading, kLoaded, kFailed };

/// "unloaded", "loading", "loaded" or "failed".
std::string_view name_of(ModelState state);

/// How a model stands.
struct ModelStatus {
  std::string name = {};
  ModelState state = ModelState::kUnloaded;
  std::size_t requests = 0;                        // that it answers now
  std::shared_ptr<const LoadedModel> loaded = {};  // null unless it is
};

enum class TurnKind : std::uint8_t { kUse, kUnload };

class Models;

/// One request's turn with a model; dropping it gives the turn up, waiting or not.
class Turn {
 public:
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// Whether the wait is over.
  bool over() const;
  /// Once it is over: the model, null for an unloading. Errors: the loading's.
  Result<std::shared_ptr<const LoadedModel>> model() const;

 private:
  friend class Models;
  Turn(Models& models, std::size_t index, TurnKind kind, Waker waker)
      : models_(models), index_(index), kind_(kind), waker_(std::move(waker)) {}

  Models& models_;
  const std::size_t index_;
  const TurnKind kind_;
  const Waker waker_;
  // Under the mutex of the models.
  bool over_ = false;
  Status status_ = {};
  std::shared_ptr<const LoadedModel> model_ = {};
};

class Models {
 public:
  /// Opens `source` when so many bytes of what the system calls free are promised to other models.
  /// Errors: kTooLarge when it does not fit, and any other.
  using Open = std::function<Result<LoadedModel>(
      const ModelSource& source, std::uint64_t promised_bytes, const std::stop_token& stop)>;

  struct Options {
    std::vector<ModelSource> sources = {};  // at least one; the first is the default
    Open open = {};
    std::uint64_t idle_unload_ms = 0;                   // 0: stays until memory is needed
    std::function<void(const std::string&)> note = {};  // a line for the administrator
    std::int64_t created_s = 0;                         // Unix time
  };

  /// Errors: kInvalidArgument without a source and for a name that is empty or stands twice.
  static Result<std::unique_ptr<Models>> create(Options options);

  const std::vector<ModelSource>& sources() const { return options_.sources; }
  std::int64_t created_s() const { return options_.created_s; }
  /// The place of a name among the sources.
  std::optional<std::size_t> find(std::string_view name) const;
  std::vector<ModelStatus> status() const;

  /// Whether a turn that is asked for now has no wait.
  bool comes_at_once(std::size_t index) const;
  /// Asks for a turn; `waker` is woken when its wait is over. It outlives no server of these
  /// models.
  std::shared_ptr<Turn> ask(std::size_t index, TurnKind kind, Waker waker);

  /// Loads one before anybody asks; before serve() begins. Errors: as the opener.
  Status load(std::size_t index, const std::stop_token& stop);

  /// Loads, steps and unloads until `stop`; what is loaded stays.
  void serve(const std::stop_token& stop);

 private:
  using Lock = std::unique_lock<std::mutex>;
  struct Entry {
    ModelState state = ModelState::kUnloaded;
    std::shared_ptr<const LoadedModel> loaded = {};
    std::size_t requests = 0;
    std::int64_t used_ns = 0;  // when the newest request ended
  };
  friend class Turn;

  explicit Models(Options options);

  bool due() const;
  std::optional<std::size_t> idle(std::int64_t now_ns) const;
  std::optional<std::int64_t> idle_from_ns() const;
  void settle(Lock& lock, const std::stop_token& stop);
  void use(Lock& lock, std::size_t index, const std::stop_token& stop);
  void end_wait(Turn& turn, Status status, std::shared_ptr<const LoadedModel> model);
  Status load(Lock& lock, std::size_t index, const std::stop_token& stop);
  Result<std::uint64_t> promised_bytes(Lock& lock) const;
  bool unload_oldest(Lock& lock);
  void unload(Lock& lock, std::size_t index, std::string_view why);
  void step(Lock& lock, const std::stop_token& stop);
  void rest(Lock& lock, const std::stop_token& stop);
  void look_again();
  void give_up(Turn& turn);
  void note(const std::string& line) const;

  const Options options_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Entry> entries_;  // as the sources
  std::deque<Turn*> waiting_;   // in their order
  std::optional<std::size_t> active_;
  std::stop_source* stepping_ = nullptr;  // ends the steps that run
};

}  // namespace cairn::server
