// A device that keeps sizes and computes nothing: for tests of loading.
#pragma once

#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/device.h"

namespace cairn::tests {

class StubMatrix final : public kernels::PackedMatrix {
 public:
  explicit StubMatrix(std::span<const kernels::WeightSegment> segments) : cols_(segments[0].cols) {
    for (const kernels::WeightSegment& segment : segments) {
      rows_ += segment.rows;
      bytes_ += segment.bytes.size();
    }
  }
  std::size_t rows() const override { return rows_; }
  std::size_t cols() const override { return cols_; }
  std::size_t source_bytes() const override { return bytes_; }
  std::size_t packed_bytes() const override { return bytes_; }

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t bytes_ = 0;
};

class StubBuffer final : public kernels::Buffer {
 public:
  explicit StubBuffer(std::size_t bytes) : bytes_(bytes) {}
  std::byte* address() const override { return bytes_.data(); }
  std::size_t size() const override { return bytes_.size(); }

 private:
  mutable std::vector<std::byte> bytes_;
};

class StubDevice final : public kernels::Device {
 public:
  std::size_t packs = 0;      // how often pack was called
  std::size_t allocated = 0;  // bytes of buffers and of scratch

  std::string_view name() const override { return "stub"; }
  std::string_view isa() const override { return "none"; }
  kernels::Numerics numerics() const override { return kernels::Numerics::kExact; }
  kernels::CacheType default_cache_type() const override { return kernels::CacheType::kBf16; }
  Result<std::unique_ptr<kernels::Buffer>> allocate(std::size_t bytes) override {
    allocated += bytes;
    return std::unique_ptr<kernels::Buffer>(std::make_unique<StubBuffer>(bytes));
  }
  void upload(std::byte* to, std::span<const std::byte> from) override {
    std::memcpy(to, from.data(), from.size());
  }
  void download(std::span<std::byte> to, const std::byte* from) override {
    std::memcpy(to.data(), from, to.size());
  }
  Result<std::unique_ptr<kernels::PackedMatrix>> pack(
      std::span<const kernels::WeightSegment> segments) override {
    ++packs;
    return std::unique_ptr<kernels::PackedMatrix>(std::make_unique<StubMatrix>(segments));
  }
  Result<std::size_t> packed_bytes_bound(
      std::span<const kernels::WeightSegment> segments) const override {
    std::size_t bytes = 0;
    for (const kernels::WeightSegment& segment : segments) {
      bytes += segment.rows * bytes_of(segment.type, segment.cols);
    }
    return bytes;
  }
  std::size_t page_bytes(const kernels::KvLayout& layout) const override {
    return kernels::kPagePositions * layout.kv_heads * layout.head_dim * 4;
  }
  Status reserve_scratch(std::size_t rows, std::size_t cols_max) override {
    allocated += scratch_bytes(rows, cols_max);
    return {};
  }
  std::size_t scratch_bytes(std::size_t rows, std::size_t cols_max) const override {
    return rows * cols_max;
  }
  void run(const std::function<void(kernels::Ops&)>&) override {}
  void wait() override {}
};

}  // namespace cairn::tests
