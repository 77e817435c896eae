// Geometry scenes: draw meshes whose cost is in triangles and vertices.
// SPDX-License-Identifier: MIT
#pragma once

#include "bench/bench_scene.hpp"

namespace valkyr::bench {

using SceneResult = Result<std::unique_ptr<BenchScene>>;

SceneResult create_gouraud_small(raster::Device& device, uint32_t size);
SceneResult create_gouraud_small_z(raster::Device& device, uint32_t size);
SceneResult create_gouraud_big(raster::Device& device, uint32_t size);
SceneResult create_phong(raster::Device& device, uint32_t size);
SceneResult create_shadow_map(raster::Device& device, uint32_t size);
SceneResult create_shadow(raster::Device& device, uint32_t size);
SceneResult create_vertex_plain(raster::Device& device, uint32_t size);
SceneResult create_vertex_indexed(raster::Device& device, uint32_t size);
SceneResult create_vertex_culled(raster::Device& device, uint32_t size);
SceneResult create_points(raster::Device& device, uint32_t size);
SceneResult create_lines(raster::Device& device, uint32_t size);
SceneResult create_geometry_sprites(raster::Device& device, uint32_t size);
SceneResult create_many_draws(raster::Device& device, uint32_t size);

}  // namespace valkyr::bench
