// The list of demo scenes.
// SPDX-License-Identifier: MIT
#include "scene.hpp"

namespace valkyr::examples {

namespace {

constexpr SceneInfo kScenes[] = {
    {"cube", "Textured, translucent and alpha-tested cubes", create_textured_cube},
    {"triangle", "Hello, triangle: the first code to read", create_hello_triangle},
    {"torus", "A torus knot with Phong lighting, four samples a pixel", create_torus_knot},
    {"shadow", "A knot and its shadow on the ground", create_shadow_map},
    {"outline", "A knot with an outline, by the stencil buffer", create_stencil_outline},
    {"spheres", "Ray-cast spheres that write their depth", create_sphere_impostors},
    {"asteroids", "Six hundred rocks around a planet, instanced", create_asteroids},
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
