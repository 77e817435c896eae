// What a demo scene is, and the list of them.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace valkyr::examples {

/// A scene: made once on a device, then drawn frame by frame.
class Scene {
public:
    virtual ~Scene() = default;
    /// Clears and draws the frame at `seconds` into a framebuffer of width x height pixels with one
    /// colour target and a depth buffer. Row 0 of the target is the top of the picture.
    virtual Result<void> draw(const raster::Framebuffer& framebuffer,
                              uint32_t width,
                              uint32_t height,
                              double seconds) = 0;
};

struct SceneInfo {
    std::string_view name;  ///< as typed on the command line
    std::string_view title;
    Result<std::unique_ptr<Scene>> (*create)(raster::Device& device);
};

/// All scenes, the default one first.
std::span<const SceneInfo> scenes();
/// The scene of that name, or null.
const SceneInfo* find_scene(std::string_view name);

/// A TGSI text of examples/shaders by its file name; empty if there is none.
std::string_view shader_text(std::string_view file_name);

Result<std::unique_ptr<Scene>> create_textured_cube(raster::Device& device);
Result<std::unique_ptr<Scene>> create_hello_triangle(raster::Device& device);
Result<std::unique_ptr<Scene>> create_torus_knot(raster::Device& device);
Result<std::unique_ptr<Scene>> create_shadow_map(raster::Device& device);
Result<std::unique_ptr<Scene>> create_stencil_outline(raster::Device& device);
Result<std::unique_ptr<Scene>> create_sphere_impostors(raster::Device& device);
Result<std::unique_ptr<Scene>> create_asteroids(raster::Device& device);

}  // namespace valkyr::examples
