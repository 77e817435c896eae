// Sample positions: import the table of src/exec into this namespace.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/samples.hpp"

namespace valkyr::raster {

using exec::sample_positions;
using exec::SamplePosition;

}  // namespace valkyr::raster
