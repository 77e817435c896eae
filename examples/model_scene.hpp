// Model scene: shows a model from a file.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/model.hpp"
#include "examples/scene.hpp"

namespace valkyr::examples {

/// Shows the whole model on a plain background; it turns slowly with time. The model must outlive
/// the scene.
Result<std::unique_ptr<Scene>> create_model_scene(raster::Device& device, const Model& model);

}  // namespace valkyr::examples
