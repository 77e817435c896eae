// Player: draws a case on a device.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/conform/case.hpp"
#include "examples/image_io.hpp"

namespace valkyr::conform {

/// Creates the resources, executes the commands and reads the surfaces that the case shows.
/// errors  of the device, at the place of the command in the scene file, or of the shader
Result<examples::Image> play(const Case& scene, raster::Device& device);

/// Draws the case and hashes the bits of all its textures and buffers, those of compressed formats
/// excepted, which nothing writes; multisampled texels are resolved.
/// errors  like play()
Result<uint64_t> hash_of(const Case& scene, raster::Device& device);

}  // namespace valkyr::conform
