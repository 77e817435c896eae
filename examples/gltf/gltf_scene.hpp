// Scene of glTF: shows a glTF model with its materials, and plays an animation.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/gltf/gltf_model.hpp"
#include "examples/scene.hpp"

namespace valkyr::examples {

/// Shows the whole model, lit by one light and a plain sky; it turns slowly with time, and repeats
/// the animation. The model must outlive the scene.
/// animation  below model.animations.size(); kNone: the model as it stands
/// errors     Unsupported: a skin has more than 1024 joints; those of the device
Result<std::unique_ptr<Scene>>
create_gltf_scene(raster::Device& device, const GltfModel& model, size_t animation);

}  // namespace valkyr::examples
