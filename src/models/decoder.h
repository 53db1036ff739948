// Model: a decoder loaded onto a device, ready to run steps.
//
// Purpose     the one forward pass of every family: embed, layers, logits.
// Invariants  after load nothing can fail and nothing is allocated; no address is followed here;
//             a file is refused by name when a tensor is missing, left over or of a wrong shape,
//             or when a config key that changes the result is not understood.
// Threads     load on one thread; forward by every worker of the device's team at once.
// Adding      a family: its file in families/ and its row in registry.cpp. A new kind of block:
//             its files in blocks/ and its alternative in decoder_spec.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "formats/model_file.h"
#include "kernels/device.h"
#include "models/cache_spec.h"
#include "models/step.h"

namespace cairn::models {

/// What loading did with bytes.
struct LoadFigures {
  std::uint64_t mapped_bytes = 0;    // of the files that were mapped
  std::uint64_t packed_bytes = 0;    // written as packed weights
  std::uint64_t copied_bytes = 0;    // vectors, written to the device as floats
  std::uint64_t released_bytes = 0;  // of the mapping, given back as soon as they were read

  bool operator==(const LoadFigures&) const = default;
};

/// What is known of a model once it is loaded.
struct ModelInfo {
  std::string architecture;  // "llama"
  std::string name;          // as the file calls itself; may be empty
  std::size_t layers = 0;
  std::size_t width = 0;
  std::size_t vocabulary = 0;         // ids are 0 up to this: tokens of the tokenizer
  std::size_t embedding_rows = 0;     // of the file; those past the vocabulary are never used
  std::size_t context_length = 0;     // positions it was trained for
  std::uint64_t weight_bytes = 0;     // as the file has them
  std::uint64_t packed_bytes = 0;     // as the device keeps them
  std::uint64_t bytes_per_token = 0;  // file bytes that one generated token reads: all weights
                                      // once, of an untied embedding table one row
  LoadFigures load = {};
  std::vector<std::string> warnings = {};  // what did not work and was done without; one line each
};

/// How to load.
struct LoadOptions {
  /// Called on the loading thread with bytes done and bytes in all; returns false to cancel.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress = {};
  /// Where packed weights are kept and looked for (PackedCache); empty: nowhere.
  std::string packed_folder = {};
};

class Block;

class Model {
 public:
  /// Reads configuration, checks every tensor, then packs the weights onto `device`, which must
  /// outlive the model. The file may go afterwards.
  /// Errors: kUnsupported for an architecture or key not understood; kInvalidFile naming the
  /// tensor or key; kTooLarge; kCancelled when progress said so.
  static Result<std::unique_ptr<Model>> load(const formats::ModelFile& file,
                                             kernels::Device& device, const LoadOptions& options);
  ~Model();

  const ModelInfo& info() const { return info_; }
  /// One per cache slot; Step::caches has their pages in this order.
  std::span<const CacheSpec> caches() const { return caches_; }
  const ScratchShape& scratch_shape() const { return scratch_shape_; }

  /// Runs `step`; every worker calls it inside Device::run. Logits are in Scratch::logits, hidden
  /// states behind the last norm in Scratch::normed, by row of the step.
  void forward(const Step& step, kernels::Ops& ops) const;

  /// The parts of forward, for tests that look at Scratch::x between them. Layer n is block 2 n,
  /// its mixer, and block 2 n + 1, its feed-forward.
  std::size_t blocks() const { return blocks_.size(); }
  void embed(const Step& step, kernels::Ops& ops) const;
  void run_block(std::size_t block, const Step& step, kernels::Ops& ops) const;
  void logits(const Step& step, kernels::Ops& ops) const;
  void hidden(const Step& step, kernels::Ops& ops) const;

 private:
  friend class ModelBuilder;
  Model();

  ModelInfo info_;
  ScratchShape scratch_shape_;
  std::vector<CacheSpec> caches_;
  std::vector<std::unique_ptr<Block>> blocks_;
  kernels::Embed embed_;    // rows and out are each step's
  kernels::Logits logits_;  // likewise
  std::vector<std::unique_ptr<kernels::PackedMatrix>> matrices_;
  std::vector<std::unique_ptr<kernels::Buffer>> vectors_;
};

}  // namespace cairn::models
