// The rasterizer's loops for the host level generic.
// SPDX-License-Identifier: MIT
#define VALKYR_LEVEL generic
#include "raster/loops/level_impl.hpp"
