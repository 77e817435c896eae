// Reference device: implements the rasterizer's interface with an independent, simple renderer.
// SPDX-License-Identifier: MIT
//
// It executes every call at once, one pixel at a time. It shares only the TGSI parser and
// interpreter with the pipeline, so agreement of both justifies a picture; see README.md.
#pragma once

#include "raster/device.hpp"

#include <memory>

namespace valkyr::reference {

std::unique_ptr<raster::Device> create_reference_device();

}  // namespace valkyr::reference
