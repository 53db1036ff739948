#include "engine/engine.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "engine/cache/kv_cache.h"
#include "engine/check_request.h"
#include "engine/generation.h"
#include "engine/model_forwarder.h"

namespace cairn::engine {

struct Engine::State {
  explicit State(std::unique_ptr<Forwarder> runner)
      : forwarder(std::move(runner)),
        cache({.groups = {forwarder->groups().begin(), forwarder->groups().end()},
               .pages = forwarder->pages(),
               .identity = forwarder->cache_identity(),
               .copy_page = [this](std::size_t group, std::uint32_t from, std::uint32_t to) {
                 forwarder->copy_page(group, from, to);
               }}) {
    rows.reserve(forwarder->rows_max());
  }

  std::unique_ptr<Forwarder> forwarder;
  KvCache cache;
  bool busy = false;
  std::vector<kernels::Row> rows;  // of the current step
};

namespace {

Status check_options(const EngineOptions& options) {
  if (options.context == 0) return invalid_argument("a context of 0 positions, it needs 1 or more");
  if (options.step_rows == 0) return invalid_argument("steps of 0 rows, they need 1 or more");
  return {};
}

/// Rows for `chunk`, in the slots after `computed`; the last one wants logits when `last`.
enum class Chunk : std::uint8_t { kMoreToCome, kLast };
void lay_out(std::span<const TokenId> chunk, std::size_t computed, Chunk kind,
             std::vector<kernels::Row>& rows) {
  rows.clear();
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    const auto slot = static_cast<std::uint32_t>(computed + i);
    rows.push_back({.slot = slot, .position = {slot, slot, slot}, .token = chunk[i]});
  }
  rows.back().wants_logits = kind == Chunk::kLast;
}

}  // namespace

Engine::Engine(const TokenBytes& token_bytes, const EngineOptions& options)
    : token_bytes_(token_bytes), options_(options) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::create(const models::Model& model, kernels::Device& device,
                                               const TokenBytes& token_bytes,
                                               const EngineOptions& options) {
  CAIRN_TRY(check_options(options));
  const ModelForwarderOptions forwarder_options{
      .pages = pages_for(options.context),
      .rows_max = std::min(options.step_rows, options.context)};
  CAIRN_ASSIGN(std::unique_ptr<Forwarder> forwarder,
               ModelForwarder::create(model, device, forwarder_options));
  return create(std::move(forwarder), token_bytes, options);
}

Result<std::unique_ptr<Engine>> Engine::create(std::unique_ptr<Forwarder> forwarder,
                                               const TokenBytes& token_bytes,
                                               const EngineOptions& options) {
  CAIRN_TRY(check_options(options));
  if (token_bytes.size() == 0 || token_bytes.size() > forwarder->vocabulary()) {
    return invalid_argument(fmt::format("the tokenizer has {} tokens, the model {} logits",
                                        token_bytes.size(), forwarder->vocabulary()));
  }
  if (forwarder->pages() < pages_for(options.context)) {
    return invalid_argument(fmt::format("a context of {} positions needs {} pages, there are {}",
                                        options.context, pages_for(options.context),
                                        forwarder->pages()));
  }
  std::unique_ptr<Engine> engine(new Engine(token_bytes, options));
  engine->vocabulary_ = token_bytes.size();
  engine->state_ = std::make_unique<State>(std::move(forwarder));
  return engine;
}

Result<std::unique_ptr<Stream>> Engine::submit(Request request) {
  const GenerationLimits limits{.vocabulary = vocabulary_, .context = options_.context};
  CAIRN_TRY(check(request, limits));
  if (state_->busy)
    return unavailable("another request is running, this engine runs one at a time");

  auto generation =
      std::make_unique<Generation>(std::move(request), state_->cache, limits, token_bytes_);
  state_->busy = true;
  return std::unique_ptr<Stream>(new Stream(*this, std::move(generation)));
}

std::size_t Engine::free_pages() const { return state_->cache.figures().free_pages; }

void Engine::forget() { state_->cache.forget(); }

Status Engine::step(Generation& generation) {
  const auto begin = std::chrono::steady_clock::now();
  const std::span<const TokenId> pending = generation.pending();
  const std::span<const TokenId> chunk =
      pending.first(std::min(pending.size(), state_->forwarder->rows_max()));
  SequencePages& pages = generation.pages();
  const std::size_t computed = pages.ids().size();
  if (!pages.reserve(computed + chunk.size())) {
    return internal_error(fmt::format("no page is free for position {}", computed));
  }
  const bool last = chunk.size() == pending.size();
  lay_out(chunk, computed, last ? Chunk::kLast : Chunk::kMoreToCome, state_->rows);

  std::vector<std::span<const std::uint32_t>> tables;
  for (std::size_t g = 0; g < state_->cache.groups().size(); ++g) {
    tables.push_back(pages.block_table(g));
  }
  std::vector<BlockTables> group_tables;
  for (const auto& table : tables) group_tables.emplace_back(&table, 1);
  const Matrix logits = state_->forwarder->forward(state_->rows, group_tables);
  pages.append(chunk);
  RequestFigures& figures = generation.figures();
  double& seconds = figures.generated_tokens == 0 ? figures.prompt_s : figures.decode_s;
  Status status;
  if (last) status = generation.sample(logits.row(0).first(vocabulary_));
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return status;
}

void Engine::release(Generation& generation) {
  state_->busy = false;
  generation.pages().clear();
}

Stream::Stream(Engine& engine, std::unique_ptr<Generation> generation)
    : engine_(engine), generation_(std::move(generation)) {}

Stream::~Stream() { engine_.release(*generation_); }

Result<std::optional<Token>> Stream::next() {
  while (!generation_->ready() && !generation_->finish_reason()) {
    if (generation_->stop_asked()) {
      generation_->finish(FinishReason::kCancelled);
      break;
    }
    const Status status = engine_.step(*generation_);
    if (status.ok()) continue;
    generation_->finish(FinishReason::kError);
    return status;
  }
  if (!generation_->ready()) return std::optional<Token>();
  return std::optional<Token>(generation_->take());
}

void Stream::cancel() {
  if (!ended()) generation_->finish(FinishReason::kCancelled);
}

std::optional<FinishReason> Stream::finish_reason() const { return generation_->finish_reason(); }

bool Stream::ended() const { return generation_->finish_reason() && !generation_->ready(); }

const RequestFigures& Stream::figures() const { return generation_->figures(); }

}  // namespace cairn::engine
