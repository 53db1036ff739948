#include "tests/fake_device/fake_device.h"

#include <fmt/core.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "kernels/cpu/cpu_device.h"

namespace cairn::testing {
namespace {

using kernels::Buffer;
using kernels::Device;
using kernels::KvLayout;
using kernels::Numerics;
using kernels::Ops;
using kernels::PackedMatrix;
using kernels::WeightSegment;

struct Region {
  std::byte* address = nullptr;
  std::size_t size = 0;
};

/// All regions that are given out, locked or open together.
class Vault {
 public:
  void add(Region region) { regions_.push_back(region); }
  void remove(const std::byte* address) {
    std::erase_if(regions_, [address](const Region& r) { return r.address == address; });
  }
  void protect(int rights) const {
    for (const Region& region : regions_) {
      CAIRN_CHECK(mprotect(region.address, region.size, rights) == 0);
    }
  }

 private:
  std::vector<Region> regions_;
};

/// Opens the vault for as long as it lives.
class Access {
 public:
  explicit Access(const Vault& vault) : vault_(vault) { vault_.protect(PROT_READ | PROT_WRITE); }
  ~Access() { vault_.protect(PROT_NONE); }
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;

 private:
  const Vault& vault_;
};

class FakeBuffer final : public Buffer {
 public:
  FakeBuffer(Vault& vault, Region region, std::size_t size)
      : vault_(vault), region_(region), size_(size) {
    vault_.add(region_);
  }
  ~FakeBuffer() override {
    vault_.remove(region_.address);
    munmap(region_.address, region_.size);
  }
  std::byte* address() const override { return region_.address; }
  std::size_t size() const override { return size_; }

 private:
  Vault& vault_;
  Region region_;
  std::size_t size_ = 0;
};

class FakeOps final : public Ops {
 public:
  FakeOps(Ops& inner, const Vault& vault) : inner_(inner), vault_(vault) {}
#define CAIRN_FAKE_OP(Struct, method)               \
  void method(const kernels::Struct& op) override { \
    const Access access(vault_);                    \
    inner_.method(op);                              \
  }
  CAIRN_OPS(CAIRN_FAKE_OP)
#undef CAIRN_FAKE_OP

 private:
  Ops& inner_;
  const Vault& vault_;
};

class FakeDevice final : public Device {
 public:
  explicit FakeDevice(std::unique_ptr<Device> inner) : inner_(std::move(inner)) {}

  std::string_view name() const override { return "fake"; }
  std::string_view isa() const override { return inner_->isa(); }
  Numerics numerics() const override { return inner_->numerics(); }
  kernels::CacheType default_cache_type() const override { return inner_->default_cache_type(); }

  Result<std::unique_ptr<Buffer>> allocate(std::size_t bytes) override {
    const std::size_t size = (std::max<std::size_t>(bytes, 1) + 4095) / 4096 * 4096;
    void* memory = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return too_large(fmt::format("fake memory: {} bytes", bytes));
    const Region region = {static_cast<std::byte*>(memory), size};
    return std::unique_ptr<Buffer>(std::make_unique<FakeBuffer>(vault_, region, bytes));
  }
  void upload(std::byte* to, std::span<const std::byte> from) override {
    const Access access(vault_);
    inner_->upload(to, from);
  }
  void download(std::span<std::byte> to, const std::byte* from) override {
    const Access access(vault_);
    inner_->download(to, from);
  }
  Result<std::unique_ptr<PackedMatrix>> pack(std::span<const WeightSegment> segments) override {
    return inner_->pack(segments);
  }
  Result<std::size_t> packed_bytes_bound(std::span<const WeightSegment> segments) const override {
    return inner_->packed_bytes_bound(segments);
  }
  std::size_t page_bytes(const KvLayout& layout) const override {
    return inner_->page_bytes(layout);
  }
  Status reserve_scratch(std::size_t rows, std::size_t cols_max) override {
    return inner_->reserve_scratch(rows, cols_max);
  }
  std::size_t scratch_bytes(std::size_t rows, std::size_t cols_max) const override {
    return inner_->scratch_bytes(rows, cols_max);
  }
  void run(const std::function<void(Ops&)>& forward) override {
    inner_->run([&](Ops& ops) {
      FakeOps fake(ops, vault_);
      forward(fake);
    });
  }
  void wait() override { inner_->wait(); }

 private:
  Vault vault_;
  std::unique_ptr<Device> inner_;
};

}  // namespace

Result<std::unique_ptr<Device>> create_fake_device(Numerics numerics) {
  kernels::CpuOptions options;
  options.threads = 1;
  options.isa = "portable";
  options.numerics = numerics;
  CAIRN_ASSIGN(std::unique_ptr<Device> inner, kernels::CpuDevice::create(options));
  return std::unique_ptr<Device>(std::make_unique<FakeDevice>(std::move(inner)));
}

}  // namespace cairn::testing
