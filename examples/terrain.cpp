// Terrain: draws an island whose ground is divided the finer, the nearer it is.
// SPDX-License-Identifier: MIT
//
// Shows tessellation: the ground is a coarse grid of patches. The control shader gives each edge of
// a patch a level by its depth, so that all segments are about equally long on the screen, and
// level 0 to patches outside of the view, which are then not drawn. Two patches compute equal
// levels for their common edge from its two ends, so there are no cracks. The evaluation shader
// lifts the points of the divided patches by a texture of heights.
#include "examples/procedural_texture.hpp"
#include "examples/scene_base.hpp"

#include <cmath>

namespace valkyr::examples {

namespace {

using namespace raster;

constexpr uint32_t kTexels = 256;  // a side of the texture
constexpr uint32_t kPatches = 24;  // a side of the grid
constexpr float kSide = 36;
constexpr float kSegment = 8;  // pixels
// How much farther than its corners a patch may reach, in clip coordinates.
constexpr float kLift = 3;

double height_at(double x, double z) {
    const double from_centre = (x * x + z * z) / 144;
    const double hills = fractal_noise(0.22 * x + 40, 0.22 * z + 40, 6);
    const double ridge = 1 - std::abs(2 * fractal_noise(0.15 * x + 7, 0.15 * z + 9, 6) - 1);
    const double mountains = ridge * ridge * ridge * ridge * ridge;
    return 3.4 * hills + 2.2 * mountains - 2.1 - 2.6 * from_centre;
}

/// Height, and how it changes along x and z.
std::vector<Float4> ground_texels() {
    std::vector<Float4> texels;
    constexpr double kStep = double{kSide} / kTexels;
    for (uint32_t j = 0; j < kTexels; ++j)
        for (uint32_t i = 0; i < kTexels; ++i) {
            const double x = (i + 0.5) * kStep - double{kSide} / 2;
            const double z = (j + 0.5) * kStep - double{kSide} / 2;
            const auto slope = [&](double dx, double dz) {
                return static_cast<float>((height_at(x + dx, z + dz) - height_at(x - dx, z - dz)) /
                                          (2 * kStep));
            };
            texels.push_back(
                {static_cast<float>(height_at(x, z)), slope(kStep, 0), slope(0, kStep), 0});
        }
    return texels;
}

class Terrain final : public MeshScene {
public:
    explicit Terrain(Device& device)
        : MeshScene(device) {}

    Result<void> prepare() {
        VALKYR_TRY_VOID(make_heights());
        VALKYR_TRY_VOID(make_grid());
        VALKYR_TRY(desc, mesh_pipeline("terrain.vert", "terrain.frag"));
        VALKYR_TRY(control, device_.create_shader(shader_text("terrain.tesc.tgsi"), "levels"));
        VALKYR_TRY(evaluation, device_.create_shader(shader_text("terrain.tese.tgsi"), "ground"));
        desc.tess_control = control;
        desc.tess_evaluation = evaluation;
        desc.primitive = Primitive::Patches;
        desc.elements = {{0, 0, 0, Format::R32G32_FLOAT}};
        desc.strides = {sizeof(std::array<float, 2>)};
        VALKYR_TRY(ground, device_.create_pipeline(desc));
        ground_ = ground;
        VALKYR_TRY(sky, screen_pipeline("gradient.frag"));
        sky_ = sky;
        return {};
    }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        constexpr Float4 kHaze = {0.72F, 0.80F, 0.88F, 0};
        VALKYR_TRY_VOID(begin(framebuffer, width, height, {}));
        const Eye from = eye({.distance = 9.5,
                              .pitch = 0.36,
                              .yaw = 0.6 + 0.1 * seconds,
                              .target = {0, 0.5F, 0},
                              .z_near = 0.3,
                              .z_far = 60},
                             width, height);
        VALKYR_TRY_VOID(
            draw_sky(sky_, from, Constants().add(kHaze).add(Float4{0.22F, 0.42F, 0.75F, 0})));
        // An edge of a patch has this many segments at depth 1.
        const float segments =
            kSide / kPatches * from.projection[1][1] * static_cast<float>(height) / 2 / kSegment;
        constexpr Float4 kToTexture = {1 / kSide, 0.5F, 0, 1};
        state_.vertex().constants = {Constants().add(kToTexture).words()};
        state_.stage(DrawStage::TessControl).constants = {
            Constants().add(from.view_projection).add(Float4{segments, kLift, -0.5F, 0}).words()};
        state_.stage(DrawStage::TessEvaluation).constants = {
            Constants().add(from.view_projection).add(kToTexture).words()};
        state_.fragment().constants = {Constants()
                                           .add(direction(-0.75F, 0.6F, 0.35F))
                                           .add(Float4{1.25F, 1.15F, 0.95F, 0})
                                           .add(Float4{0.30F, 0.34F, 0.40F, 0})
                                           .add(float4(from.place, 0.0065F))
                                           .add(kHaze)
                                           .words()};
        state_.pipeline = ground_;
        state_.vertex_buffers = {{corners_}};
        state_.index_buffer = {indices_};
        state_.index_type = IndexType::U16;
        DrawInfo info;
        info.count = 4 * kPatches * kPatches;
        info.patch_vertices = 4;
        return device_.draw(state_, info);
    }

private:
    Result<void> make_heights() {
        TextureDesc desc;
        desc.format = Format::R32G32B32A32_FLOAT;
        desc.width = desc.height = kTexels;
        VALKYR_TRY(texture, device_.create_texture(desc));
        const std::vector<Float4> texels = ground_texels();
        VALKYR_TRY_VOID(device_.write_texture(texture, 0, {0, 0, 0, kTexels, kTexels, 1},
                                              std::as_bytes(std::span(texels)),
                                              kTexels * sizeof(Float4)));
        SamplerState sampler;
        sampler.wrap_s = sampler.wrap_t = Wrap::ClampToEdge;
        for (const DrawStage stage : {DrawStage::Vertex, DrawStage::TessEvaluation}) {
            state_.stage(stage).textures = {{texture}};
            state_.stage(stage).samplers = {sampler};
        }
        return {};
    }

    /// The corners of all patches, and four indices for each.
    Result<void> make_grid() {
        std::vector<std::array<float, 2>> corners;
        std::vector<uint16_t> indices;
        for (uint32_t j = 0; j <= kPatches; ++j)
            for (uint32_t i = 0; i <= kPatches; ++i) {
                const auto place = [](uint32_t n) {
                    return static_cast<float>(n) * (kSide / kPatches) - kSide / 2;
                };
                corners.push_back({place(i), place(j)});
            }
        for (uint32_t j = 0; j < kPatches; ++j)
            for (uint32_t i = 0; i < kPatches; ++i)
                for (const uint32_t corner : {0U, 1U, kPatches + 2, kPatches + 1})
                    indices.push_back(static_cast<uint16_t>(j * (kPatches + 1) + i + corner));
        const auto corner_bytes = std::as_bytes(std::span(corners));
        const auto index_bytes = std::as_bytes(std::span(indices));
        VALKYR_TRY(corner_buffer, device_.create_buffer(corner_bytes.size(), corner_bytes));
        VALKYR_TRY(index_buffer, device_.create_buffer(index_bytes.size(), index_bytes));
        corners_ = corner_buffer;
        indices_ = index_buffer;
        return {};
    }

    BufferRef corners_;
    BufferRef indices_;
    PipelineRef ground_;
    PipelineRef sky_;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_terrain(Device& device) {
    auto scene = std::make_unique<Terrain>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
