// Included before every file of the peer: g++ 12 takes _tile_loadconfig for a read of 8 bytes and
// drops the stores of the other 56, so that tiles have no rows and the peer dies on its first
// prompt.
#pragma once

#if defined(__AMX_TILE__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>
#define _tile_loadconfig(at) \
  __asm__ volatile("ldtilecfg %0" ::"m"(*reinterpret_cast<const char(*)[64]>(at)))
#endif
