// Scratch: what ops keep between their stages, sized once by Device::reserve_scratch.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/memory.h"

namespace cairn::kernels {

/// Room for the encoded input of a projection of at most `rows` rows and `cols` columns.
class InputScratch {
 public:
  InputScratch() = default;
  /// Errors: kTooLarge.
  static Result<InputScratch> create(std::size_t rows, std::size_t cols);
  /// Bytes that create() takes.
  static std::size_t bytes(std::size_t rows, std::size_t cols);

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }

  Matrix values(std::size_t rows, std::size_t cols) const;
  Quantised a32(std::size_t cols) const;
  Quantised a256(std::size_t cols) const;

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  HostMemory memory_;
};

/// What one worker has for itself.
struct WorkerScratch {
  InputScratch inputs;                // for replicated rows
  HostMemory tiles;                   // four tiles of kTileFloats
  HostMemory head;                    // wide, or cosines and sines
  HostMemory best;                    // RunningBest of a tile's rows
  HostMemory queries;                 // results of the queries of one chunk
  std::vector<std::uint32_t> wanted;  // rows that want logits
};

/// Tokens that share one unpacking of a weight block, at most.
inline constexpr std::size_t kTileTokens = 256;

/// Results that kernels write before an epilogue reads them: [groups][tokens][16].
inline constexpr std::size_t kTileFloats = kTileTokens * kGroupRows;

}  // namespace cairn::kernels
