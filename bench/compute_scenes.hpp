// Compute scenes: time compute shaders, image atomics and indirect draws.
// SPDX-License-Identifier: MIT
#pragma once

#include "bench/bench_scene.hpp"

namespace valkyr::bench {

using SceneResult = Result<std::unique_ptr<BenchScene>>;

SceneResult create_blur_image(raster::Device& device, uint32_t size);
SceneResult create_blur_shared(raster::Device& device, uint32_t size);
SceneResult create_nbody(raster::Device& device, uint32_t size);
SceneResult create_histogram(raster::Device& device, uint32_t size);
SceneResult create_scan(raster::Device& device, uint32_t size);
SceneResult create_saxpy(raster::Device& device, uint32_t size);
SceneResult create_image_atomic(raster::Device& device, uint32_t size);
SceneResult create_indirect(raster::Device& device, uint32_t size);

}  // namespace valkyr::bench
