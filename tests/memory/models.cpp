#include "tests/memory/models.h"

#include <fstream>
#include <vector>

namespace cairn::tests {

void write_model(const SyntheticModel& model, const std::string& path) {
  TinyModel tiny = model.gemma ? tiny_gemma3(model.shape) : tiny_llama(model.shape);
  const std::string family = model.gemma ? "gemma3" : "llama";
  tiny.metadata.set(family + ".context_length", static_cast<std::uint32_t>(model.context));
  tiny.metadata.set("tokenizer.ggml.model", std::string("llama"));
  tiny.metadata.set("tokenizer.ggml.scores",
                    formats::array_of(std::vector<float>(model.shape.tokens)));
  tiny.metadata.set("tokenizer.ggml.token_type",
                    formats::array_of(std::vector<std::int32_t>(model.shape.tokens, 1)));
  for (TinyTensor& tensor : tiny.tensors) {
    if (tensor.shape.size() == 2) tensor.type = model.type;
  }
  const std::vector<std::byte> bytes = tiny.bytes();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

}  // namespace cairn::tests
