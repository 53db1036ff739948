// An Embedding over a stream of the engine.
#pragma once

#include <memory>
#include <vector>

#include "engine/engine.h"
#include "runtime/runtime.h"

namespace cairn::runtime {

class PooledEmbedding final : public Embedding {
 public:
  explicit PooledEmbedding(std::unique_ptr<engine::Stream> stream) : stream_(std::move(stream)) {}

  Result<std::vector<float>> wait() override;
  Result<std::optional<std::vector<float>>> take() override;
  std::size_t prompt_tokens() const override { return stream_->figures().prompt_tokens; }
  std::size_t cached_tokens() const override { return stream_->figures().cached_tokens; }

 private:
  Result<std::vector<float>> vector() const;

  std::unique_ptr<engine::Stream> stream_;
};

}  // namespace cairn::runtime
