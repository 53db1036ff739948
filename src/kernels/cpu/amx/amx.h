// The AMX tier: tiles of bytes (Intel servers since 2023) on top of the AVX-512 VNNI tier.
//
// Purpose     the exact class for many rows, prompts above all: 16 tokens times the 16 rows of a
//             group times a sub-block of k in one instruction.
// Invariants  sums of integers are exact in any order; the float steps are rows16/'s. All
//             instructions are behind tiles.h and avx512vnni/vectors.h, so that tests build the
//             same files over a scalar model of the tiles. The tiles are released before a kernel
//             returns: nothing else may rely on their contents, nor pay for saving them.
// Threads     pure functions; tiles belong to the thread that configures them.
// Adding      a format: its row in rows16/, and here in table.cpp.
#pragma once

#include "kernels/cpu/kernels.h"

namespace cairn::kernels::amx {

extern const Kernels kTable;

}  // namespace cairn::kernels::amx
