// Fill scenes: draw layers that cover the screen.
// SPDX-License-Identifier: MIT
#include "bench/fill_scenes.hpp"

#include "bench/scene_base.hpp"

#include <utility>

namespace valkyr::bench {
namespace {

using namespace raster;

class ClearScene final : public SceneBase {
public:
    using SceneBase::SceneBase;
    Result<void> prepare() { return {}; }
    Result<void> frame(const Framebuffer& target, uint32_t number) override {
        return clear(target, static_cast<float>(number & 7) / 8);
    }
};

/// Sixteen flat layers; each is a draw with a constant colour.
class FillScene final : public SceneBase {
public:
    FillScene(Device& device, uint32_t size, bool blend, bool depth)
        : SceneBase(device, size)
        , blend_(blend)
        , depth_(depth) {}

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_quads({.count = kLayers}), mesh_));
        PipelineDesc desc = gl_pipeline();
        if (blend_)
            desc.blend = source_over();
        if (depth_)
            desc.depth_stencil = depth_less();
        VALKYR_TRY_VOID(use_pipeline(desc, "flat", "flat", {Attribute::Position}));
        return {};
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(target));
        begin(target, size_);
        for (uint32_t i = 0; i < kLayers; ++i) {
            const auto fraction = [&](uint32_t mask) {
                return static_cast<float>(i & mask) / static_cast<float>(mask);
            };
            VALKYR_TRY_VOID(
                draw_flat_quad(mesh_, i, {fraction(3), fraction(7), fraction(15), 0.3F}));
        }
        return {};
    }

private:
    static constexpr uint32_t kLayers = 16;
    bool blend_;
    bool depth_;
    Mesh mesh_;
};

/// One quad under a shader without textures.
class ShaderScene final : public SceneBase {
public:
    ShaderScene(Device& device, uint32_t size, std::string_view fragment)
        : SceneBase(device, size)
        , fragment_(fragment) {}

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_quads({}), mesh_));
        VALKYR_TRY_VOID(use_pipeline(gl_pipeline(), "texture", fragment_,
                                     {Attribute::Position, Attribute::Uv}));
        return {};
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(target));
        begin(target, size_);
        return draw(mesh_);
    }

private:
    std::string_view fragment_;
    Mesh mesh_;
};

}  // namespace

SceneResult create_clear(Device& device, uint32_t size) {
    return make_scene<ClearScene>(device, size);
}
SceneResult create_fill_opaque(Device& device, uint32_t size) {
    return make_scene<FillScene>(device, size, false, false);
}
SceneResult create_fill_blend(Device& device, uint32_t size) {
    return make_scene<FillScene>(device, size, true, false);
}
SceneResult create_fill_depth(Device& device, uint32_t size) {
    return make_scene<FillScene>(device, size, false, true);
}
SceneResult create_mandel(Device& device, uint32_t size) {
    return make_scene<ShaderScene>(device, size, std::string_view("mandel"));
}
SceneResult create_mandel_double(Device& device, uint32_t size) {
    return make_scene<ShaderScene>(device, size, std::string_view("mandel_double"));
}
SceneResult create_noise(Device& device, uint32_t size) {
    return make_scene<ShaderScene>(device, size, std::string_view("noise"));
}

}  // namespace valkyr::bench
