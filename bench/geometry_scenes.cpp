// Geometry scenes: draw meshes whose cost is in triangles and vertices.
// SPDX-License-Identifier: MIT
#include "bench/geometry_scenes.hpp"

#include "bench/scene_base.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace valkyr::bench {
namespace {

using namespace raster;

/// Grids of triangles with a colour at each vertex.
class GouraudScene final : public SceneBase {
public:
    GouraudScene(Device& device, uint32_t size, uint32_t cells, bool depth)
        : SceneBase(device, size)
        , cells_(cells)
        , depth_(depth) {}

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_grid({.cells = cells_, .layers = 10, .jitter = 0.5F}), mesh_));
        PipelineDesc desc = gl_pipeline();
        if (depth_)
            desc.depth_stencil = depth_less();
        VALKYR_TRY_VOID(
            use_pipeline(desc, "color", "color", {Attribute::Position, Attribute::Color}));
        return {};
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(target));
        begin(target, size_);
        return draw(mesh_);
    }

private:
    uint32_t cells_;
    bool depth_;
    Mesh mesh_;
};

/// A torus lit at every pixel.
class PhongScene final : public SceneBase {
public:
    using SceneBase::SceneBase;

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_torus(320, 160, 1.0F, 0.45F), mesh_));
        PipelineDesc desc = gl_pipeline();
        desc.depth_stencil = depth_less();
        VALKYR_TRY_VOID(use_pipeline(desc, "phong", "phong",
                                     {Attribute::Position, Attribute::Normal, Attribute::Color}));
        const Matrix view = look_at_origin({0.9F, -1.4F, 1.9F}, {0, 0, 1});
        Words words;
        append(words, multiply(perspective(0.95F, 1, 0.5F, 10), view));
        append(words, view);
        state_.vertex().constants = {std::move(words)};
        Words light;
        append(light, {1.5F, 2, 1, 0});
        state_.fragment().constants = {std::move(light)};
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

/// A shadow map of a torus over a plane, with or without the lit picture.
class ShadowScene final : public SceneBase {
public:
    ShadowScene(Device& device, uint32_t size, bool lit)
        : SceneBase(device, size)
        , lit_(lit) {}

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_torus(320, 160, 1.0F, 0.3F), torus_));
        VALKYR_TRY_VOID(upload(make_plane(), plane_));
        TextureDesc map;
        map.format = Format::D24_UNORM_X8_UINT;
        map.width = map.height = kMapSize;
        map.render_target = true;
        VALKYR_TRY(texture, device_.create_texture(map));
        map_.depth_stencil = {texture};
        VALKYR_TRY_VOID(prepare_pipelines());
        prepare_constants();
        return {};
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(map_));
        begin(map_, kMapSize);
        state_.fragment().textures.clear();
        state_.fragment().samplers.clear();
        VALKYR_TRY_VOID(draw_both(depth_, light_words_));
        if (!lit_)
            return {};
        VALKYR_TRY_VOID(clear(target));
        begin(target, size_);
        SamplerState sampler;
        sampler.wrap_s = sampler.wrap_t = Wrap::ClampToEdge;
        sampler.compare_enable = true;
        state_.fragment().textures = {{map_.depth_stencil.texture}};
        state_.fragment().samplers = {sampler};
        return draw_both(lighting_, eye_words_);
    }

private:
    static constexpr uint32_t kMapSize = 1024;

    static MeshData make_plane() {
        MeshData mesh;
        for (const auto& p : kQuadCorners)
            mesh.vertices.push_back(
                {{4 * p[0], 4 * p[1], -0.8F}, {0, 0, 1}, {0, 0}, {180, 200, 160, 255}});
        return mesh;
    }

    Result<void> prepare_pipelines() {
        PipelineDesc desc = gl_pipeline();
        desc.depth_stencil = depth_less();
        VALKYR_TRY(depth, pipeline(desc, "depth", "depth", {Attribute::Position}));
        VALKYR_TRY(lighting, pipeline(desc, "shadow", "shadow",
                                      {Attribute::Position, Attribute::Normal, Attribute::Color}));
        depth_ = std::move(depth);
        lighting_ = std::move(lighting);
        return {};
    }

    void prepare_constants() {
        const Matrix light =
            multiply(orthographic(2.6F, 0.5F, 7), look_at_origin({1.2F, 0.9F, 3.0F}, {0, 1, 0}));
        const Matrix eye = multiply(perspective(0.95F, 1, 0.5F, 12),
                                    look_at_origin({0.9F, -2.2F, 2.0F}, {0, 0, 1}));
        const Matrix bias{0.5F, 0, 0, 0, 0, 0.5F, 0, 0, 0, 0, 0.5F, 0, 0.5F, 0.5F, 0.496F, 1};
        append(light_words_, light);
        append(eye_words_, eye);
        append(eye_words_, multiply(bias, light));
        Words direction;
        append(direction, {0.357F, 0.268F, 0.894F, 0});
        state_.fragment().constants = {std::move(direction)};
    }

    Result<void> draw_both(const PipelineRef& with, const Words& constants) {
        state_.pipeline = with;
        state_.vertex().constants = {constants};
        VALKYR_TRY_VOID(draw(torus_));
        return draw(plane_);
    }

    bool lit_;
    Mesh torus_, plane_;
    Framebuffer map_;
    PipelineRef depth_, lighting_;
    Words light_words_, eye_words_;
};

