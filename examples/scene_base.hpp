// Scene base: holds the shaders, constants, clears and meshes that demo scenes share.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/mesh.hpp"
#include "examples/scene.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace valkyr::examples {

using Float4 = std::array<float, 4>;
/// xyz and w.
constexpr Float4 float4(const Vec3& xyz, float w = 0) {
    return {xyz[0], xyz[1], xyz[2], w};
}
/// The normalised direction.
Float4 direction(float x, float y, float z);

/// Collects the constants of a draw as words: vectors, and matrices by columns.
class Constants {
public:
    Constants& add(const Float4& vector);
    Constants& add(const Mat4& matrix);
    [[nodiscard]] const std::vector<uint32_t>& words() const { return words_; }

private:
    std::vector<uint32_t> words_;
};

/// An eye that looks at a target from a distance; a View turns it around the target.
struct Camera {
    double distance = 5;
    double pitch = 0;  ///< radians above the target
    double yaw = 0;    ///< radians around it
    Vec3 target{};
    double z_near = 0.5;
    double z_far = 30;
};

/// A camera's matrices and position, as shaders use them.
struct Eye {
    Mat4 view;             ///< world to eye
    Mat4 projection;       ///< eye to clip
    Mat4 view_projection;  ///< world to clip
    Vec3 place;            ///< of the eye in the world
};

/// The direction to a light over the viewer's left shoulder.
Float4 shoulder_light(const Eye& eye);

/// Has a pipeline blend by alpha over what is there, and leave depth as it is.
void blend_over(raster::PipelineDesc& desc);

/// Base of scenes that draw meshes.
class MeshScene : public Scene {
public:
    void look(const View& view) override { viewer_ = view; }

protected:
    explicit MeshScene(raster::Device& device)
        : device_(device) {}

    /// The camera with the user's view changes, for a picture of width x height.
    [[nodiscard]] Eye eye(const Camera& camera, uint32_t width, uint32_t height) const;

    /// A description with both shaders (examples/shaders/NAME.tgsi), the attributes of MeshVertex,
    /// back faces culled, the depth test on, and all samples of the target used.
    Result<raster::PipelineDesc> mesh_pipeline(std::string_view vertex, std::string_view fragment);
    /// Sets framebuffer and viewport of state_ (y up on the screen) and clears.
    Result<void> begin(const raster::Framebuffer& framebuffer,
                       uint32_t width,
                       uint32_t height,
                       const Float4& color);
    /// Draws with the constants: view-projection and world in the vertex shader.
    Result<void> draw_mesh(const raster::PipelineRef& pipeline,
                           const DeviceMesh& mesh,
                           const Mat4& view_projection,
                           const Mat4& world,
                           const Constants& fragment,
                           uint32_t instances = 1);
    /// A pipeline that fills the target with a fragment shader, without depth test.
    /// screen.vert.tgsi defines the shader's inputs.
    Result<raster::PipelineRef> screen_pipeline(std::string_view fragment);
    /// Draws a screen_pipeline(). GENERIC[0] of the shader is right * x + up * y + centre, with x
    /// and y from -1 to 1 (y up) over the viewport.
    Result<void> draw_screen(const raster::PipelineRef& pipeline,
                             const Float4& right,
                             const Float4& up,
                             const Float4& centre,
                             const Constants& fragment);
    /// Draws a screen_pipeline() whose GENERIC[0] is the viewing direction in the world, for skies.
    Result<void>
    draw_sky(const raster::PipelineRef& pipeline, const Eye& eye, const Constants& fragment);

    raster::Device& device_;
    raster::DrawState state_;

private:
    View viewer_;
};

}  // namespace valkyr::examples
