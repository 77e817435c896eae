// Scene: declares the interface of a demo scene and the list of them.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace valkyr::examples {

/// The user's changes to a scene's camera; the defaults keep the scene's own camera.
struct View {
    double yaw = 0;    ///< radians around the vertical axis
    double pitch = 0;  ///< radians upwards
    double zoom = 1;   ///< factor of the distance, > 0
};

/// A scene: made once on a device, then drawn frame by frame.
class Scene {
public:
    virtual ~Scene() = default;
    /// Takes effect with the next frame. Scenes without a camera ignore it.
    virtual void look(const View&) {}
    /// Clears and draws the frame at `seconds` into a framebuffer of width x height pixels with one
    /// colour target of any number of samples and a depth buffer (SceneInfo recommends both). Row 0
    /// of the target is the top of the picture.
    virtual Result<void> draw(const raster::Framebuffer& framebuffer,
                              uint32_t width,
                              uint32_t height,
                              double seconds) = 0;
};

struct SceneInfo {
    std::string_view name;  ///< as typed on the command line
    std::string_view title;
    Result<std::unique_ptr<Scene>> (*create)(raster::Device& device);
    uint32_t samples = 1;                              ///< recommended samples of the targets
    raster::Format depth = raster::Format::D32_FLOAT;  ///< with stencil, if the scene uses it
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
Result<std::unique_ptr<Scene>> create_foliage(raster::Device& device);
Result<std::unique_ptr<Scene>> create_fur(raster::Device& device);
Result<std::unique_ptr<Scene>> create_deferred_shading(raster::Device& device);
Result<std::unique_ptr<Scene>> create_particles(raster::Device& device);
Result<std::unique_ptr<Scene>> create_environment_map(raster::Device& device);
Result<std::unique_ptr<Scene>> create_noise(raster::Device& device);
Result<std::unique_ptr<Scene>> create_attractor(raster::Device& device);
Result<std::unique_ptr<Scene>> create_terrain(raster::Device& device);

}  // namespace valkyr::examples
