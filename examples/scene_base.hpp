// What most demo scenes share: shaders by file name, constants, clears, meshes drawn in one call.
// SPDX-License-Identifier: MIT
#pragma once

#include "mesh.hpp"
#include "scene.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace valkyr::examples {

using Float4 = std::array<float, 4>;

/// Constants as the words that a draw takes: vectors and the columns of matrices.
class Constants {
public:
    Constants& add(const Float4& vector);
    Constants& add(const Mat4& matrix);
    [[nodiscard]] const std::vector<uint32_t>& words() const { return words_; }

private:
    std::vector<uint32_t> words_;
};

/// Base of scenes that draw meshes.
class MeshScene : public Scene {
protected:
    explicit MeshScene(raster::Device& device)
        : device_(device) {}

    /// A description with both shaders (examples/shaders/NAME.tgsi), the attributes of MeshVertex,
    /// back faces culled and the depth test on.
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

    raster::Device& device_;
    raster::DrawState state_;
};

}  // namespace valkyr::examples
