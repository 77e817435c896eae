// Tessellation scenes: a terrain that programs divide, and the same mesh from a buffer.
// SPDX-License-Identifier: MIT
#pragma once

#include "bench/bench_scene.hpp"

namespace valkyr::bench {

using SceneResult = Result<std::unique_ptr<BenchScene>>;

/// 64 x 64 quads, divided by fractional levels from 3 to 11.
SceneResult create_tess_terrain(raster::Device& device, uint32_t size);
/// The triangles of that terrain in the same order, indexed; the vertex program computes what the
/// evaluation program does. The picture is the same to the bit.
SceneResult create_mesh_terrain(raster::Device& device, uint32_t size);

}  // namespace valkyr::bench
