// Host level neon: compiles the loops for Advanced SIMD of AArch64.
// SPDX-License-Identifier: MIT
#define VALKYR_LEVEL neon
#define VALKYR_NEON_LOOPS 1  // the generic level is compiled with the same options
#include "raster/loops/level_impl.hpp"
