// Conversion level neon: compiles the conversion for Advanced SIMD of AArch64.
// SPDX-License-Identifier: MIT
#define VALKYR_LEVEL neon
#define VALKYR_NEON_LOOPS 1  // the generic level is compiled with the same options
#include "raster/convert/convert_impl.hpp"
