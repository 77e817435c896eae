// Where the samples of a pixel lie: the table of the contract by its names here.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/samples.hpp"

namespace valkyr::raster {

using exec::sample_positions;
using exec::SamplePosition;

}  // namespace valkyr::raster
