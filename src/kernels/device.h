// Device: where weights, caches and the forward pass live.
//
// Purpose     the one seam between models/, engine/ and hardware.
// Invariants  an address that a device gave out is followed only by that device's ops, upload and
//             download; packed layout and page layout are the device's own.
// Threads     create, allocate, pack: the loading thread. run: the engine thread, which becomes
//             worker 0. Ops objects: one per worker.
// Adding      a folder in kernels/ and its row in tiers.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "base/status.h"
#include "kernels/ops.h"
#include "tensor/element_type.h"

namespace cairn::kernels {

enum class Numerics : std::uint8_t { kExact, kFast, kReference };

/// A weight as the device keeps it. Opaque outside the device.
class PackedMatrix {
 public:
  virtual ~PackedMatrix() = default;
  virtual std::size_t rows() const = 0;
  virtual std::size_t cols() const = 0;
  virtual std::size_t source_bytes() const = 0;  // as the file has it, without padding
  virtual std::size_t packed_bytes() const = 0;
  /// As the device keeps it, for Device::adopt at another time; empty where it cannot be kept.
  virtual std::span<const std::byte> contents() const { return {}; }
};

/// What PackedMatrix::contents() of an earlier pack gave, at an address that is a multiple of 64.
struct PackedContents {
  std::span<const std::byte> bytes = {};
  std::shared_ptr<const void> owner = {};  // keeps `bytes`
};

/// Rows of a weight as they stand in a file; a fused weight is a list of these, top to bottom.
/// `bytes` are host memory, row-major blocks of `type`, needed only while packing.
struct WeightSegment {
  ElementType type = ElementType::kF32;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::span<const std::byte> bytes = {};
};

/// Device memory, freed with this object, zeroed when given out, aligned to 4096 bytes.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual std::byte* address() const = 0;
  virtual std::size_t size() const = 0;
};

/// The ops as one worker calls them.
class Ops {
 public:
  virtual ~Ops() = default;
#define CAIRN_DECLARE_OP(Struct, method) virtual void method(const Struct& op) = 0;
  CAIRN_OPS(CAIRN_DECLARE_OP)
#undef CAIRN_DECLARE_OP
};

class Device {
 public:
  virtual ~Device() = default;

  virtual std::string_view name() const = 0;  // "cpu"
  virtual std::string_view isa() const = 0;   // "portable"
  virtual Numerics numerics() const = 0;
  /// What caches on this device keep, as it was opened.
  virtual CacheType default_cache_type() const = 0;

  /// Errors: kTooLarge with the bytes asked for when the system has no memory left.
  virtual Result<std::unique_ptr<Buffer>> allocate(std::size_t bytes) = 0;
  virtual void upload(std::byte* to, std::span<const std::byte> from) = 0;
  virtual void download(std::span<std::byte> to, const std::byte* from) = 0;

  /// Errors: kUnsupported naming a type that is never a weight; kInvalidArgument when segments
  /// differ in columns or bytes do not match rows and columns.
  virtual Result<std::unique_ptr<PackedMatrix>> pack(std::span<const WeightSegment> segments) = 0;

  /// The version of what contents() gives: it changes whenever the same segments are packed to
  /// other bytes. 0: this device keeps nothing that could be adopted.
  virtual std::uint32_t packed_layout() const { return 0; }

  /// A weight of `segments`, whose `bytes` are not read, from what they were packed to before. Any
  /// bytes are safe to compute with; only right ones give right numbers.
  /// Errors: as packed_bytes_bound; kInvalidFile when the contents are of another size;
  /// kUnsupported where packed_layout() is 0.
  virtual Result<std::unique_ptr<PackedMatrix>> adopt(
      [[maybe_unused]] std::span<const WeightSegment> segments,
      [[maybe_unused]] const PackedContents& contents) {
    return unsupported("this device does not take packed weights from a file");
  }

  /// Bytes that pack() of these segments keeps, at most; their `bytes` are not read. Errors: as
  /// pack(), but for bytes that do not match.
  virtual Result<std::size_t> packed_bytes_bound(std::span<const WeightSegment> segments) const = 0;

  /// Bytes of one page of kPagePositions positions of one layer.
  virtual std::size_t page_bytes(const KvLayout& layout) const = 0;

  /// The version of how keys and values lie in a page. 0: no other device can read them.
  virtual std::uint32_t page_layout() const { return 0; }

  /// Bytes of scratch that ops of at most `rows` rows, `cols_max` columns wide, keep inside the
  /// device; reserves it. Called once before the first run.
  virtual Status reserve_scratch(std::size_t rows, std::size_t cols_max) = 0;

  /// Bytes that reserve_scratch of the same arguments keeps and its ops touch, at most.
  virtual std::size_t scratch_bytes(std::size_t rows, std::size_t cols_max) const = 0;

  /// Runs `forward` once on every worker and returns when all are done.
  virtual void run(const std::function<void(Ops&)>& forward) = 0;
  virtual void wait() = 0;
};

}  // namespace cairn::kernels
