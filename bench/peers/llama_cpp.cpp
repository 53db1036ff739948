// llama.cpp under measurement, through its own C interface; built against the peer's source.
// Usage: peers_llama_cpp MODEL THREADS
#include <llama.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bench/peers/subject.h"

namespace cairn::bench {
namespace {

constexpr std::uint32_t kPositions = 4096;
constexpr std::uint32_t kSequences = 16;

struct Free {
  void operator()(llama_model* model) const { llama_model_free(model); }
  void operator()(llama_context* context) const { llama_free(context); }
};

struct Variant {
  llama_flash_attn_type attention = LLAMA_FLASH_ATTN_TYPE_AUTO;
  std::uint32_t ubatch = 512;
};

const std::map<std::string, Variant>& variants() {
  static const std::map<std::string, Variant> kVariants = {
      {"default", {}},
      {"fa-on", {LLAMA_FLASH_ATTN_TYPE_ENABLED, 512}},
      {"fa-off", {LLAMA_FLASH_ATTN_TYPE_DISABLED, 512}},
      {"fa-on,ub-128", {LLAMA_FLASH_ATTN_TYPE_ENABLED, 128}},
      {"fa-off,ub-128", {LLAMA_FLASH_ATTN_TYPE_DISABLED, 128}},
  };
  return kVariants;
}

void check(bool good, const char* what) {
  if (!good) throw std::runtime_error(what);
}

class LlamaCpp final : public Subject {
 public:
  LlamaCpp(const char* path, int threads) : threads_(threads) {
    llama_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
    llama_backend_init();
    llama_model_params params = llama_model_default_params();
    params.n_gpu_layers = 0;
    model_.reset(llama_model_load_from_file(path, params));
    check(model_ != nullptr, "the model does not load");
    vocabulary_ =
        static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model_.get())));
    select("default");
    prepare(1);
  }

  std::string facts() const override {
    std::string system = llama_print_system_info();
    return "\"engine\": \"llama.cpp\", \"threads\": " + std::to_string(threads_) +
           ", \"system_info\": \"" + system + "\"";
  }
  bool select(const std::string& variant) override {
    const auto found = variants().find(variant);
    if (found == variants().end()) return false;
    variant_ = found->second;
    context_.reset();
    filled_ = 0;
    return true;
  }
  void prompt(std::size_t tokens) override { fill(tokens); }
  void fill(std::size_t depth) override {
    prepare(1);
    llama_memory_clear(llama_get_memory(context_.get()), false);
    if (depth > 0) run(0, depth);
    filled_ = depth;
  }
  void decode(std::size_t tokens, std::size_t depth) override {
    prepare(1);
    if (filled_ != depth) fill(depth);
    for (std::size_t i = 0; i < tokens; ++i) run(depth + i, 1);
    const bool removed =
        llama_memory_seq_rm(llama_get_memory(context_.get()), 0, static_cast<llama_pos>(depth), -1);
    check(removed, "positions cannot be forgotten");
  }
  void streams(std::size_t sequences, std::size_t tokens) override {
    prepare(kSequences);
    llama_memory_clear(llama_get_memory(context_.get()), false);
    llama_batch batch = llama_batch_init(static_cast<int>(kSequences), 0, 1);
    for (std::size_t i = 0; i < tokens; ++i) {
      batch.n_tokens = 0;
      for (std::size_t s = 0; s < sequences; ++s) {
        add(batch, token_at(s * tokens + i, vocabulary_), i, s, true);
      }
      check(llama_decode(context_.get(), batch) == 0, "decode failed");
    }
    llama_synchronize(context_.get());
    llama_batch_free(batch);
  }
  bool read(std::size_t /*bytes*/) override { return false; }

 private:
  static void add(llama_batch& batch, llama_token token, std::size_t position, std::size_t sequence,
                  bool logits) {
    const int n = batch.n_tokens++;
    batch.token[n] = token;
    batch.pos[n] = static_cast<llama_pos>(position);
    batch.n_seq_id[n] = 1;
    batch.seq_id[n][0] = static_cast<llama_seq_id>(sequence);
    batch.logits[n] = logits ? 1 : 0;
  }

  /// A context for that many sequences; kept until another number or variant is asked for.
  void prepare(std::uint32_t sequences) {
    if (context_ != nullptr && sequences_ == sequences) return;
    llama_context_params params = llama_context_default_params();
    params.n_ctx = kPositions;
    params.n_batch = kPositions;
    params.n_ubatch = variant_.ubatch;
    params.n_seq_max = sequences;
    params.n_threads = threads_;
    params.n_threads_batch = threads_;
    params.flash_attn_type = variant_.attention;
    params.no_perf = true;
    context_.reset();
    context_.reset(llama_init_from_model(model_.get(), params));
    check(context_ != nullptr, "no context");
    sequences_ = sequences;
    filled_ = 0;
  }

  /// Positions [begin, begin + count) of sequence 0 in one call, logits of the last.
  void run(std::size_t begin, std::size_t count) {
    llama_batch batch = llama_batch_init(static_cast<int>(count), 0, 1);
    for (std::size_t i = 0; i < count; ++i) {
      add(batch, token_at(begin + i, vocabulary_), begin + i, 0, i + 1 == count);
    }
    check(llama_decode(context_.get(), batch) == 0, "decode failed");
    llama_synchronize(context_.get());
    llama_batch_free(batch);
  }

  int threads_ = 1;
  Variant variant_;
  std::uint32_t sequences_ = 0;
  std::size_t filled_ = 0;
  std::size_t vocabulary_ = 0;
  std::unique_ptr<llama_model, Free> model_;
  std::unique_ptr<llama_context, Free> context_;
};

}  // namespace
}  // namespace cairn::bench

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: peers_llama_cpp MODEL THREADS\n";
    return 2;
  }
  try {
    cairn::bench::LlamaCpp peer(argv[1], std::stoi(argv[2]));
    return cairn::bench::serve(peer);
  } catch (const std::exception& error) {
    std::cerr << "peers_llama_cpp: " << error.what() << '\n';
    return 1;
  }
}
