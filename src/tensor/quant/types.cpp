// The table of element types. Adding one: its pair of files, then its line here.
#include <algorithm>
#include <array>

#include "base/status.h"
#include "tensor/element_type.h"
#include "tensor/quant/iq1_m.h"
#include "tensor/quant/iq1_s.h"
#include "tensor/quant/iq2_s.h"
#include "tensor/quant/iq2_xs.h"
#include "tensor/quant/iq2_xxs.h"
#include "tensor/quant/iq3_s.h"
#include "tensor/quant/iq3_xxs.h"
#include "tensor/quant/iq4_nl.h"
#include "tensor/quant/iq4_xs.h"
#include "tensor/quant/mxfp4.h"
#include "tensor/quant/nvfp4.h"
#include "tensor/quant/plain.h"
#include "tensor/quant/q1_0.h"
#include "tensor/quant/q2_0.h"
#include "tensor/quant/q2_k.h"
#include "tensor/quant/q3_k.h"
#include "tensor/quant/q4_0.h"
#include "tensor/quant/q4_1.h"
#include "tensor/quant/q4_k.h"
#include "tensor/quant/q5_0.h"
#include "tensor/quant/q5_1.h"
#include "tensor/quant/q5_k.h"
#include "tensor/quant/q6_k.h"
#include "tensor/quant/q8_0.h"
#include "tensor/quant/tq1_0.h"
#include "tensor/quant/tq2_0.h"

