// Smooth shape: determines which primitives of a pipeline are antialiased.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/device.hpp"

namespace valkyr::raster {

/// Returns the shape whose coverage multiplies alpha; lines take precedence over points. None: the
/// pipeline cannot draw a smooth shape.
SmoothShape smooth_shape(const PipelineDesc& desc);

}  // namespace valkyr::raster
