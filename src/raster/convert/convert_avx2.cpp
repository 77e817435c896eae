// Conversion level avx2: compiles the conversion for AVX2.
// SPDX-License-Identifier: MIT
#define VALKYR_LEVEL avx2
#include "raster/convert/convert_impl.hpp"
