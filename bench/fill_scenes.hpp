// Fill scenes: draw layers that cover the screen (clears, fills, arithmetic-bound shaders).
// SPDX-License-Identifier: MIT
#pragma once

#include "bench/bench_scene.hpp"

namespace valkyr::bench {

using SceneResult = Result<std::unique_ptr<BenchScene>>;

SceneResult create_clear(raster::Device& device, uint32_t size);
SceneResult create_fill_opaque(raster::Device& device, uint32_t size);
SceneResult create_fill_blend(raster::Device& device, uint32_t size);
SceneResult create_fill_depth(raster::Device& device, uint32_t size);
SceneResult create_mandel(raster::Device& device, uint32_t size);
SceneResult create_mandel_double(raster::Device& device, uint32_t size);
SceneResult create_noise(raster::Device& device, uint32_t size);

}  // namespace valkyr::bench
