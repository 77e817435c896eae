// The list of demo scenes.
// SPDX-License-Identifier: MIT
#include "scene.hpp"

namespace valkyr::examples {

namespace {

constexpr SceneInfo kScenes[] = {
    {"cube", "Textured, translucent and alpha-tested cubes", create_textured_cube},
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
