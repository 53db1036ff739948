#include "kernels/cpu/packed_matrix.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/checked.h"
#include "base/float16.h"

namespace cairn::kernels {
namespace {

bool is_float(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kF16 || type == ElementType::kBF16;
}

constexpr std::size_t kColsMax = std::size_t{1} << 30;  // a packed group of it fits 64 bits

std::size_t float_size(ElementType type) { return type == ElementType::kF32 ? 4 : 2; }

/// Bytes of a row group, or an error when the row cannot be cut into blocks.
Result<std::size_t> group_bytes_of(const WeightSegment& segment) {
  const ElementTypeInfo& type = info(segment.type);
  if (segment.cols == 0 || segment.cols % type.block_values != 0) {
    return invalid_argument(fmt::format("pack: a row of {} {} values is not whole blocks of {}",
                                        segment.cols, type.name, type.block_values));
  }
  if (segment.cols > kColsMax) {
    return too_large(
        fmt::format("pack: a row of {} values, accepted are up to {}", segment.cols, kColsMax));
  }
  if (is_float(segment.type)) {
    const std::size_t values = (segment.cols + 1) / 2 * 2;
    return values * kGroupRows * float_size(segment.type);
  }
  const PackedFormat* format = find_packed_format(segment.type);
  if (format == nullptr) {
    return unsupported(fmt::format("pack: {} cannot be a matrix on the cpu device", type.name));
  }
  return segment.cols / format->block_values * format->block_bytes;
}

Status check_bytes(const WeightSegment& segment) {
  const ElementTypeInfo& type = info(segment.type);
  const std::size_t row_bytes = segment.cols / type.block_values * type.block_bytes;
  const std::optional<std::uint64_t> expected = checked_mul(segment.rows, row_bytes);
  if (!expected || *expected != segment.bytes.size()) {
    return invalid_argument(fmt::format("pack: {} x {} of {} got {} bytes, expected {}",
                                        segment.rows, segment.cols, type.name, segment.bytes.size(),
                                        expected.value_or(0)));
  }
  return {};
}

struct PackJob {
  const WeightSegment* source = nullptr;
  const PackedSegment* target = nullptr;
  std::byte* data = nullptr;
};

void pack_quantised(const PackJob& job, std::size_t group) {
  const PackedFormat& format = *job.target->format;
  const std::size_t block_bytes = info(job.source->type).block_bytes;
  const std::size_t blocks = job.source->cols / format.block_values;
  static constexpr std::array<std::byte, 512> kZeros = {};
  std::byte* out = job.data + group * job.target->group_bytes;
  for (std::size_t b = 0; b < blocks; ++b, out += format.block_bytes) {
    std::array<const std::byte*, kGroupRows> rows;
    for (std::size_t r = 0; r < kGroupRows; ++r) {
      const std::size_t row = group * kGroupRows + r;
      rows[r] = row < job.source->rows ? job.source->bytes.data() + (row * blocks + b) * block_bytes
                                       : kZeros.data();
    }
    format.pack(rows.data(), out);
  }
}

/// Byte offset of value k of row r in a group of floats.
std::size_t float_offset(ElementType type, std::size_t k, std::size_t r) {
  if (type == ElementType::kF32) return 4 * (k * kGroupRows + r);
  return 2 * (k / 2 * 2 * kGroupRows + 2 * r + k % 2);
}

void pack_floats(const PackJob& job, std::size_t group) {
  const std::size_t size = float_size(job.source->type);
  std::byte* out = job.data + group * job.target->group_bytes;
  const std::size_t rows = std::min(kGroupRows, job.source->rows - group * kGroupRows);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::byte* from =
        job.source->bytes.data() + (group * kGroupRows + r) * job.source->cols * size;
    for (std::size_t k = 0; k < job.source->cols; ++k) {
      std::memcpy(out + float_offset(job.source->type, k, r), from + k * size, size);
    }
  }
}

void pack_segment(const PackJob& job, std::size_t worker, std::size_t workers) {
  const std::size_t groups = job.target->groups();
  for (std::size_t g = groups * worker / workers; g < groups * (worker + 1) / workers; ++g) {
    job.target->format != nullptr ? pack_quantised(job, g) : pack_floats(job, g);
  }
}

/// Checks every segment but its bytes and lays them out; returns the bytes they take packed.
Result<std::size_t> lay_out(std::span<const WeightSegment> sources,
                            std::vector<PackedSegment>& segments) {
  if (sources.empty()) return invalid_argument("pack: no segments");
  std::size_t rows = 0;
  std::uint64_t bytes = 0;
  for (const WeightSegment& source : sources) {
    if (source.cols != sources[0].cols) {
      return invalid_argument(
          fmt::format("pack: segments of {} and {} columns cannot be one matrix", sources[0].cols,
                      source.cols));
    }
    CAIRN_ASSIGN(const std::size_t group_bytes, group_bytes_of(source));
    segments.push_back({.type = source.type,
                        .format = find_packed_format(source.type),
                        .first_row = rows,
                        .rows = source.rows,
                        .cols = source.cols,
                        .group_bytes = group_bytes});
    rows += source.rows;
    const auto size = checked_mul(segments.back().groups(), group_bytes);
    const auto total = size ? checked_add(bytes, *size) : std::nullopt;
    if (!total) return too_large(fmt::format("pack: {} rows cannot be addressed", source.rows));
    bytes = *total;
  }
  return static_cast<std::size_t>(bytes);
}

}  // namespace

