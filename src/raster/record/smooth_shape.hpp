// Smooth shape: says which primitives of a pipeline are antialiased.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/device.hpp"

namespace valkyr::raster {

/// The shape whose coverage multiplies alpha; lines take precedence over points. None if the
/// pipeline cannot draw a smooth shape.
SmoothShape smooth_shape(const PipelineDesc& desc);

}  // namespace valkyr::raster
