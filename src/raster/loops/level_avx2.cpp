// Host level avx2: compiles the loops for AVX2.
// SPDX-License-Identifier: MIT
#define VALKYR_LEVEL avx2
#include "raster/loops/level_impl.hpp"
