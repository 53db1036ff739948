// Engine: requests in ids, streams of ids out.
//
// Purpose     plans steps of many requests, lays out their rows, samples, matches stops and
//             publishes tokens.
// Invariants  a request's answer depends on that request alone: not on chunking, cached pages,
//             preemption or the requests beside it. A token is published only when no stop string
//             can still begin inside it. A request that can never fit is refused at once, with
//             both numbers.
// Threads     submit, streams and figures from any thread. Steps are run by one thread at a time,
//             which is worker 0 of each: by serve() where a thread is lent to it, else by whoever
//             waits in next() for a token of its own. A consumer that does not read holds up
//             nobody: its answer waits in its stream.
// Adding      a sampler stage: sampling/stages.h; a way to run a step: a Forwarder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/status.h"
#include "engine/cache/kv_cache.h"
#include "engine/cache/page_store.h"
#include "engine/forwarder.h"
#include "engine/page_keeping.h"
#include "engine/request.h"
#include "engine/self_check_figures.h"

namespace cairn::kernels {
class Device;
}
namespace cairn::models {
class Model;
}

namespace cairn::engine {

/// Whether logits are stored where the two best of them are all that a greedy answer needs.
enum class StoreLogits : std::uint8_t { kWhereNeeded, kAlways };

struct EngineOptions {
  std::size_t context = 0;      // positions of a sequence, prompt and answer together
  std::size_t step_rows = 256;  // most rows of a step: long prompts are computed in such chunks
  std::size_t sequences = 1;    // that run at once; others wait
  std::size_t pages = 0;        // of each cache group; 0: for one whole context
  ContextFull on_full = ContextFull::kStop;
  std::size_t tokens_kept = 0;  // of the beginning, when a full context shifts; whole pages
  // Positions between two snapshots of a recurrent state, whole pages; prompts that begin alike,
  // and answers that were preempted, go on from the newest one that fits. 0: none is kept.
  std::size_t snapshot_tokens = 512;
  std::size_t waiting_max = 1024;  // requests that wait; more are refused
  double aging_per_s = 0.1;        // priority that a second of waiting is worth
  // Rows of logits of a step beside those of answers and guesses: prompts that are told token by
  // token take what a step has.
  std::size_t logits_rows = 0;
  LookupOptions lookup = {};  // guesses that save steps; the answers are the same
  double self_check = 0;      // share of the answers that are computed again alone
  StoreLogits store_logits = StoreLogits::kWhereNeeded;
  PageKeeping page_keeping = {};       // of pages that memory has no place for
  std::size_t cache_events = 0;        // kept until cache_events() takes them; 0: none
  std::function<double()> clock = {};  // seconds; absent: the steady clock
  /// Called by the thread that runs steps when tokens or ends may have been published, once per
  /// step and under the engine's lock: it may not call the engine.
  std::function<void()> on_news = {};
};

class Engine;
struct EngineState;
class Generation;

/// One answer. Dropping it cancels the request and gives its pages back. One thread at a time.
class Stream {
 public:
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// The next token, or nothing once the stream has ended; waits for it, running steps where nobody
  /// else does. The token's bytes live as long as the engine's TokenBytes.
  /// Errors: kInternal for non-finite logits; after an error the stream has ended.
  Result<std::optional<Token>> next();

  /// The next token if it is there already, else nothing: ended() tells whether more can come. Runs
  /// no step. Errors: as next().
  Result<std::optional<Token>> take();

  /// Ends the stream; tokens held back are dropped.
  void cancel();

  /// Of the prompt, there with the first token or the end; null before, and where the request does
  /// not ask for them or ended while its prompt was computed.
  std::shared_ptr<const PromptLogprobs> prompt_logprobs() const;
  /// Present as soon as no more tokens will be generated; published ones may still be waiting.
  std::optional<FinishReason> finish_reason() const;
  /// True when next() will give nothing more.
  bool ended() const;
  /// Up to now.
  RequestFigures figures() const;
  /// The vector of a request that pools, once finish_reason() is kPooled; empty else.
  std::vector<float> pooled() const;

 private:
  friend class Engine;
  Stream(EngineState& state, std::uint64_t id);

  EngineState& state_;
  std::uint64_t id_ = 0;
  std::shared_ptr<struct Outbox> outbox_;
};

/// Where the time of all steps went.
struct StepSeconds {
  double plan = 0;  // scheduling and laying out rows
  double forward = 0;
  double sample = 0;
  double settle = 0;  // pages, publishing
};

/// Counts of the engine, now.
struct EngineFigures {
  std::size_t running = 0;
  std::size_t waiting = 0;
  std::uint64_t steps = 0;
  std::uint64_t preemptions = 0;
  StepSeconds seconds = {};
  CacheFigures cache = {};
  std::optional<DraftFigures> drafts = {};          // absent where nothing may be guessed
  std::optional<SelfCheckFigures> self_check = {};  // absent where none is
  std::optional<PageStoreFigures> kept_pages = {};  // absent where none are kept
};

class Engine {
 public:
  /// An engine on `model`; it allocates cache pages and the step's scratch.
  /// `model`, `device` and `token_bytes` outlive the engine, which outlives its streams.
  /// Errors: kInvalidArgument for options that contradict each other; kTooLarge without memory.
  static Result<std::unique_ptr<Engine>> create(const models::Model& model, kernels::Device& device,
                                                const TokenBytes& token_bytes,
                                                const EngineOptions& options);

  /// The same on anything that can run a step.
  static Result<std::unique_ptr<Engine>> create(std::unique_ptr<Forwarder> forwarder,
                                                const TokenBytes& token_bytes,
                                                const EngineOptions& options);
  /// Keeps the pages that no sequence has where the options say so, which may take seconds.
  ~Engine();

  /// Errors: kInvalidArgument for an id outside the vocabulary, an empty prompt or stop string, a
  /// parameter out of range; kTooLarge for a prompt longer than the context, with both numbers;
  /// kUnavailable when too many wait or the deadline can not be kept, with the numbers.
  Result<std::unique_ptr<Stream>> submit(Request request);
  /// `answers` answers to one request, of choices request.choice and following: the prompt is
  /// computed once and its pages are shared. Errors: as submit, and for no answers; then none is
  /// queued.
  Result<std::vector<std::unique_ptr<Stream>>> submit(Request request, std::size_t answers);

  /// Runs steps on this thread until `stop` asks for the end, sleeping while there is nothing to
  /// do. One thread at a time.
  void serve(const std::stop_token& stop);

  /// Computes the answers that wait for their self-check again, while nothing else is to do and
  /// nobody serves.
  void finish_checks();

  std::size_t context() const;
  std::size_t vocabulary() const;
  EngineFigures figures() const;
  /// Pages that hold nothing, neither of a stream nor kept for reuse.
  std::size_t free_pages() const { return figures().cache.free_pages; }
  /// Pages of each cache group that ever held something: the others cost no memory yet.
  std::vector<std::size_t> touched_pages() const;
  /// Seconds after which a request that was refused for a full queue may be tried again.
  double retry_after_s() const;
  /// What entered and left the prefix cache since the last call, oldest first.
  std::vector<CacheEvent> cache_events();
  /// Gives the pages kept for reuse back.
  void forget();

 private:
  explicit Engine(std::unique_ptr<EngineState> state);

  std::unique_ptr<EngineState> state_;
};

}  // namespace cairn::engine
