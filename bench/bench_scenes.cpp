// Benchmark scenes: lists them with their yardsticks.
// SPDX-License-Identifier: MIT
#include "bench/bench_scene.hpp"
#include "bench/compute_scenes.hpp"
#include "bench/fill_scenes.hpp"
#include "bench/geometry_scenes.hpp"
#include "bench/tessellation_scenes.hpp"
#include "bench/texture_scenes.hpp"

namespace valkyr::bench {
namespace {

constexpr BenchSceneInfo kScenes[] = {
    {"clear", "clear and store only", {1.0, 0.6}, 1, create_clear},
    {"fill_opaque", "16 flat opaque layers", {17, 13}, 1, create_fill_opaque},
    {"fill_blend", "16 flat layers, source over", {24, 19}, 1, create_fill_blend},
    {"fill_depth", "16 flat layers, depth LESS", {10, 9.5}, 1, create_fill_depth},
    {"gouraud_small", "1 M gouraud triangles of 10 pixels", {4.5, 4.7}, 1, create_gouraud_small},
    {"gouraud_small_z", "the same with depth", {4.7, 5.2}, 1, create_gouraud_small_z},
    {"gouraud_big", "5 k gouraud triangles of 2000 pixels", {3.9, 3.8}, 1, create_gouraud_big},
    {"tex_blend", "16 bilinear layers, blended, rotated", {2.6, 2.4}, 1, create_texture_rotated},
    {"tex_axis", "16 bilinear layers, blended, 1:1", {2.6, 2.4}, 1, create_texture_aligned},
    {"trilinear", "trilinear floor and ceiling", {1.6, 1.5}, 1, create_trilinear},
    {"phong", "Phong at every pixel, 102 k triangles", {2.2, 2.3}, 1, create_phong},
    {"phong_msaa4", "the same with four samples and resolve", {0, 0}, 4, create_phong},
    {"mandel", "Mandelbrot, 128 divergent iterations", {3.0, 2.6}, 1, create_mandel},
    {"mandel_double", "the same with doubles, closer", {0, 0}, 1, create_mandel_double},
    {"noise16", "16-octave noise", {1.9, 1.9}, 1, create_noise},
    {"shadow_map", "depth-only shadow map, 102 k triangles", {4.1, 4.5}, 1, create_shadow_map},
    {"shadow", "the same, and the lit picture", {0, 0}, 1, create_shadow},
    {"stencil_kill", "600 cards with holes, stencil-gated layers", {0, 0}, 1, create_cutouts},
    {"vertex_2m", "2 M lit vertices, 666 k triangles", {6.3, 9.0}, 1, create_vertex_plain},
    {"vertex_idx", "the same triangles indexed", {4.3, 5.0}, 1, create_vertex_indexed},
    {"vertex_cull", "2 M vertices, all culled", {2.1, 3.5}, 1, create_vertex_culled},
    {"passes", "32 passes between targets of half the size", {0, 0}, 1, create_passes},
    {"points", "240 k points of one pixel, indexed", {0, 0}, 1, create_points},
    {"lines", "120 k lines of one pixel's width, indexed", {0, 0}, 1, create_lines},
    {"gs_sprites", "240 k squares from a geometry shader", {0, 0}, 1, create_geometry_sprites},
    {"tess_terrain", "64 x 64 quads, divided by levels 3 to 11", {0, 0}, 1, create_tess_terrain},
    {"mesh_terrain", "the same triangles from a buffer", {0, 0}, 1, create_mesh_terrain},
    {"draws_10k", "10 000 draws of two triangles", {0, 0}, 1, create_many_draws},
    {"cs_blur_image", "9 image loads for each of 1 M pixels", {0, 0}, 1, create_blur_image},
    {"cs_blur_shared", "17 loads of shared memory a pixel", {0, 0}, 1, create_blur_shared},
    {"cs_nbody", "forces between 4096 bodies", {0, 0}, 1, create_nbody},
    {"cs_histogram", "1 M words, counted by shared atomics", {0, 0}, 1, create_histogram},
    {"cs_scan", "sums of 1 M words, 512 by 512", {0, 0}, 1, create_scan},
    {"cs_saxpy", "a multiple of 1 M numbers added to others", {0, 0}, 1, create_saxpy},
    {"fs_image_atomic", "4 M image atomics of fragments", {0, 0}, 1, create_image_atomic},
    {"multi_indirect", "4000 indirect draws of two triangles", {0, 0}, 1, create_indirect},
};

}  // namespace

std::span<const BenchSceneInfo> bench_scenes() {
    return kScenes;
}

const BenchSceneInfo* find_bench_scene(std::string_view name) {
    for (const BenchSceneInfo& info : kScenes)
        if (info.name == name)
            return &info;
    return nullptr;
}

}  // namespace valkyr::bench
