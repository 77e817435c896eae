// The rasterizer's loops for the host level avx512.
// SPDX-License-Identifier: MIT
#define VALKYR_LEVEL avx512
#include "raster/loops/level_impl.hpp"
