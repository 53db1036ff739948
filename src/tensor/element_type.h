// Element types: what a stored tensor's bytes mean, and how they become f32 and back.
//
// Purpose     one row per type (quant/types.cpp); readers, kernels and listings ask the table.
// Invariants  ids are ggml's and are stored in files; a row of a tensor is whole blocks; decoding
//             accepts any bytes and reads exactly the blocks it is told to read; results are the
//             same bits as the Python package `gguf` gives.
// Threads     constant tables and pure functions.
// Adding      a type: quant/<name>.{h,cpp}, an enumerator here, its row in quant/types.cpp and its
//             golden from quant/make_goldens.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cairn {

// NOLINTBEGIN(readability-identifier-naming): the names are the format's own
/// Types a weight can have. The numbers are ggml's (ggml.h, enum ggml_type).
enum class ElementType : std::uint32_t {
  kF32 = 0,
  kF16 = 1,
  kQ4_0 = 2,
  kQ4_1 = 3,
  kQ5_0 = 6,
  kQ5_1 = 7,
  kQ8_0 = 8,
  kQ2_K = 10,
  kQ3_K = 11,
  kQ4_K = 12,
  kQ5_K = 13,
  kQ6_K = 14,
  kIQ2_XXS = 16,
  kIQ2_XS = 17,
  kIQ3_XXS = 18,
  kIQ1_S = 19,
  kIQ4_NL = 20,
  kIQ3_S = 21,
  kIQ2_S = 22,
  kIQ4_XS = 23,
  kI8 = 24,
  kI16 = 25,
  kI32 = 26,
  kI64 = 27,
  kF64 = 28,
  kIQ1_M = 29,
  kBF16 = 30,
  kTQ1_0 = 34,
  kTQ2_0 = 35,
  kMXFP4 = 39,
  kNVFP4 = 40,
  kQ1_0 = 41,
  kQ2_0 = 42,
};
// NOLINTEND(readability-identifier-naming)

/// Turns `values` (a multiple of the block's) stored values at `blocks` into f32 at `out`.
/// Any alignment of `blocks` and any bytes are fine.
using DecodeFunction = void (*)(const std::byte* blocks, std::size_t values, float* out);

/// Turns `values` (a multiple of the block's) floats into blocks at `out`.
using EncodeFunction = void (*)(const float* values_in, std::size_t values, std::byte* out);

/// One row of the table.
struct ElementTypeInfo {
  ElementType type = ElementType::kF32;
  std::string_view name;           // "Q4_1", as ggml writes it
  std::uint32_t block_values = 1;  // values per block
  std::uint32_t block_bytes = 0;   // bytes per block
  DecodeFunction decode = nullptr;
  EncodeFunction encode = nullptr;  // nullptr where cairn writes no such blocks
};

/// All rows, ascending by id.
std::span<const ElementTypeInfo> element_types();

/// The row of a stored id, or nullptr when it is not a type a weight can have.
const ElementTypeInfo* find_element_type(std::uint32_t id);

/// The row with this name ("Q4_1"), or nullptr.
const ElementTypeInfo* find_element_type(std::string_view name);

/// The row of `type`.
const ElementTypeInfo& info(ElementType type);

/// Why an id that ggml once gave out is no weight's type ("Q8_1 holds activations ..."), or empty
/// for ids that are weights' types or unknown.
std::string_view refused_element_type(std::uint32_t id);

/// Bytes of `values` (a multiple of the block's) values of `type`. For sizes checked beforehand.
std::size_t bytes_of(ElementType type, std::size_t values);

}  // namespace cairn
