// The rasterizer's loops for the host level generic.
// SPDX-License-Identifier: MIT
#define VALKYR_LEVEL generic
#include "raster/level_impl.hpp"