Result<std::unique_ptr<PackedMatrix>> CpuMatrix::create(std::span<const WeightSegment> segments,
                                                        Team& team) {
  auto matrix = std::make_unique<CpuMatrix>();
  CAIRN_ASSIGN(const std::size_t bytes, lay_out(segments, matrix->segments_));
  for (const WeightSegment& segment : segments) CAIRN_TRY(check_bytes(segment));
  CAIRN_ASSIGN(HostMemory memory, HostMemory::create(bytes));
  std::byte* const begin = memory.data();
  matrix->place(
      {.bytes = {begin, bytes}, .owner = std::make_shared<HostMemory>(std::move(memory))});
  std::vector<PackJob> jobs;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const PackedSegment& target = matrix->segments_[i];
    jobs.push_back({&segments[i], &target, begin + (target.data - begin)});
    matrix->source_bytes_ += segments[i].bytes.size();
  }
  team.run([&](std::size_t worker) {
    for (const PackJob& job : jobs) pack_segment(job, worker, team.workers());
  });
  return std::unique_ptr<PackedMatrix>(std::move(matrix));
}

Result<std::unique_ptr<PackedMatrix>> CpuMatrix::adopt(std::span<const WeightSegment> segments,
                                                       const PackedContents& contents) {
  auto matrix = std::make_unique<CpuMatrix>();
  CAIRN_ASSIGN(const std::size_t bytes, lay_out(segments, matrix->segments_));
  if (contents.bytes.size() != bytes) {
    return invalid_file(
        fmt::format("a packed weight has {} bytes, expected {}", contents.bytes.size(), bytes));
  }
  CAIRN_CHECK(reinterpret_cast<std::uintptr_t>(contents.bytes.data()) % 64 == 0);
  matrix->place(contents);
  for (const WeightSegment& segment : segments) {
    matrix->source_bytes_ += segment.rows * bytes_of(segment.type, segment.cols);
  }
  return std::unique_ptr<PackedMatrix>(std::move(matrix));
}

/// Keeps the contents and lets the segments that were laid out point into them.
void CpuMatrix::place(PackedContents contents) {
  contents_ = std::move(contents);
  const std::byte* at = contents_.bytes.data();
  for (PackedSegment& segment : segments_) {
    segment.data = at;
    at += segment.groups() * segment.group_bytes;
    rows_ += segment.rows;
  }
  cols_ = segments_[0].cols;
}

Result<std::size_t> CpuMatrix::bytes_bound(std::span<const WeightSegment> segments) {
  std::vector<PackedSegment> unused;
  return lay_out(segments, unused);
}

float load_float(const PackedSegment& segment, const std::byte* group, std::size_t k,
                 std::size_t r) {
  const std::byte* at = group + float_offset(segment.type, k, r);
  if (segment.type == ElementType::kF32) {
    float value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  std::uint16_t half = 0;
  std::memcpy(&half, at, sizeof half);
  return segment.type == ElementType::kF16 ? f16_to_f32(half) : bf16_to_f32(half);
}

void decode_row(const PackedSegment& segment, std::size_t row, float* out) {
  const std::byte* group = segment.group(row / kGroupRows);
  const std::size_t r = row % kGroupRows;
  if (segment.format == nullptr) {
    for (std::size_t k = 0; k < segment.cols; ++k) out[k] = load_float(segment, group, k, r);
    return;
  }
  const PackedFormat& format = *segment.format;
  Tile tile;
  for (std::size_t k = 0; k < segment.cols; k += format.block_values) {
    format.unpack(group, tile);
    decode_tile(tile, format.form, r, format.block_values, out + k);
    group += format.block_bytes;
  }
}

}  // namespace cairn::kernels
