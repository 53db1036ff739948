// Opens a model file for generation: device, memory plan, tokenizer, weights, engine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "formats/model_file.h"
#include "kernels/device.h"
#include "models/decoder.h"
#include "runtime/chat.h"
#include "runtime/file_sampling.h"
#include "runtime/memory.h"
#include "runtime/runtime.h"
#include "runtime/sizes.h"
#include "tokenizer/tokenizer.h"

namespace cairn::runtime {

/// The tokenizer's bytes as the engine asks for them.
class TokenizerBytes final : public engine::TokenBytes {
 public:
  explicit TokenizerBytes(const tokenizer::Tokenizer& tokenizer) : tokenizer_(tokenizer) {}
  std::size_t size() const override { return tokenizer_.size(); }
  std::string_view bytes(TokenId id) const override { return tokenizer_.bytes(id); }

 private:
  const tokenizer::Tokenizer& tokenizer_;
};

/// Everything an open model consists of; later members use earlier ones.
struct OpenModel {
  ModelFacts facts = {};
  MemoryBase base = {};
  Sizes sizes = {};
  std::vector<std::string> warnings = {};
  FileSampling sampling = {};
  std::unique_ptr<tokenizer::Tokenizer> tokenizer = {};
  std::unique_ptr<TokenizerBytes> bytes = {};
  std::unique_ptr<Chat> chat = {};
  std::unique_ptr<kernels::Device> device = {};
  std::unique_ptr<models::Model> model = {};
  std::unique_ptr<engine::Engine> engine = {};
};

/// Everything but weights and engine: tokenizer, template, device, and the sizes that were chosen.
/// `base` is what measure_program() said before the file was opened. Errors: as Runtime::open.
Result<OpenModel> prepare_model(const OpenOptions& options, const formats::ModelFile& file,
                                const MemoryBase& base);

/// Errors: as Runtime::open.
Result<OpenModel> open_model(const OpenOptions& options);

}  // namespace cairn::runtime
