// CpuMatrix: a weight as the CPU keeps it.
//
// Purpose     segments of different formats, each as row groups of 16 in P16K4 (pack/).
// Invariants  one piece of memory: segment by segment, row groups ascending, blocks of k ascending;
//             the order does not depend on threads. A segment's last group is padded with rows of
//             zero. Floats are kept as [k][16] f32 or [k / 2][16][2] f16 and bf16.
// Threads     built by the loading thread with the team's help; read only afterwards.
// Adding      a format: pack/packed_format.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "base/team.h"
#include "kernels/cpu/memory.h"
#include "kernels/cpu/pack/packed_format.h"
#include "kernels/device.h"

namespace cairn::kernels {

/// As Device::packed_layout; pack_test.cpp holds the bytes that this version stands for.
inline constexpr std::uint32_t kPackedLayout = 1;

/// Rows of one format.
struct PackedSegment {
  ElementType type = ElementType::kF32;
  const PackedFormat* format = nullptr;  // nullptr: floats
  std::size_t first_row = 0;             // within the matrix
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t group_bytes = 0;
  const std::byte* data = nullptr;

  std::size_t groups() const { return (rows + kGroupRows - 1) / kGroupRows; }
  const std::byte* group(std::size_t g) const { return data + g * group_bytes; }
};

class CpuMatrix final : public PackedMatrix {
 public:
  /// Errors: as Device::pack.
  static Result<std::unique_ptr<PackedMatrix>> create(std::span<const WeightSegment> segments,
                                                      Team& team);

  /// As Device::adopt.
  static Result<std::unique_ptr<PackedMatrix>> adopt(std::span<const WeightSegment> segments,
                                                     const PackedContents& contents);

  /// As Device::packed_bytes_bound.
  static Result<std::size_t> bytes_bound(std::span<const WeightSegment> segments);

  std::size_t rows() const override { return rows_; }
  std::size_t cols() const override { return cols_; }
  std::size_t source_bytes() const override { return source_bytes_; }
  std::size_t packed_bytes() const override { return contents_.bytes.size(); }
  std::span<const std::byte> contents() const override { return contents_.bytes; }
  std::span<const PackedSegment> segments() const { return segments_; }

 private:
  void place(PackedContents contents);

  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t source_bytes_ = 0;
  std::vector<PackedSegment> segments_;
  PackedContents contents_;
};

/// Row `row` of a segment as f32, bits as the format's decode gives them; out [cols].
void decode_row(const PackedSegment& segment, std::size_t row, float* out);

/// Value k of row r of a group of floats.
float load_float(const PackedSegment& segment, const std::byte* group, std::size_t k,
                 std::size_t r);

}  // namespace cairn::kernels
