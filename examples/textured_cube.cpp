// Textured cube: draws an opaque cube, an alpha-tested lattice and a translucent cube in front.
// SPDX-License-Identifier: MIT
//
// Shows indexed drawing, constants, mip-mapped trilinear textures, the depth test, source-over
// blending and the alpha test. The shaders are examples/shaders/lit_textured.*.tgsi and
// lattice.frag.tgsi.
#include "examples/cube_mesh.hpp"
#include "examples/math3d.hpp"
#include "examples/procedural_texture.hpp"
#include "examples/scene.hpp"

#include <bit>
#include <utility>

namespace valkyr::examples {

namespace {

using namespace raster;

/// Tiles of two colours with dark joints and a fine diagonal.
uint32_t tile_texel(uint32_t x, uint32_t y) {
    const bool joint = x % 32 < 2 || y % 32 < 2;
    if (joint)
        return rgba(24, 26, 32, 255);
    const bool odd = ((x / 32) ^ (y / 32)) & 1;
    const uint32_t shade = (x + y) % 8 < 2 ? 24 : 0;
    return odd ? rgba(226 - shade, 92 - shade, 48, 255)
               : rgba(236 - shade, 226 - shade, 204 - shade, 255);
}

/// Golden bars around round holes; alpha falls off over the rim of a hole.
uint32_t lattice_texel(uint32_t x, uint32_t y) {
    const int dx = static_cast<int>(x % 32) * 2 - 31;
    const int dy = static_cast<int>(y % 32) * 2 - 31;
    const int distance = dx * dx + dy * dy - 22 * 22;  // > 0 outside the hole
    const int alpha = distance < -160 ? 0 : distance > 159 ? 255 : (distance + 160) * 255 / 320;
    return rgba(222, 178, 60, static_cast<uint32_t>(alpha));
}

/// A faint frame on clear glass.
uint32_t glass_texel(uint32_t x, uint32_t y) {
    const bool frame = x < 4 || y < 4 || x >= 60 || y >= 60;
    return frame ? rgba(235, 245, 255, 255) : rgba(120, 180, 255, 120);
}

void append(std::vector<uint32_t>& words, const std::array<float, 4>& vec) {
    for (const float f : vec)
        words.push_back(std::bit_cast<uint32_t>(f));
}

/// CONST[0..3]: columns of the clip transform; CONST[4..6]: rows of the rotation for normals.
std::vector<uint32_t>
vertex_constants(const Mat4& projection, const Mat4& place, const Mat4& rotation, float size) {
    const Mat4 clip =
        multiply(projection, multiply(place, multiply(rotation, scaling(size, size, size))));
    std::vector<uint32_t> words;
    for (const auto& column : clip)
        append(words, column);
    for (int row = 0; row < 3; ++row)
        append(words, {rotation[0][row], rotation[1][row], rotation[2][row], 0});
    return words;
}

/// CONST[0] direction to the light, CONST[1] its colour and the object's alpha, CONST[2] ambient.
std::vector<uint32_t> fragment_constants(float alpha) {
    std::vector<uint32_t> words;
    append(words, {0.48F, 0.64F, 0.60F, 0});
    append(words, {0.85F, 0.82F, 0.76F, alpha});
    append(words, {0.24F, 0.26F, 0.32F, 0});
    return words;
}

class TexturedCube final : public Scene {
public:
    explicit TexturedCube(Device& device)
        : device_(device) {}

    Result<void> prepare() {
        const CubeMesh mesh = make_cube();
        VALKYR_TRY(vertices, device_.create_buffer(sizeof mesh.vertices,
                                                   std::as_bytes(std::span(mesh.vertices))));
        VALKYR_TRY(indices, device_.create_buffer(sizeof mesh.indices,
                                                  std::as_bytes(std::span(mesh.indices))));
        state_.vertex_buffers = {{vertices}};
        state_.index_buffer = {indices};
        state_.index_type = IndexType::U16;
        SamplerState sampler;
        sampler.mip_filter = MipFilter::Linear;
        state_.fragment().samplers = {sampler};
        VALKYR_TRY_VOID(prepare_textures());
        return prepare_pipelines();
    }

    void look(const View& view) override { viewer_ = view; }

