// Host level avx512: compiles the loops for AVX-512.
// SPDX-License-Identifier: MIT
#define VALKYR_LEVEL avx512
#include "raster/loops/level_impl.hpp"
