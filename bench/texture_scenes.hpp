// Texture scenes: draw layers and passes whose cost is in texturing.
// SPDX-License-Identifier: MIT
#pragma once

#include "bench/bench_scene.hpp"

namespace valkyr::bench {

using SceneResult = Result<std::unique_ptr<BenchScene>>;

SceneResult create_texture_rotated(raster::Device& device, uint32_t size);
SceneResult create_texture_aligned(raster::Device& device, uint32_t size);
SceneResult create_trilinear(raster::Device& device, uint32_t size);
SceneResult create_passes(raster::Device& device, uint32_t size);
SceneResult create_cutouts(raster::Device& device, uint32_t size);

}  // namespace valkyr::bench
