// Texture scenes: draw layers and passes whose cost is in texturing.
// SPDX-License-Identifier: MIT
#include "bench/texture_scenes.hpp"

#include "bench/random.hpp"
#include "bench/scene_base.hpp"
#include "bench/texels.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace valkyr::bench {
namespace {

using namespace raster;

/// Sixteen blended layers of a bilinear texture.
class LayersScene final : public SceneBase {
public:
    LayersScene(Device& device, uint32_t size, bool aligned)
        : SceneBase(device, size)
        , aligned_(aligned) {}

    Result<void> prepare() {
        QuadShape shape{.count = 16, .angle = 0.5F, .scale = 1.7F, .axis_aligned = false};
        if (aligned_)
            shape = {.count = 16, .scale = 2};
        VALKYR_TRY_VOID(upload(make_quads(shape), mesh_));
        VALKYR_TRY(texture, create_texture(device_, {.size = 512}));
        state_.fragment().textures = {{texture}};
        state_.fragment().samplers = {SamplerState{}};
        PipelineDesc desc = gl_pipeline();
        desc.blend = source_over();
        VALKYR_TRY_VOID(
            use_pipeline(desc, "texture", "texture", {Attribute::Position, Attribute::Uv}));
        return {};
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(target));
        begin(target, size_);
        return draw(mesh_);
    }

private:
    bool aligned_;
    Mesh mesh_;
};

/// A floor and a ceiling in perspective with mip maps.
class TrilinearScene final : public SceneBase {
public:
    using SceneBase::SceneBase;

    Result<void> prepare() {
        MeshData data;
        for (const float y : {-1.0F, 1.0F})
            for (const auto& p : kQuadCorners) {
                const float x = 60 * p[0];
                const float z = 60 * p[1] - 61;
                data.vertices.push_back({{x, y, z}, {}, {x, z}, {}});
            }
        VALKYR_TRY_VOID(upload(data, mesh_));
        VALKYR_TRY(texture, create_texture(device_, {.size = 1024, .mipmapped = true}));
        SamplerState sampler;
        sampler.mip_filter = MipFilter::Linear;
        state_.fragment().textures = {{texture}};
        state_.fragment().samplers = {sampler};
        VALKYR_TRY_VOID(use_pipeline(gl_pipeline(), "transformed_texture", "texture",
                                     {Attribute::Position, Attribute::Uv}));
        const Matrix roll{0.9F, 0.4359F, 0, 0, -0.4359F, 0.9F, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        Words words;
        append(words, multiply(perspective(1.2F, 1, 0.1F, 200), roll));
        state_.vertex().constants = {std::move(words)};
        return {};
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(target));
        begin(target, size_);
        return draw(mesh_);
    }

private:
    Mesh mesh_;
};

/// Cards with holes that count themselves in the stencil buffer, and two layers that test it.
class CutoutScene final : public SceneBase {
public:
    using SceneBase::SceneBase;

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_cards(), cards_));
        VALKYR_TRY_VOID(upload(make_quads({.count = 2}), layers_));
        VALKYR_TRY(texture, create_texture(device_, {.size = 256, .holes = true}));
        state_.fragment().textures = {{texture}};
        state_.fragment().samplers = {SamplerState{}};
        Words words;
        append(words, {0.9F, 0.8F, 0.2F, 0.4F});
        state_.fragment().constants = {std::move(words)};
        PipelineDesc desc = gl_pipeline();
        desc.depth_stencil = depth_less();
        desc.depth_stencil.stencil[0] = {.enable = true, .pass = StencilOp::IncrementClamp};
        VALKYR_TRY(counting,
                   pipeline(desc, "texture", "cutout", {Attribute::Position, Attribute::Uv}));
        counting_ = std::move(counting);
        VALKYR_TRY(untouched, gate(CompareFunc::Equal));
        VALKYR_TRY(crowded, gate(CompareFunc::Less));
        untouched_ = std::move(untouched);
        crowded_ = std::move(crowded);
        return {};
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(target));
        begin(target, size_);
        state_.pipeline = counting_;
        state_.stencil_reference = {1, 1};
        VALKYR_TRY_VOID(draw(cards_));
        state_.pipeline = untouched_;
        state_.stencil_reference = {0, 0};
        VALKYR_TRY_VOID(draw(layers_, 0, 6));
        state_.pipeline = crowded_;
        state_.stencil_reference = {2, 2};
        return draw(layers_, 6, 6);
    }

