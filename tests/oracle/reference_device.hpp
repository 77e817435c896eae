// ReferenceDevice: an independent, slow, obvious renderer behind the rasterizer's interface.
// SPDX-License-Identifier: MIT
//
// Executes every call at once, one pixel at a time. It shares no code with the pipeline but the
// TGSI parser and interpreter, and so it justifies pictures; see README.md.
#pragma once

#include "raster/device.hpp"

#include <memory>

namespace valkyr::reference {

std::unique_ptr<raster::Device> create_reference_device();

}  // namespace valkyr::reference
