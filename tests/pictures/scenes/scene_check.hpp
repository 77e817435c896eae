// Scene check: draws a scene on every engine and compares it with the reference renderer.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/scene_kit.hpp"

#include <functional>
#include <string>
#include <vector>

namespace valkyr::scenes {

using SceneFunction = std::function<void(SceneKit&)>;

/// One configuration of the pipeline.
struct EngineConfig {
    std::string name;
    raster::DeviceOptions options;
};

/// The interpreter, and recompiled code for each host level; one and two threads; with and without
/// hierarchical depth and fast clears.
const std::vector<EngineConfig>& engine_configs();

/// Draws a scene with the reference and with every engine of this host, and checks that all
/// attachments agree. Prints the first differing texel and writes expected, actual and difference
/// as PNG to the build tree.
/// tolerance  largest allowed difference of an 8-bit channel; 0 = every byte equal. Only for scenes
///            whose shaders use operations that are defined within an error bound.
/// returns    the reference's pictures
std::vector<Shot>
check_scene(const std::string& name, const SceneFunction& scene, int tolerance = 0);

}  // namespace valkyr::scenes
