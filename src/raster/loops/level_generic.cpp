// Host level generic: compiles the loops for any processor.
// SPDX-License-Identifier: MIT
#define VALKYR_LEVEL generic
#include "raster/loops/level_impl.hpp"
