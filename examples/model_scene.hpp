// Model scene: shows a model from a file.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/model.hpp"
#include "examples/scene.hpp"

namespace valkyr::examples {

/// The model on a plain background, the whole of it in the picture; it
/// turns slowly with time. The model must live on.
Result<std::unique_ptr<Scene>> create_model_scene(raster::Device& device, const Model& model);

}  // namespace valkyr::examples
