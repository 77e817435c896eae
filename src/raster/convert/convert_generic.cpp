// Conversion level generic: compiles the conversion for any processor.
// SPDX-License-Identifier: MIT
#define VALKYR_LEVEL generic
#include "raster/convert/convert_impl.hpp"
