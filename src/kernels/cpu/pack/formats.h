// The rows that the files of this folder define; packed_format.cpp puts them in one table.
#pragma once

#include "kernels/cpu/pack/packed_format.h"

namespace cairn::kernels {

extern const PackedFormat kPackedQ4_0;     // nibbles.cpp
extern const PackedFormat kPackedQ4_1;     // nibbles.cpp
extern const PackedFormat kPackedQ5_0;     // nibbles.cpp
extern const PackedFormat kPackedQ5_1;     // nibbles.cpp
extern const PackedFormat kPackedQ8_0;     // nibbles.cpp
extern const PackedFormat kPackedQ2_K;     // k_quants.cpp
extern const PackedFormat kPackedQ3_K;     // k_quants.cpp
extern const PackedFormat kPackedQ4_K;     // k_quants.cpp
extern const PackedFormat kPackedQ5_K;     // k_quants.cpp
extern const PackedFormat kPackedQ6_K;     // k_quants.cpp
extern const PackedFormat kPackedIQ4_NL;   // tables.cpp
extern const PackedFormat kPackedIQ4_XS;   // tables.cpp
extern const PackedFormat kPackedMXFP4;    // tables.cpp
extern const PackedFormat kPackedNVFP4;    // tables.cpp
extern const PackedFormat kPackedTQ1_0;    // few_bits.cpp
extern const PackedFormat kPackedTQ2_0;    // few_bits.cpp
extern const PackedFormat kPackedQ1_0;     // few_bits.cpp
extern const PackedFormat kPackedQ2_0;     // few_bits.cpp
extern const PackedFormat kPackedIQ1_S;    // grids.cpp
extern const PackedFormat kPackedIQ1_M;    // grids.cpp
extern const PackedFormat kPackedIQ2_XXS;  // grids.cpp
extern const PackedFormat kPackedIQ2_XS;   // grids.cpp
extern const PackedFormat kPackedIQ2_S;    // grids.cpp
extern const PackedFormat kPackedIQ3_XXS;  // grids.cpp
extern const PackedFormat kPackedIQ3_S;    // grids.cpp

}  // namespace cairn::kernels
