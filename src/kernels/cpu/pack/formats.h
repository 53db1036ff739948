// The rows that the files of this folder define; packed_format.cpp puts them in one table.
#pragma once

#include "kernels/cpu/pack/packed_format.h"

namespace cairn::kernels {

extern const PackedFormat kPackedQ40;     // nibbles.cpp
extern const PackedFormat kPackedQ41;     // nibbles.cpp
extern const PackedFormat kPackedQ50;     // nibbles.cpp
extern const PackedFormat kPackedQ51;     // nibbles.cpp
extern const PackedFormat kPackedQ80;     // nibbles.cpp
extern const PackedFormat kPackedQ2K;     // k_quants.cpp
extern const PackedFormat kPackedQ3K;     // k_quants.cpp
extern const PackedFormat kPackedQ4K;     // k_quants.cpp
extern const PackedFormat kPackedQ5K;     // k_quants.cpp
extern const PackedFormat kPackedQ6K;     // k_quants.cpp
extern const PackedFormat kPackedIq4Nl;   // tables.cpp
extern const PackedFormat kPackedIq4Xs;   // tables.cpp
extern const PackedFormat kPackedMxfp4;   // tables.cpp
extern const PackedFormat kPackedNvfp4;   // tables.cpp
extern const PackedFormat kPackedTq10;    // few_bits.cpp
extern const PackedFormat kPackedTq20;    // few_bits.cpp
extern const PackedFormat kPackedQ10;     // few_bits.cpp
extern const PackedFormat kPackedQ20;     // few_bits.cpp
extern const PackedFormat kPackedIq1S;    // grids.cpp
extern const PackedFormat kPackedIq1M;    // grids.cpp
extern const PackedFormat kPackedIq2Xxs;  // grids.cpp
extern const PackedFormat kPackedIq2Xs;   // grids.cpp
extern const PackedFormat kPackedIq2S;    // grids.cpp
extern const PackedFormat kPackedIq3Xxs;  // grids.cpp
extern const PackedFormat kPackedIq3S;    // grids.cpp

}  // namespace cairn::kernels
