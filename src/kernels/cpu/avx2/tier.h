// The AVX2 tier's name and target region, for the files that are written over several tiers.
#pragma once

#include "kernels/cpu/target.h"

#define CAIRN_TIER avx2
#define CAIRN_TIER_BEGIN CAIRN_TARGET_BEGIN("avx2,fma,f16c")
#define CAIRN_TIER_END CAIRN_TARGET_END
