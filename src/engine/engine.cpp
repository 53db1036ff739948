#include "engine/engine.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/check_request.h"
#include "engine/engine_state.h"
#include "engine/model_forwarder.h"

namespace cairn::engine {
namespace {

double steady_seconds() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

std::size_t pages_of(const EngineOptions& options) {
  return options.pages > 0 ? options.pages : pages_for(options.context);
}

/// Behind what is kept there must be a page that can go.
Status check_shift(const EngineOptions& options) {
  if (options.on_full != ContextFull::kShift) return {};
  const std::size_t least =
      (pages_for(std::min(options.tokens_kept, options.context)) + 1) * kernels::kPagePositions;
  if (options.context >= least) return {};
  return invalid_argument(
      fmt::format("a context of {} positions that keeps {} has no page of {} to give up; it needs "
                  "{} positions or more",
                  options.context, options.tokens_kept, kernels::kPagePositions, least));
}

Status check_options(const EngineOptions& options) {
  if (options.context == 0) return invalid_argument("a context of 0 positions, it needs 1 or more");
  if (options.step_rows == 0) return invalid_argument("steps of 0 rows, they need 1 or more");
  if (options.sequences == 0) return invalid_argument("0 sequences at once, it needs 1 or more");
  if (options.sequences > options.step_rows) {
    return invalid_argument(fmt::format("{} sequences at once do not fit into steps of {} rows",
                                        options.sequences, options.step_rows));
  }
  CAIRN_TRY(check_shift(options));
  if (!options.page_keeping.folder.empty() && options.page_keeping.bytes_max == 0) {
    return invalid_argument("pages are to be kept in 0 bytes, it needs 1 or more");
  }
  if (options.snapshot_tokens % kernels::kPagePositions != 0) {
    return invalid_argument(
        fmt::format("a snapshot every {} positions, accepted are multiples of {}",
                    options.snapshot_tokens, kernels::kPagePositions));
  }
  if (options.waiting_max == 0) return invalid_argument("0 requests may wait, it needs 1 or more");
  if (!(options.self_check >= 0 && options.self_check <= 1)) {
    return invalid_argument(
        fmt::format("self_check is {}, accepted is 0 to 1", options.self_check));
  }
  return check(options.lookup);
}

/// Guesses need rows of logits, and a cache that can forget them.
Status check_lookup(const Forwarder& forwarder, const EngineOptions& options) {
  const std::size_t drafts = options.lookup.tokens_max;
  if (drafts == 0) return {};
  if (forwarder.logits_rows_max() < options.sequences + drafts) {
    return invalid_argument(
        fmt::format("{} sequences at once and {} lookup tokens, the model takes {} rows of logits",
                    options.sequences, drafts, forwarder.logits_rows_max()));
  }
  for (const CacheGroup& group : forwarder.groups()) {
    if (!group.recurrent()) continue;
    return unsupported(
        "lookup on a model with a recurrent state, which can not go back to before a wrong guess; "
        "accepted are models without one");
  }
  return {};
}

/// A request alone must fit, so that preempting the others always lets it finish.
Status check_forwarder(const Forwarder& forwarder, const TokenBytes& token_bytes,
                       const EngineOptions& options) {
  if (token_bytes.size() == 0 || token_bytes.size() > forwarder.vocabulary()) {
    return invalid_argument(fmt::format("the tokenizer has {} tokens, the model {} logits",
                                        token_bytes.size(), forwarder.vocabulary()));
  }
  if (forwarder.pages() < pages_for(options.context)) {
    return invalid_argument(fmt::format("a context of {} positions needs {} pages, there are {}",
                                        options.context, pages_for(options.context),
                                        forwarder.pages()));
  }
  if (forwarder.logits_rows_max() < options.sequences || forwarder.rows_max() < options.sequences) {
    return invalid_argument(
        fmt::format("{} sequences at once, the model takes {} rows of a step and {} of logits",
                    options.sequences, forwarder.rows_max(), forwarder.logits_rows_max()));
  }
  return check_lookup(forwarder, options);
}

}  // namespace

Engine::Engine(std::unique_ptr<EngineState> state) : state_(std::move(state)) {}

Engine::~Engine() { state_->keep_idle_pages(); }

Result<std::unique_ptr<Engine>> Engine::create(const models::Model& model, kernels::Device& device,
                                               const TokenBytes& token_bytes,
                                               const EngineOptions& options) {
  CAIRN_TRY(check_options(options));
  const std::size_t positions = pages_of(options) * kernels::kPagePositions;
  const ModelForwarderOptions forwarder_options{
      .pages = pages_of(options),
      .rows_max = std::max(std::min(options.step_rows, positions), options.sequences),
      .logits_rows_max = options.sequences + options.lookup.tokens_max + options.logits_rows};
  CAIRN_ASSIGN(std::unique_ptr<Forwarder> forwarder,
               ModelForwarder::create(model, device, forwarder_options));
  return create(std::move(forwarder), token_bytes, options);
}

Result<std::unique_ptr<Engine>> Engine::create(std::unique_ptr<Forwarder> forwarder,
                                               const TokenBytes& token_bytes,
                                               const EngineOptions& options) {
  CAIRN_TRY(check_options(options));
  CAIRN_TRY(check_forwarder(*forwarder, token_bytes, options));
  EngineOptions chosen = options;
  if (!chosen.clock) chosen.clock = &steady_seconds;
  CAIRN_ASSIGN(std::unique_ptr<PageKeeper> keeper,
               PageKeeper::open(*forwarder, options.page_keeping));
  return std::unique_ptr<Engine>(new Engine(
      std::make_unique<EngineState>(std::move(forwarder), token_bytes, chosen, std::move(keeper))));
}

Result<std::unique_ptr<Stream>> Engine::submit(Request request) {
  CAIRN_ASSIGN(std::vector<std::unique_ptr<Stream>> streams, submit(std::move(request), 1));
  return std::move(streams.front());
}

Result<std::vector<std::unique_ptr<Stream>>> Engine::submit(Request request, std::size_t answers) {
  const GenerationLimits limits = state_->limits();
  if (answers == 0) return invalid_argument("n is 0, accepted is 1 or more");
  if (request.pooling && answers != 1) {
    return invalid_argument(fmt::format("n is {}, a request that pools has 1 vector", answers));
  }
  CAIRN_TRY(check(request, limits));
  std::vector<std::unique_ptr<Generation>> generations;
  for (std::size_t i = 0; i < answers; ++i) {
    generations.push_back(
        std::make_unique<Generation>(request, state_->cache, limits, state_->token_bytes));
    ++request.choice;
  }
  FetchedPages fetched = state_->fetch(*generations.front());
  const EngineState::Lock lock(state_->mutex);
  CAIRN_ASSIGN(const std::vector<RequestId> ids, state_->queue(std::move(generations)));
  state_->active.at(ids.front()).fetched = std::move(fetched);
  std::vector<std::unique_ptr<Stream>> streams;
  for (const RequestId id : ids) streams.emplace_back(new Stream(*state_, id));
  return streams;
}

void Engine::serve(const std::stop_token& stop) {
  EngineState::Lock lock(state_->mutex);
  state_->changed.wait(lock, stop, [&] { return !state_->driven; });
  if (stop.stop_requested()) return;
  state_->driven = true;
  while (!stop.stop_requested()) {
    const bool worked = state_->step(lock);
    state_->changed.notify_all();
    if (!worked) state_->changed.wait(lock, stop, [&] { return state_->has_work(); });
  }
  state_->driven = false;
  state_->changed.notify_all();
}

void Engine::finish_checks() {
  EngineState::Lock lock(state_->mutex);
  if (state_->driven) return;
  state_->driven = true;
  while (state_->active.empty() && state_->has_work()) state_->step(lock);
  state_->driven = false;
  state_->changed.notify_all();
}

std::size_t Engine::context() const { return state_->options.context; }

std::size_t Engine::vocabulary() const { return state_->vocabulary; }

EngineFigures Engine::figures() const {
  const EngineState::Lock lock(state_->mutex);
  return {.running = state_->scheduler.running(),
          .waiting = state_->scheduler.waiting(),
          .steps = state_->steps,
          .preemptions = state_->preemptions,
          .seconds = state_->step_seconds,
          .cache = state_->cache.figures(),
          .drafts = state_->drafts,
          .self_check =
              state_->self_check ? std::optional(state_->self_check->figures()) : std::nullopt,
          .kept_pages =
              state_->keeper ? std::optional(state_->keeper->store().figures()) : std::nullopt};
}

std::vector<std::size_t> Engine::touched_pages() const {
  const EngineState::Lock lock(state_->mutex);
  std::vector<std::size_t> pages;
  for (std::size_t group = 0; group < state_->cache.groups().size(); ++group) {
    pages.push_back(state_->cache.touched_pages(group));
  }
  return pages;
}

double Engine::retry_after_s() const {
  const EngineState::Lock lock(state_->mutex);
  return state_->scheduler.retry_after_s();
}

std::vector<CacheEvent> Engine::cache_events() {
  const EngineState::Lock lock(state_->mutex);
  return state_->cache.events().take();
}

void Engine::forget() {
  const EngineState::Lock lock(state_->mutex);
  state_->cache.forget();
}

}  // namespace cairn::engine
