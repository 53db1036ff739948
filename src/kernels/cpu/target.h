// target: opens and closes a region of code for one instruction set.
//
// Purpose     a tier's files use instructions that the build as a whole does not assume.
// Invariants  opened after the includes, so that shared inline functions stay generic; everything
//             inside has internal linkage but for the tier's own entry points, so that no other
//             file can be linked to a wide copy of a shared function.
// Adding      nothing: a tier writes CAIRN_TARGET_BEGIN("avx2,fma") and CAIRN_TARGET_END.
#pragma once

#define CAIRN_PRAGMA(text) _Pragma(#text)

#if defined(__clang__)
#define CAIRN_TARGET_BEGIN(isa) \
  CAIRN_PRAGMA(clang attribute push(__attribute__((target(isa))), apply_to = function))
#define CAIRN_TARGET_END CAIRN_PRAGMA(clang attribute pop)
#else
#define CAIRN_TARGET_BEGIN(isa)  \
  CAIRN_PRAGMA(GCC push_options) \
  CAIRN_PRAGMA(GCC target(isa))
#define CAIRN_TARGET_END CAIRN_PRAGMA(GCC pop_options)
#endif

/// For lambdas and templates that must disappear into the loop they stand in.
#define CAIRN_INLINE __attribute__((always_inline))