private:
    static MeshData make_cards() {
        MeshData mesh;
        Random random(99);
        for (uint32_t k = 0; k < 600; ++k) {
            const float x = random.unit() * 2 - 1;
            const float y = random.unit() * 2 - 1;
            const float z = random.unit() * 1.8F - 0.9F;
            const float angle = random.unit() * 6.28F;
            for (const auto& p : kQuadCorners) {
                const float px = p[0] * 0.1F;
                const float py = p[1] * 0.1F;
                mesh.vertices.push_back({{x + px * std::cos(angle) - py * std::sin(angle),
                                          y + px * std::sin(angle) + py * std::cos(angle), z},
                                         {},
                                         {p[0] * 0.5F, p[1] * 0.5F},
                                         {}});
            }
        }
        return mesh;
    }

    /// A blended layer where the stencil test passes.
    Result<PipelineRef> gate(CompareFunc func) {
        PipelineDesc desc = gl_pipeline();
        desc.blend = source_over();
        desc.depth_stencil.stencil[0] = {.enable = true, .func = func};
        return pipeline(desc, "flat", "flat", {Attribute::Position});
    }

    Mesh cards_, layers_;
    PipelineRef counting_, untouched_, crowded_;
};

/// Thirty-two passes that filter one small target onto another, the last one onto the screen.
/// Threads can overlap only within a pass.
class PassesScene final : public SceneBase {
public:
    using SceneBase::SceneBase;

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_quads({.scale = 1.01F}), mesh_));
        VALKYR_TRY_VOID(use_pipeline(gl_pipeline(), "texture", "texture",
                                     {Attribute::Position, Attribute::Uv}));
        state_.fragment().samplers = {SamplerState{}};
        VALKYR_TRY(chequer, create_texture(device_, {.size = size_ / 2}));
        chequer_ = std::move(chequer);
        for (Framebuffer& target : targets_) {
            TextureDesc desc;
            desc.width = desc.height = size_ / 2;
            desc.format = Format::R8G8B8A8_UNORM;
            desc.render_target = true;
            VALKYR_TRY(texture, device_.create_texture(desc));
            target.color = {{texture}};
        }
        return {};
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        constexpr uint32_t kPasses = 32;
        VALKYR_TRY_VOID(clear(target));
        state_.fragment().textures = {{chequer_}};
        for (uint32_t i = 0; i < kPasses; ++i) {
            begin(targets_[i % 2], size_ / 2);
            VALKYR_TRY_VOID(draw(mesh_));
            state_.fragment().textures = {{targets_[i % 2].color[0].texture}};
        }
        begin(target, size_);
        return draw(mesh_);
    }

private:
    Mesh mesh_;
    TextureRef chequer_;
    std::array<Framebuffer, 2> targets_;
};

}  // namespace

SceneResult create_passes(Device& device, uint32_t size) {
    return make_scene<PassesScene>(device, size);
}
SceneResult create_texture_rotated(Device& device, uint32_t size) {
    return make_scene<LayersScene>(device, size, false);
}
SceneResult create_texture_aligned(Device& device, uint32_t size) {
    return make_scene<LayersScene>(device, size, true);
}
SceneResult create_trilinear(Device& device, uint32_t size) {
    return make_scene<TrilinearScene>(device, size);
}
SceneResult create_cutouts(Device& device, uint32_t size) {
    return make_scene<CutoutScene>(device, size);
}

}  // namespace valkyr::bench