namespace cairn {
namespace tensor {
namespace {

using DecodeBlock = void (*)(const std::byte*, float*);
using EncodeBlock = void (*)(const float*, std::byte*);

template <std::size_t kValues, std::size_t kBytes, DecodeBlock kDecode>
void decode_blocks(const std::byte* blocks, std::size_t values, float* out) {
  for (std::size_t done = 0; done + kValues <= values; done += kValues) {
    kDecode(blocks, out);
    blocks += kBytes;
    out += kValues;
  }
}

template <std::size_t kValues, std::size_t kBytes, EncodeBlock kEncode>
void encode_blocks(const float* from, std::size_t values, std::byte* out) {
  for (std::size_t done = 0; done + kValues <= values; done += kValues) {
    kEncode(from, out);
    from += kValues;
    out += kBytes;
  }
}

template <std::size_t kValues, std::size_t kBytes, DecodeBlock kDecode,
          EncodeBlock kEncode = nullptr>
constexpr ElementTypeInfo blocks_of(ElementType type, std::string_view name) {
  ElementTypeInfo row{.type = type,
                      .name = name,
                      .block_values = kValues,
                      .block_bytes = kBytes,
                      .decode = &decode_blocks<kValues, kBytes, kDecode>};
  if constexpr (kEncode != nullptr) row.encode = &encode_blocks<kValues, kBytes, kEncode>;
  return row;
}

constexpr ElementTypeInfo plain(ElementType type, std::string_view name, std::uint32_t bytes,
                                DecodeFunction decode, EncodeFunction encode = nullptr) {
  return {.type = type,
          .name = name,
          .block_values = 1,
          .block_bytes = bytes,
          .decode = decode,
          .encode = encode};
}

constexpr auto kTypes = [] {
  using enum ElementType;
  return std::to_array<ElementTypeInfo>({
      plain(kF32, "F32", 4, decode_f32, encode_f32),
      plain(kF16, "F16", 2, decode_f16, encode_f16),
      blocks_of<32, 18, decode_q4_0, encode_q4_0>(kQ4_0, "Q4_0"),
      blocks_of<32, 20, decode_q4_1, encode_q4_1>(kQ4_1, "Q4_1"),
      blocks_of<32, 22, decode_q5_0, encode_q5_0>(kQ5_0, "Q5_0"),
      blocks_of<32, 24, decode_q5_1, encode_q5_1>(kQ5_1, "Q5_1"),
      blocks_of<32, 34, decode_q8_0, encode_q8_0>(kQ8_0, "Q8_0"),
      blocks_of<256, 84, decode_q2_k>(kQ2_K, "Q2_K"),
      blocks_of<256, 110, decode_q3_k>(kQ3_K, "Q3_K"),
      blocks_of<256, 144, decode_q4_k, encode_q4_k>(kQ4_K, "Q4_K"),
      blocks_of<256, 176, decode_q5_k>(kQ5_K, "Q5_K"),
      blocks_of<256, 210, decode_q6_k, encode_q6_k>(kQ6_K, "Q6_K"),
      blocks_of<256, 66, decode_iq2_xxs>(kIQ2_XXS, "IQ2_XXS"),
      blocks_of<256, 74, decode_iq2_xs>(kIQ2_XS, "IQ2_XS"),
      blocks_of<256, 98, decode_iq3_xxs>(kIQ3_XXS, "IQ3_XXS"),
      blocks_of<256, 50, decode_iq1_s>(kIQ1_S, "IQ1_S"),
      blocks_of<32, 18, decode_iq4_nl>(kIQ4_NL, "IQ4_NL"),
      blocks_of<256, 110, decode_iq3_s>(kIQ3_S, "IQ3_S"),
      blocks_of<256, 82, decode_iq2_s>(kIQ2_S, "IQ2_S"),
      blocks_of<256, 136, decode_iq4_xs>(kIQ4_XS, "IQ4_XS"),
      plain(kI8, "I8", 1, decode_i8),
      plain(kI16, "I16", 2, decode_i16),
      plain(kI32, "I32", 4, decode_i32),
      plain(kI64, "I64", 8, decode_i64),
      plain(kF64, "F64", 8, decode_f64),
      blocks_of<256, 56, decode_iq1_m>(kIQ1_M, "IQ1_M"),
      plain(kBF16, "BF16", 2, decode_bf16, encode_bf16),
      blocks_of<256, 54, decode_tq1_0>(kTQ1_0, "TQ1_0"),
      blocks_of<256, 66, decode_tq2_0>(kTQ2_0, "TQ2_0"),
      blocks_of<32, 17, decode_mxfp4>(kMXFP4, "MXFP4"),
      blocks_of<64, 36, decode_nvfp4>(kNVFP4, "NVFP4"),
      blocks_of<128, 18, decode_q1_0>(kQ1_0, "Q1_0"),
      blocks_of<64, 18, decode_q2_0>(kQ2_0, "Q2_0"),
  });
}();

struct RefusedType {
  std::uint32_t id = 0;
  std::string_view why;
};

constexpr RefusedType kRefused[] = {
    {4, "Q4_2, which was removed from the format in 2023"},
    {5, "Q4_3, which was removed from the format in 2023"},
    {9, "Q8_1, which holds activations and is never a weight's type"},
    {15, "Q8_K, which holds activations and is never a weight's type"},
    {31, "Q4_0_4_4, which was removed from the format: convert to Q4_0"},
    {32, "Q4_0_4_8, which was removed from the format: convert to Q4_0"},
    {33, "Q4_0_8_8, which was removed from the format: convert to Q4_0"},
    {36, "IQ4_NL_4_4, which was removed from the format: convert to IQ4_NL"},
    {37, "IQ4_NL_4_8, which was removed from the format: convert to IQ4_NL"},
    {38, "IQ4_NL_8_8, which was removed from the format: convert to IQ4_NL"},
};

constexpr bool by_id(const ElementTypeInfo& a, const ElementTypeInfo& b) { return a.type < b.type; }
static_assert(std::is_sorted(kTypes.begin(), kTypes.end(), by_id));

}  // namespace
}  // namespace tensor

std::span<const ElementTypeInfo> element_types() { return tensor::kTypes; }

const ElementTypeInfo* find_element_type(std::uint32_t id) {
  for (const ElementTypeInfo& row : tensor::kTypes) {
    if (static_cast<std::uint32_t>(row.type) == id) return &row;
  }
  return nullptr;
}

const ElementTypeInfo* find_element_type(std::string_view name) {
  for (const ElementTypeInfo& row : tensor::kTypes) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const ElementTypeInfo& info(ElementType type) {
  const ElementTypeInfo* row = find_element_type(static_cast<std::uint32_t>(type));
  CAIRN_CHECK(row != nullptr);
  return *row;
}

std::string_view refused_element_type(std::uint32_t id) {
  for (const tensor::RefusedType& refused : tensor::kRefused) {
    if (refused.id == id) return refused.why;
  }
  return {};
}

std::size_t bytes_of(ElementType type, std::size_t values) {
  const ElementTypeInfo& row = info(type);
  CAIRN_CHECK(values % row.block_values == 0);
  return values / row.block_values * row.block_bytes;
}

}  // namespace cairn
