// Dumps llama.cpp's logits for given ids; `README.md` says how it is built and used. Not part of
// cairn's build.
//
//   llama_logits MODEL.gguf THREADS < sequences > logits
//
// Each input line is one sequence: how many leading positions to leave out, then the ids. The
// output is raw float32, one row of the vocabulary for each position that is not left out. Every
// sequence starts in an empty cache and is fed in one batch.

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "llama.h"

namespace {

void fail(const char* what) {
  std::fprintf(stderr, "llama_logits: %s\n", what);
  std::exit(1);
}

struct Sequence {
  std::size_t skip = 0;
  std::vector<llama_token> ids;
};

Sequence parse(const std::string& line) {
  std::istringstream words(line);
  Sequence sequence;
  words >> sequence.skip;
  for (llama_token id = 0; words >> id;) {
    sequence.ids.push_back(id);
  }
  return sequence;
}

void dump(llama_context* context, const Sequence& sequence, std::size_t vocabulary) {
  const auto count = static_cast<std::int32_t>(sequence.ids.size());
  llama_batch batch = llama_batch_init(count, 0, 1);
  batch.n_tokens = count;
  for (std::int32_t i = 0; i < count; ++i) {
    batch.token[i] = sequence.ids[static_cast<std::size_t>(i)];
    batch.pos[i] = i;
    batch.n_seq_id[i] = 1;
    batch.seq_id[i][0] = 0;
    batch.logits[i] = static_cast<std::size_t>(i) >= sequence.skip ? 1 : 0;
  }
  llama_memory_clear(llama_get_memory(context), true);
  if (llama_decode(context, batch) != 0) {
    fail("decode failed");
  }
  for (auto i = static_cast<std::int32_t>(sequence.skip); i < count; ++i) {
    if (std::fwrite(llama_get_logits_ith(context, i), sizeof(float), vocabulary, stdout) !=
        vocabulary) {
      fail("could not write");
    }
  }
  llama_batch_free(batch);
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    fail("usage: llama_logits MODEL.gguf THREADS < sequences > logits");
  }
  llama_log_set(
      [](ggml_log_level level, const char* text, void*) {
        if (level >= GGML_LOG_LEVEL_WARN) {
          std::fputs(text, stderr);
        }
      },
      nullptr);
  llama_backend_init();
  llama_model* model = llama_model_load_from_file(words[1], llama_model_default_params());
  if (model == nullptr) {
    fail("could not load the model");
  }
  llama_context_params options = llama_context_default_params();
  options.n_ctx = 2048;
  options.n_batch = 2048;
  options.n_threads = std::atoi(words[2]);
  options.n_threads_batch = options.n_threads;
  llama_context* context = llama_init_from_model(model, options);
  if (context == nullptr) {
    fail("could not make a context");
  }
  const auto vocabulary =
      static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model)));
  for (std::string line; std::getline(std::cin, line);) {
    dump(context, parse(line), vocabulary);
  }
  llama_free(context);
  llama_model_free(model);
  return 0;
}
