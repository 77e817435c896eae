// Scene base: makes the shaders, meshes, pipelines and draws that benchmark scenes share.
// SPDX-License-Identifier: MIT
#pragma once

#include "bench/bench_scene.hpp"
#include "bench/matrix.hpp"
#include "bench/mesh.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace valkyr::bench {

/// A mesh on the device.
struct Mesh {
    raster::BufferRef vertices;
    raster::BufferRef indices;
    uint32_t count = 0;  ///< of indices, or of vertices without them
};

/// The vertex attributes, in the order of a vertex shader's inputs.
enum class Attribute : uint8_t { Position, Normal, Uv, Color };

class SceneBase : public BenchScene {
public:
    SceneBase(raster::Device& device, uint32_t size)
        : device_(device)
        , size_(size) {}

protected:
    using Words = std::vector<uint32_t>;

    Result<void> upload(const MeshData& data, Mesh& mesh);
    /// Creates a pipeline with the state of `desc`, shaders (names of bench/shaders without ending)
    /// and attributes.
    Result<raster::PipelineRef> pipeline(raster::PipelineDesc desc,
                                         std::string_view vertex,
                                         std::string_view fragment,
                                         std::initializer_list<Attribute> attributes);
    /// Creates a pipeline and sets it in state_.
    Result<void> use_pipeline(const raster::PipelineDesc& desc,
                              std::string_view vertex,
                              std::string_view fragment,
                              std::initializer_list<Attribute> attributes);
    /// Clears to colour (red, 0.15, 0.2, 1), depth 1 and stencil 0.
    Result<void> clear(const raster::Framebuffer& target, float red = 0.1F);
    /// Draws a mesh, or `count` vertices of it from `first` on, onto the target of state_.
    Result<void> draw(const Mesh& mesh, uint32_t first = 0, uint32_t count = UINT32_MAX);
    /// Draws quad number `quad` of a mesh of quads with the shaders "flat", in a colour of its own.
    /// All other state is that of the last draw if that was the quad before, as clients of many
    /// draws know.
    Result<void> draw_flat_quad(const Mesh& mesh, uint32_t quad, const std::array<float, 4>& color);
    /// Binds the target and sets the viewport of a square of `size` pixels.
    void begin(const raster::Framebuffer& target, uint32_t size);

    static void append(Words& words, std::initializer_list<float> values);
    static void append(Words& words, const Matrix& matrix);

    raster::Device& device_;
    uint32_t size_;
    raster::DrawState state_;

private:
    /// changed  as in Device::redraw()
    Result<void>
    draw(const Mesh& mesh, uint32_t first, uint32_t count, raster::StateGroups changed);
};

/// Depth test LESS with writes.
raster::DepthStencilState depth_less();
/// Source over destination for colour and alpha alike: SRC_ALPHA, ONE_MINUS_SRC_ALPHA.
raster::BlendState source_over();
/// OpenGL's state: counter-clockwise front faces, with row 0 at the bottom.
raster::RasterizerState gl_rasterizer(bool cull_back = false);

/// A pipeline without shaders, with gl_rasterizer() and all other state off.
raster::PipelineDesc gl_pipeline(bool cull_back = false);

/// A TGSI text of bench/shaders by its file name; empty if there is none.
std::string_view shader_text(std::string_view file_name);

/// Makes a scene and prepares it.
template <typename SceneType, typename... Arguments>
Result<std::unique_ptr<BenchScene>>
make_scene(raster::Device& device, uint32_t size, Arguments... arguments) {
    auto scene = std::make_unique<SceneType>(device, size, arguments...);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<BenchScene>(std::move(scene));
}

}  // namespace valkyr::bench
