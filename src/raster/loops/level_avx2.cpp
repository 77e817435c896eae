// The rasterizer's loops for the host level avx2.
// SPDX-License-Identifier: MIT
#define VALKYR_LEVEL avx2
#include "raster/loops/level_impl.hpp"
