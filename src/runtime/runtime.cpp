#include "runtime/runtime.h"

#include <exception>
#include <random>
#include <utility>

#include "runtime/embedding.h"
#include "runtime/generated_stream.h"
#include "runtime/guarded.h"
#include "runtime/memory.h"
#include "runtime/open_model.h"
#include "runtime/prompt.h"

namespace cairn::runtime {
namespace {

/// 64 bits from the system. Errors: kIo when it has none to give.
Result<std::uint64_t> draw_seed() {
  try {
    std::random_device source;
    return static_cast<std::uint64_t>(source()) << 32 | source();
  } catch (const std::exception& error) {
    return io_error(std::string("drawing a seed: ") + error.what());
  }
}

class FileRuntime final : public Runtime {
 public:
  explicit FileRuntime(OpenModel open) : open_(std::move(open)) {}

  const ModelFacts& facts() const override { return open_.facts; }
  const std::vector<std::string>& warnings() const override { return open_.warnings; }
  const std::string& missing_bytes() const override { return open_.tokenizer->missing_bytes(); }
  const SamplingParams& default_sampling() const override { return open_.sampling.params; }
  bool has_own_sampling() const override { return open_.sampling.own; }
  const std::string& sampling_origin() const override { return open_.sampling.origin; }
  const std::string& chat_template() const override { return open_.chat->source(); }
  Status chat_status() const override { return open_.chat->status(); }

  Result<std::vector<TokenId>> encode(const Prompt& prompt) const override {
    return encode_prompt(*open_.tokenizer, *open_.chat, prompt);
  }

  Result<std::string> render(const ChatPrompt& prompt) const override {
    CAIRN_ASSIGN(tokenizer::Rendered rendered, open_.chat->render(prompt));
    return std::move(rendered.text);
  }

  Result<std::string> decode(std::span<const TokenId> ids) const override {
    CAIRN_TRY(check_ids(*open_.tokenizer, ids));
    return open_.tokenizer->decode(ids);
  }

  Result<std::vector<std::string>> pieces(std::span<const TokenId> ids) const override {
    CAIRN_TRY(check_ids(*open_.tokenizer, ids));
    tokenizer::StreamDecoder decoder(*open_.tokenizer);
    std::vector<std::string> pieces;
    pieces.reserve(ids.size());
    for (const TokenId id : ids) pieces.push_back(decoder.push(id));
    if (!pieces.empty()) pieces.back() += decoder.finish();
    return pieces;
  }

  std::string describe(TokenId id) const override { return describe_token(*open_.tokenizer, id); }

  Result<std::unique_ptr<TextStream>> generate(const GenerateRequest& request) override {
    CAIRN_ASSIGN(std::vector<std::unique_ptr<TextStream>> streams, generate(request, 1));
    return std::move(streams.front());
  }

  Result<std::vector<std::unique_ptr<TextStream>>> generate(const GenerateRequest& request,
                                                            std::size_t answers) override {
    CAIRN_ASSIGN(engine::Request asked, engine_request(request));
    const StreamFacts facts{
        .prompt = asked.prompt, .seed = asked.sampling.seed, .model = figures()};
    CAIRN_ASSIGN(std::vector<std::unique_ptr<engine::Stream>> streams,
                 open_.engine->submit(std::move(asked), answers));
    std::vector<std::unique_ptr<TextStream>> texts;
    for (std::unique_ptr<engine::Stream>& stream : streams) {
      texts.push_back(
          std::make_unique<GeneratedStream>(std::move(stream), *open_.tokenizer, facts));
    }
    return texts;
  }

  Result<std::unique_ptr<Embedding>> embed(const EmbedRequest& request) override {
    engine::Request asked{.sampling = {},
                          .tokens_max = 1,
                          .priority = request.priority,
                          .deadline_s = request.deadline_s,
                          .cache_salt = request.cache_salt,
                          .pooling = request.pooling};
    CAIRN_ASSIGN(asked.prompt, encode(request.prompt));
    CAIRN_ASSIGN(std::unique_ptr<engine::Stream> stream, open_.engine->submit(std::move(asked)));
    return std::unique_ptr<Embedding>(std::make_unique<PooledEmbedding>(std::move(stream)));
  }

  void forget() override { open_.engine->forget(); }

  void serve(const std::stop_token& stop) override { open_.engine->serve(stop); }

  void finish_checks() override { open_.engine->finish_checks(); }

  Activity activity() const override {
    const engine::EngineFigures figures = open_.engine->figures();
    return {.running = figures.running,
            .waiting = figures.waiting,
            .retry_after_s = open_.engine->retry_after_s(),
            .drafts = figures.drafts,
            .self_check = figures.self_check,
            .cache_pages = figures.cache.pages,
            .cache_used_pages =
                figures.cache.pages - figures.cache.free_pages - figures.cache.idle_pages,
            .preemptions = figures.preemptions,
            .cache_looked_up_tokens = figures.cache.looked_up_tokens,
            .cache_hit_tokens = figures.cache.hit_tokens};
  }

  StepTimes step_times() const override {
    const engine::EngineFigures figures = open_.engine->figures();
    return {.steps = figures.steps,
            .forward_s = figures.seconds.forward,
            .sampling_s = figures.seconds.sample,
            .scheduler_s = figures.seconds.plan + figures.seconds.settle};
  }

  Result<MemoryReport> memory() const override {
    CAIRN_ASSIGN(const ResidentMemory resident, resident_memory());
    return report_of(open_.base, open_.sizes, open_.model->info().packed_bytes,
                     open_.engine->touched_pages(), resident);
  }

 private:
  Result<engine::Request> engine_request(const GenerateRequest& request) const {
    engine::Request asked;
    CAIRN_ASSIGN(asked.prompt, encode(request.prompt));
    asked.sampling = request.sampling;
    if (request.seed) {
      asked.sampling.seed = *request.seed;
    } else {
      CAIRN_ASSIGN(asked.sampling.seed, draw_seed());
    }
    asked.tokens_max = request.tokens_max;
    if (request.stop_at_end == StopAtEnd::kYes) asked.stop_ids = open_.tokenizer->stop_ids();
    asked.stop_ids.insert(asked.stop_ids.end(), request.stop_ids.begin(), request.stop_ids.end());
    asked.stop_strings = request.stop_strings;
    asked.logprobs = request.logprobs;
    asked.logprobs_of = request.logprobs_of;
    asked.logprob_ids = request.logprob_ids;
    asked.prompt_logprobs = request.prompt_logprobs;
    asked.priority = request.priority;
    asked.deadline_s = request.deadline_s;
    asked.cache_salt = request.cache_salt;
    asked.reuse = request.reuse;
    asked.stop_asked = request.stop_asked;
    return asked;
  }

  Figures figures() const {
    return {.load_s = open_.facts.load_s,
            .load = open_.facts.load,
            .bytes_per_token = open_.facts.bytes_per_token,
            .isa = open_.facts.isa,
            .numerics = open_.facts.numerics};
  }

  OpenModel open_;
};

}  // namespace

Result<std::unique_ptr<Runtime>> Runtime::open(const OpenOptions& options) {
  return guarded(options.path, [&]() -> Result<std::unique_ptr<Runtime>> {
    CAIRN_ASSIGN(OpenModel open, open_model(options));
    return std::unique_ptr<Runtime>(std::make_unique<FileRuntime>(std::move(open)));
  });
}

}  // namespace cairn::runtime
