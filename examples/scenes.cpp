// Scenes: lists the demo scenes.
// SPDX-License-Identifier: MIT
#include "examples/scene.hpp"

namespace valkyr::examples {

namespace {

using raster::Format;

constexpr SceneInfo kScenes[] = {
    {"cube", "Textured, translucent and alpha-tested cubes", create_textured_cube},
    {"triangle", "Hello, triangle: the first code to read", create_hello_triangle},
    {"torus", "A torus knot with Phong lighting, four samples a pixel", create_torus_knot, 4},
    {"shadow", "A knot and its shadow on the ground", create_shadow_map, 4},
    {"outline", "A knot with an outline, by the stencil buffer", create_stencil_outline, 1,
     Format::D24_UNORM_S8_UINT},
    {"foliage", "A meadow in the wind: alpha to coverage", create_foliage, 4},
    {"fur", "A knot with hairs that a geometry shader grows", create_fur, 4},
    {"spheres", "Ray-cast spheres that write their depth", create_sphere_impostors},
    {"deferred", "Forty lights, shaded from four render targets", create_deferred_shading},
    {"particles", "A camp fire: particles with four blend modes", create_particles},
    {"mirror", "A golden knot that mirrors a cube map", create_environment_map, 4},
    {"noise", "Procedural noise that flows", create_noise},
    {"asteroids", "Six hundred rocks around a planet, instanced", create_asteroids, 4},
    {"attractor", "Particles that a compute shader moves", create_attractor},
    {"terrain", "An island, divided the finer the nearer: tessellation", create_terrain, 4},
};

}  // namespace

std::span<const SceneInfo> scenes() {
    return kScenes;
}

const SceneInfo* find_scene(std::string_view name) {
    for (const SceneInfo& info : kScenes)
        if (info.name == name)
            return &info;
    return nullptr;
}

}  // namespace valkyr::examples
