// Tessellation scenes: a terrain that programs divide, and the same mesh from a buffer.
// SPDX-License-Identifier: MIT
#include "bench/tessellation_scenes.hpp"

#include "bench/scene_base.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>
#include <utility>

namespace valkyr::bench {
namespace {

using namespace raster;

constexpr uint32_t kPatches = 64;  ///< on a side

/// The edge of a patch, and of the next one, in clip space.
float edge(uint32_t patch) {
    return static_cast<float>(patch) / 32.0F - 1;
}

/// Places in the domain of a patch.
using Place = std::array<float, 2>;

class TerrainScene final : public SceneBase {
public:
    TerrainScene(Device& device, uint32_t size, bool divided)
        : SceneBase(device, size)
        , divided_(divided) {}

    Result<void> prepare() {
        PipelineDesc desc = gl_pipeline();
        desc.depth_stencil = depth_less();
        if (!divided_) {
            VALKYR_TRY_VOID(upload_triangles());
            return use_pipeline(desc, "terrain", "color",
                                {Attribute::Position, Attribute::Normal, Attribute::Uv});
        }
        VALKYR_TRY_VOID(use_patches(desc));
        return upload(patches(kPatches), mesh_);
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(target));
        begin(target, size_);
        return divided_ ? draw_patches(0, mesh_.count) : draw(mesh_);
    }

private:
    static MeshData patches(uint32_t rows) {
        MeshData mesh;
        for (uint32_t y = 0; y < rows; ++y)
            for (uint32_t x = 0; x < kPatches; ++x)
                for (const auto& [right, up] : {std::pair{0U, 0U}, {1, 0}, {1, 1}, {0, 1}})
                    mesh.vertices.push_back({{edge(x + right), edge(y + up), 0}, {}, {}, {}});
        return mesh;
    }

    Result<void> use_patches(PipelineDesc desc) {
        const auto shader = [&](const char* name) {
            return device_.create_shader(shader_text(name), name);
        };
        VALKYR_TRY(control, shader("terrain.ctrl.tgsi"));
        VALKYR_TRY(evaluation, shader("terrain.eval.tgsi"));
        desc.tess_control = control;
        desc.tess_evaluation = evaluation;
        desc.primitive = Primitive::Patches;
        return use_pipeline(desc, "flat", "color", {Attribute::Position});
    }

    Result<void> draw_patches(uint32_t first, uint32_t count) {
        state_.vertex_buffers = {{mesh_.vertices}};
        DrawInfo info;
        info.first = first;
        info.count = count;
        info.patch_vertices = 4;
        return device_.draw(state_, info);
    }

    /// Captures the corners of the triangles of a row of patches; all rows are equal.
    Result<std::vector<std::vector<Place>>> captured_row() {
        constexpr uint64_t kMost = 1U << 16;
        PipelineDesc desc = gl_pipeline();
        desc.rasterizer.rasterizer_discard = true;
        desc.stream_output.elements = {{1, 1, 2, 0, 0}};  // the place, as it is in the colour
        desc.stream_output.stride_words = {2};
        VALKYR_TRY_VOID(use_patches(desc));
        VALKYR_TRY_VOID(upload(patches(1), mesh_));
        VALKYR_TRY(buffer, device_.create_buffer(kMost));
        VALKYR_TRY(stream, device_.create_stream_target({buffer, 0, kMost}));
        state_.stream_targets = {stream};
        std::vector<std::vector<Place>> row(kPatches);
        for (uint32_t x = 0; x < kPatches; ++x) {
            VALKYR_TRY_VOID(device_.set_stream_position(stream, 0));
            VALKYR_TRY_VOID(draw_patches(4 * x, 4));
            row[x].resize(stream->position() / sizeof(Place));
            VALKYR_TRY_VOID(
                device_.read_buffer(buffer, 0, std::as_writable_bytes(std::span(row[x]))));
        }
        state_ = {};
        return row;
    }

    Result<void> upload_triangles() {
        VALKYR_TRY(row, captured_row());
        MeshData mesh;
        for (uint32_t y = 0; y < kPatches; ++y)
            for (uint32_t x = 0; x < kPatches; ++x)
                add_triangles(row[x], x, y, mesh);
        return upload(mesh, mesh_);
    }

    /// Adds the triangles of a patch. Each vertex has the patch's lower left corner as position,
    /// its upper right corner as normal, and its place in the domain.
    static void
    add_triangles(const std::vector<Place>& corners, uint32_t x, uint32_t y, MeshData& mesh) {
        std::vector<Place> known;
        const auto first = static_cast<uint32_t>(mesh.vertices.size());
        for (const Place& place : corners) {
            const auto at = std::ranges::find(known, place);
            mesh.indices.push_back(first + static_cast<uint32_t>(at - known.begin()));
            if (at != known.end())
                continue;
            known.push_back(place);
            mesh.vertices.push_back(
                {{edge(x), edge(y), 0}, {edge(x + 1), edge(y + 1), 0}, {place[0], place[1]}, {}});
        }
    }

    bool divided_;
    Mesh mesh_;
};

}  // namespace

SceneResult create_tess_terrain(Device& device, uint32_t size) {
    return make_scene<TerrainScene>(device, size, true);
}
SceneResult create_mesh_terrain(Device& device, uint32_t size) {
    return make_scene<TerrainScene>(device, size, false);
}

}  // namespace valkyr::bench
