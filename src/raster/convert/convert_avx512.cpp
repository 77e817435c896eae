// Conversion level avx512: compiles the conversion for AVX-512.
// SPDX-License-Identifier: MIT
#define VALKYR_LEVEL avx512
#include "raster/convert/convert_impl.hpp"
