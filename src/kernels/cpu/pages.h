// Pages: where a layer's keys and values stand (reference/cpu-performance.md 4.7).
//
// A page holds 32 slots. Per kv head: keys [d / 2][32][2], so that one vector is many slots of two
// dimensions; then values [16][d][2], so that one vector is many dimensions of two slots. An odd
// head_dim is padded to even. Elements are bf16 or f32. In int8 nothing is paired or padded: keys
// are codes [d][32], values codes [32][d]; behind either stand f32 scales [d / 32, rounded up][32].
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/float16.h"
#include "kernels/ops.h"

namespace cairn::kernels {

/// As Device::page_layout: another number whenever any of the above lies otherwise.
inline constexpr std::uint32_t kPageLayout = 1;

/// Heads are stored with an even number of dimensions: pairs are kept together.
inline std::size_t even_dim(const KvLayout& layout) { return (layout.head_dim + 1) / 2 * 2; }

/// Dimensions of a cached head under one int8 scale.
inline constexpr std::size_t kInt8Dims = 32;

/// Scales of a cached head.
inline std::size_t int8_blocks(const KvLayout& layout) {
  return (layout.head_dim + kInt8Dims - 1) / kInt8Dims;
}

/// Bytes of one cached value.
inline std::size_t cache_element_bytes(CacheType type) {
  if (type == CacheType::kInt8) return 1;
  return type == CacheType::kBf16 ? 2 : 4;
}

/// Bytes of one kv head's keys (or values) in a page.
inline std::size_t page_part_bytes(const KvLayout& layout) {
  if (layout.type == CacheType::kInt8) {
    return kPagePositions * (layout.head_dim + int8_blocks(layout) * sizeof(float));
  }
  return kPagePositions * even_dim(layout) * cache_element_bytes(layout.type);
}

/// Bytes of a page: keys and values of every kv head.
inline std::size_t cpu_page_bytes(const KvLayout& layout) {
  return 2 * layout.kv_heads * page_part_bytes(layout);
}

/// The keys of one kv head in one page; the values follow.
inline std::byte* page_keys(const KvPages& cache, std::uint32_t page, std::size_t kv_head) {
  return cache.pool + page * cpu_page_bytes(cache.layout) +
         2 * kv_head * page_part_bytes(cache.layout);
}

/// Index of a key's dimension among one head's keys of a page.
inline std::size_t key_index(std::size_t dim, std::size_t slot) {
  return dim / 2 * 2 * kPagePositions + slot % kPagePositions * 2 + dim % 2;
}

/// Index of a value's dimension among one head's values of a page.
inline std::size_t value_index(const KvLayout& layout, std::size_t dim, std::size_t slot) {
  return slot % kPagePositions / 2 * 2 * even_dim(layout) + 2 * dim + slot % 2;
}

/// The int8 codes of one head's keys at a dimension of every slot: [32].
inline const std::int8_t* int8_keys(const std::byte* part, std::size_t dim) {
  return reinterpret_cast<const std::int8_t*>(part) + dim * kPagePositions;
}

/// The int8 codes of one head's values in a slot: [head_dim].
inline const std::int8_t* int8_values(const KvLayout& layout, const std::byte* part,
                                      std::size_t slot) {
  return reinterpret_cast<const std::int8_t*>(part) + slot % kPagePositions * layout.head_dim;
}

/// The scales of block `block` of one head's int8 keys, or of its values, in a page: [32].
inline const float* int8_scales(const KvLayout& layout, const std::byte* part, std::size_t block) {
  return reinterpret_cast<const float*>(part + kPagePositions * layout.head_dim) +
         block * kPagePositions;
}

/// Writes one value as the cache type keeps it.
inline void store_cached(CacheType type, std::byte* base, std::size_t index, float value) {
  if (type == CacheType::kF32) {
    std::memcpy(base + 4 * index, &value, 4);
    return;
  }
  const std::uint16_t bits = f32_to_bf16(value);
  std::memcpy(base + 2 * index, &bits, 2);
}

/// Reads one value back.
inline float load_cached(CacheType type, const std::byte* base, std::size_t index) {
  if (type == CacheType::kF32) {
    float value = 0;
    std::memcpy(&value, base + 4 * index, 4);
    return value;
  }
  std::uint16_t bits = 0;
  std::memcpy(&bits, base + 2 * index, 2);
  return bf16_to_f32(bits);
}

/// Dimension `dim` of the key that one head keeps in a slot, of a cache of any type.
inline float cached_key(const KvLayout& layout, const std::byte* part, std::size_t dim,
                        std::size_t slot) {
  if (layout.type != CacheType::kInt8) return load_cached(layout.type, part, key_index(dim, slot));
  const float scale = int8_scales(layout, part, dim / kInt8Dims)[slot % kPagePositions];
  return static_cast<float>(int8_keys(part, dim)[slot % kPagePositions]) * scale;
}

/// The same of a value.
inline float cached_value(const KvLayout& layout, const std::byte* part, std::size_t dim,
                          std::size_t slot) {
  if (layout.type != CacheType::kInt8) {
    return load_cached(layout.type, part, value_index(layout, dim, slot));
  }
  const float scale = int8_scales(layout, part, dim / kInt8Dims)[slot % kPagePositions];
  return static_cast<float>(int8_values(layout, part, slot)[dim]) * scale;
}

}  // namespace cairn::kernels
