// Tiny models of random weights, made in memory, for tests of every room above models/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/gguf/gguf.h"
#include "formats/gguf/writer.h"
#include "formats/model_file.h"

namespace cairn::tests {

/// Sizes of a tiny model. Rows are multiples of 32, so that every 32-value format can hold them.
struct TinyShape {
  std::size_t layers = 2;
  std::size_t width = 64;
  std::size_t hidden = 96;
  std::size_t heads = 4;
  std::size_t kv_heads = 2;
  std::size_t head_dim = 32;
  std::size_t tokens = 100;
  std::size_t embedding_rows = 100;
};

struct TinyTensor {
  std::string name = {};
  ElementType type = ElementType::kF32;
  std::vector<std::uint64_t> shape = {};
  std::vector<float> values = {};
};

/// A model file in parts that a test may change before it is written.
class TinyModel {
 public:
  TinyShape shape;
  formats::Metadata metadata;
  std::vector<TinyTensor> tensors;

  TinyTensor& tensor(std::string_view name);
  void remove(std::string_view name);
  /// Adds a tensor with values between -`spread` and `spread` around `middle`.
  void add(std::string name, std::vector<std::uint64_t> dims, float spread, float middle = 0);

  std::vector<std::byte> bytes() const;

 private:
  std::uint64_t seed_ = 1;
};

/// Valid models that Model::load accepts.
TinyModel tiny_llama(const TinyShape& shape = {});
TinyModel tiny_gemma3(const TinyShape& shape = {});

/// The bytes of a model file and the file parsed from them.
struct OpenModel {
  std::vector<std::byte> bytes = {};
  Result<formats::ModelFile> file = internal_error("not opened");
};

/// Writes and opens `model`.
OpenModel open(const TinyModel& model);

}  // namespace cairn::tests