    Result<void>
    draw(const Framebuffer& framebuffer, uint32_t width, uint32_t height, double seconds) override {
        ClearInfo clear;
        clear.set_color(0, {0.07F, 0.08F, 0.11F, 1});
        clear.depth = true;
        VALKYR_TRY_VOID(device_.clear(framebuffer, clear));

        state_.framebuffer = framebuffer;
        state_.viewport = Viewport::of(width, height);  // y up on the screen
        const Mat4 projection =
            multiply(perspective(kPi / 4, static_cast<double>(width) / height, 1, 30), turned());
        const auto turn = [&](double x, double y) {
            return multiply(rotation_x(x), rotation_y(y));
        };

        VALKYR_TRY_VOID(draw_cube(opaque_, tiles_, 1,
                                  vertex_constants(projection, translation(-0.1F, 0.1F, -6.5F),
                                                   turn(0.5, 0.6 + 0.7 * seconds), 1.15F)));
        VALKYR_TRY_VOID(draw_cube(lattice_, lattice_texture_, 1,
                                  vertex_constants(projection, translation(-1.9F, -1.05F, -5.6F),
                                                   turn(0.35 + 0.4 * seconds, 0.9), 0.62F)));
        return draw_cube(translucent_, glass_, 0.6F,
                         vertex_constants(projection, translation(1.15F, 0.55F, -4.7F),
                                          turn(0.6, -0.5 - 0.5 * seconds), 0.52F));
    }

private:
    /// The user's rotation around a place between the cubes.
    [[nodiscard]] Mat4 turned() const {
        const auto depth = 5.8F;
        const Mat4 turn = multiply(rotation_x(viewer_.pitch), rotation_y(viewer_.yaw));
        return multiply(translation(0, 0, -depth * static_cast<float>(viewer_.zoom)),
                        multiply(turn, translation(0, 0, depth)));
    }

    Result<void> prepare_textures() {
        VALKYR_TRY(tiles, create_mipmapped_texture(device_, 128, tile_texel));
        VALKYR_TRY(lattice, create_mipmapped_texture(device_, 128, lattice_texel));
        VALKYR_TRY(glass, create_mipmapped_texture(device_, 64, glass_texel));
        tiles_ = std::move(tiles);
        lattice_texture_ = std::move(lattice);
        glass_ = std::move(glass);
        return {};
    }

    Result<void> prepare_pipelines() {
        PipelineDesc desc;
        VALKYR_TRY(vertex, device_.create_shader(shader_text("lit_textured.vert.tgsi"),
                                                 "lit_textured.vert"));
        VALKYR_TRY(
            lit, device_.create_shader(shader_text("lit_textured.frag.tgsi"), "lit_textured.frag"));
        VALKYR_TRY(holes, device_.create_shader(shader_text("lattice.frag.tgsi"), "lattice.frag"));
        desc.vertex = vertex;
        desc.fragment = lit;
        desc.elements = {{0, offsetof(CubeVertex, position), 0, Format::R32G32B32_FLOAT},
                         {0, offsetof(CubeVertex, normal), 0, Format::R32G32B32_FLOAT},
                         {0, offsetof(CubeVertex, uv), 0, Format::R32G32_FLOAT}};
        desc.strides = {sizeof(CubeVertex)};
        desc.depth_stencil.depth_test = true;
        desc.depth_stencil.depth_write = true;
        desc.rasterizer.cull = CullFace::Back;
        desc.rasterizer.multisample = true;
        VALKYR_TRY(opaque, device_.create_pipeline(desc));

        PipelineDesc blended = desc;
        blended.depth_stencil.depth_write = false;
        blended.blend.targets[0] = {.enable = true,
                                    .rgb_src = BlendFactor::SrcAlpha,
                                    .rgb_dst = BlendFactor::InvSrcAlpha,
                                    .alpha_src = BlendFactor::One,
                                    .alpha_dst = BlendFactor::InvSrcAlpha};
        VALKYR_TRY(translucent, device_.create_pipeline(blended));

        PipelineDesc tested = desc;
        tested.fragment = holes;
        tested.rasterizer.cull = CullFace::None;
        tested.blend.targets[0].write_mask =
            0x7;  // alpha is only for the test: the picture stays opaque
        tested.depth_stencil.alpha_test = true;
        tested.depth_stencil.alpha_func = CompareFunc::Greater;
        VALKYR_TRY(lattice, device_.create_pipeline(tested));
        opaque_ = std::move(opaque);
        translucent_ = std::move(translucent);
        lattice_ = std::move(lattice);
        return {};
    }

    Result<void> draw_cube(const PipelineRef& pipeline,
                           const TextureRef& texture,
                           float alpha,
                           std::vector<uint32_t> constants) {
        state_.pipeline = pipeline;
        state_.fragment().textures = {{texture}};
        state_.vertex().constants = {std::move(constants)};
        state_.fragment().constants = {fragment_constants(alpha)};
        state_.alpha_reference = 0.5F;
        DrawInfo info;
        info.count = 36;
        return device_.draw(state_, info);
    }

    Device& device_;
    DrawState state_;
    View viewer_;
    TextureRef tiles_, lattice_texture_, glass_;
    PipelineRef opaque_, translucent_, lattice_;
};

}  // namespace

Result<std::unique_ptr<Scene>> create_textured_cube(raster::Device& device) {
    auto scene = std::make_unique<TexturedCube>(device);
    VALKYR_TRY_VOID(scene->prepare());
    return std::unique_ptr<Scene>(std::move(scene));
}

}  // namespace valkyr::examples