/// Two million vertices lit in the vertex shader, in triangles of about 1.6 pixels.
class VertexScene final : public SceneBase {
public:
    VertexScene(Device& device, uint32_t size, bool indexed, bool culled)
        : SceneBase(device, size)
        , indexed_(indexed)
        , culled_(culled) {}

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_grid({.cells = 577,
                                          .layers = 1,
                                          .jitter = 0.3F,
                                          .indexed = indexed_,
                                          .clockwise = culled_}),
                               mesh_));
        PipelineDesc desc = gl_pipeline(true);
        desc.depth_stencil = depth_less();
        VALKYR_TRY_VOID(use_pipeline(desc, "lit", "color",
                                     {Attribute::Position, Attribute::Normal, Attribute::Color}));
        const float c = std::cos(0.02F);
        const float s = std::sin(0.02F);
        Words words;
        append(words, Matrix{c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
        append(words, {0.3F, 0.4F, 0.85F, 0});
        state_.vertex().constants = {std::move(words)};
        return {};
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(target));
        begin(target, size_);
        return draw(mesh_);
    }

private:
    bool indexed_;
    bool culled_;
    Mesh mesh_;
};

/// Ten thousand draws, each of two small triangles in its own colour.
class ManyDrawsScene final : public SceneBase {
public:
    using SceneBase::SceneBase;

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_grid({.cells = 100, .indexed = false}), mesh_));
        VALKYR_TRY_VOID(use_pipeline(gl_pipeline(), "flat", "flat", {Attribute::Position}));
        return {};
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(target));
        begin(target, size_);
        for (uint32_t i = 0; i < 10000; ++i) {
            VALKYR_TRY_VOID(
                draw_flat_quad(mesh_, i,
                               {static_cast<float>(i & 31) / 31, static_cast<float>(i % 100) / 100,
                                static_cast<float>(i) / 10000, 1}));
        }
        return {};
    }

private:
    Mesh mesh_;
};

/// Draws the indices of a triangle mesh as points or lines: each vertex repeats per triangle.
class VerticesScene final : public SceneBase {
public:
    /// geometry  a geometry shader of bench/shaders; empty: none
    VerticesScene(Device& device, uint32_t size, Primitive primitive, std::string_view geometry)
        : SceneBase(device, size)
        , primitive_(primitive)
        , geometry_(geometry) {}

    Result<void> prepare() {
        VALKYR_TRY_VOID(upload(make_grid({.cells = 200, .indexed = true}), mesh_));
        PipelineDesc desc = gl_pipeline();
        desc.primitive = primitive_;
        if (!geometry_.empty()) {
            VALKYR_TRY(shader,
                       device_.create_shader(shader_text(geometry_), std::string(geometry_)));
            desc.geometry = shader;
        }
        VALKYR_TRY_VOID(
            use_pipeline(desc, "color", "color", {Attribute::Position, Attribute::Color}));
        return {};
    }

    Result<void> frame(const Framebuffer& target, uint32_t) override {
        VALKYR_TRY_VOID(clear(target));
        begin(target, size_);
        return draw(mesh_);
    }

private:
    Primitive primitive_;
    std::string_view geometry_;
    Mesh mesh_;
};

}  // namespace

SceneResult create_points(Device& device, uint32_t size) {
    return make_scene<VerticesScene>(device, size, Primitive::Points, "");
}
SceneResult create_lines(Device& device, uint32_t size) {
    return make_scene<VerticesScene>(device, size, Primitive::Lines, "");
}
SceneResult create_geometry_sprites(Device& device, uint32_t size) {
    return make_scene<VerticesScene>(device, size, Primitive::Points, "sprite.geom.tgsi");
}
SceneResult create_gouraud_small(Device& device, uint32_t size) {
    return make_scene<GouraudScene>(device, size, size * 229 / 1024, false);
}
SceneResult create_gouraud_small_z(Device& device, uint32_t size) {
    return make_scene<GouraudScene>(device, size, size * 229 / 1024, true);
}
SceneResult create_gouraud_big(Device& device, uint32_t size) {
    return make_scene<GouraudScene>(device, size, 16U, false);
}
SceneResult create_phong(Device& device, uint32_t size) {
    return make_scene<PhongScene>(device, size);
}
SceneResult create_shadow_map(Device& device, uint32_t size) {
    return make_scene<ShadowScene>(device, size, false);
}
SceneResult create_shadow(Device& device, uint32_t size) {
    return make_scene<ShadowScene>(device, size, true);
}
SceneResult create_vertex_plain(Device& device, uint32_t size) {
    return make_scene<VertexScene>(device, size, false, false);
}
SceneResult create_vertex_indexed(Device& device, uint32_t size) {
    return make_scene<VertexScene>(device, size, true, false);
}
SceneResult create_vertex_culled(Device& device, uint32_t size) {
    return make_scene<VertexScene>(device, size, false, true);
}
SceneResult create_many_draws(Device& device, uint32_t size) {
    return make_scene<ManyDrawsScene>(device, size);
}

}  // namespace valkyr::bench
