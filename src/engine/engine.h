// Engine: requests in ids, streams of ids out.
//
// Purpose     plans steps, lays out their rows, samples, matches stops and publishes tokens.
// Invariants  a request's answer depends on that request alone, not on chunking, cached pages or
//             earlier requests; a token is published only when no stop string can still begin
//             inside it; a request that can never fit is refused at once, with both numbers.
// Threads     one thread owns an engine and its streams and becomes worker 0 of every step.
// Adding      a sampler stage: sampling/stages.h; a way to run a step: a Forwarder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/status.h"
#include "engine/forwarder.h"
#include "engine/request.h"

namespace cairn::kernels {
class Device;
}
namespace cairn::models {
class Model;
}

namespace cairn::engine {

struct EngineOptions {
  std::size_t context = 0;      // positions of a sequence, prompt and answer together
  std::size_t step_rows = 256;  // most rows of a step: long prompts are computed in such chunks
};

class Engine;
class Generation;

/// One request's answer. Dropping it cancels the request and gives its pages back.
class Stream {
 public:
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// The next token, or nothing once the stream has ended. Runs steps as needed. The token's bytes
  /// live as long as the engine's TokenBytes.
  /// Errors: kInternal for non-finite logits; after an error the stream has ended.
  Result<std::optional<Token>> next();

  /// Ends the stream; tokens held back are dropped.
  void cancel();

  /// Present as soon as no more tokens will be generated; published ones may still be waiting.
  std::optional<FinishReason> finish_reason() const;
  /// True when next() will give nothing more.
  bool ended() const;
  /// Up to now.
  const RequestFigures& figures() const;

 private:
  friend class Engine;
  explicit Stream(Engine& engine, std::unique_ptr<Generation> generation);

  Engine& engine_;
  std::unique_ptr<Generation> generation_;
};

class Engine {
 public:
  /// An engine on `model`; it allocates cache pages for one whole context and the step's scratch.
  /// `model`, `device` and `token_bytes` outlive the engine.
  /// Errors: kInvalidArgument for a context or step of no rows; kTooLarge without memory.
  static Result<std::unique_ptr<Engine>> create(const models::Model& model, kernels::Device& device,
                                                const TokenBytes& token_bytes,
                                                const EngineOptions& options);

  /// The same on anything that can run a step.
  static Result<std::unique_ptr<Engine>> create(std::unique_ptr<Forwarder> forwarder,
                                                const TokenBytes& token_bytes,
                                                const EngineOptions& options);
  ~Engine();

  /// Errors: kInvalidArgument for an id outside the vocabulary, an empty prompt or stop string, a
  /// sampling parameter out of range; kTooLarge for a prompt longer than the context, with both
  /// numbers; kUnavailable while another stream lives.
  Result<std::unique_ptr<Stream>> submit(Request request);

  std::size_t context() const { return options_.context; }
  std::size_t vocabulary() const { return vocabulary_; }
  /// Pages that hold nothing, neither of a stream nor kept for reuse.
  std::size_t free_pages() const;
  /// Gives the pages kept for reuse back.
  void forget();

 private:
  friend class Stream;
  struct State;
  Engine(const TokenBytes& token_bytes, const EngineOptions& options);

  /// Runs one step of `generation` and publishes what it yields.
  Status step(Generation& generation);
  void release(Generation& generation);

  const TokenBytes& token_bytes_;
  EngineOptions options_;
  std::size_t vocabulary_ = 0;
  std::unique_ptr<State> state_;
};

}  // namespace cairn::engine
