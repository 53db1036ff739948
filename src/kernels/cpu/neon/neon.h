// The NEON tier: AArch64 with the dot product instructions (Arm servers and phones since 2018).
//
// Purpose     the exact class with dots of signed bytes: the kernels are rows16/'s.
// Invariants  as the AVX2 tier's. The matrix instructions (i8mm) would want pairs of rows side by
//             side, which P16K4 does not keep, and are not used.
// Threads     pure functions.
// Adding      a kernel: its file here and its line in table.cpp.
#pragma once

#include "kernels/cpu/kernels.h"

namespace cairn::kernels::neon {

extern const Kernels kTable;

}  // namespace cairn::kernels::neon
