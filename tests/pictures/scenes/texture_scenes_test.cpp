// Texture scenes: draw with filters, wrap modes, levels, kinds, formats, comparisons, views.
// SPDX-License-Identifier: MIT
#include "tests/pictures/scenes/texture_scenes.hpp"

#include <doctest/doctest.h>

namespace valkyr::scenes {
namespace {

using namespace textures;

TEST_CASE("1:1 and magnified textures, nearest and linear") {
    for (const Filter filter : {Filter::Nearest, Filter::Linear}) {
        const std::string suffix = filter == Filter::Nearest ? "-nearest" : "-linear";
        check_scene("texture-copy" + suffix, [filter](SceneKit& kit) {
            begin(kit, desc_2d(Format::R8G8B8A8_UNORM, 64, 64), sampler_of(filter));
            draw_mesh(kit, over(0, 1));
        });
        check_scene("texture-magnified" + suffix, [filter](SceneKit& kit) {
            begin(kit, desc_2d(Format::R8G8B8A8_UNORM, 7, 5), sampler_of(filter));
            draw_mesh(kit, over(0.1F, 0.9F));
        });
    }
}

TEST_CASE("every wrap mode in both directions, nearest and linear") {
    for (unsigned wrap = 0; wrap <= static_cast<unsigned>(Wrap::MirrorClamp); wrap++)
        for (const Filter filter : {Filter::Nearest, Filter::Linear})
            check_scene(
                "wrap-" + std::to_string(wrap) +
                    (filter == Filter::Nearest ? "-nearest" : "-linear"),
                [wrap, filter](SceneKit& kit) {
                    SamplerState sampler = sampler_of(filter);
                    sampler.wrap_s = static_cast<Wrap>(wrap);
                    sampler.wrap_t = static_cast<Wrap>((wrap + 3) % 8);
                    const uint32_t border[4] = {0x3E800000, 0x3F400000, 0x3F000000, 0x3F800000};
                    std::copy_n(border, 4, sampler.border.begin());
                    begin(kit, desc_2d(Format::R8G8B8A8_UNORM, 6, 9), sampler);
                    draw_mesh(kit, over(-2.3F, 3.4F));
                });
}

constexpr MipFilter kMipFilters[] = {MipFilter::None, MipFilter::Nearest, MipFilter::Linear};

TEST_CASE("mip levels on a floor, every filter") {
    for (const Filter filter : {Filter::Nearest, Filter::Linear})
        for (const MipFilter mip : kMipFilters)
            for (const uint32_t size : {32U, 27U})
                check_scene("mip-floor-" + std::to_string(static_cast<unsigned>(filter)) +
                                std::to_string(static_cast<unsigned>(mip)) + "-" +
                                std::to_string(size),
                            [filter, mip, size](SceneKit& kit) {
                                begin(kit, desc_2d(Format::R8G8B8A8_UNORM, size, size, 5),
                                      sampler_of(filter, mip));
                                Mesh mesh;
                                const float w[4] = {1, 1, 8, 8};
                                const Float4 uv[4] = {
                                    {0, 0, 0, 1}, {2, 0, 0, 1}, {2, 6, 0, 1}, {0, 6, 0, 1}};
                                const Float4 p[4] = {
                                    {-1, -1, 0, 1}, {1, -1, 0, 1}, {8, 7, 0, 8}, {-8, 7, 0, 8}};
                                for (const unsigned i : {0U, 1U, 2U, 0U, 2U, 3U})
                                    mesh.add({p[i][0], p[i][1], 0, w[i]}, uv[i]);
                                draw_mesh(kit, mesh);
                            });
}

TEST_CASE("bias, clamps and different filters for magnification and minification") {
    check_scene("lod-bias", [](SceneKit& kit) {
        SamplerState sampler = sampler_of(Filter::Linear, MipFilter::Linear);
        sampler.lod_bias = 1.3F;
        begin(kit, desc_2d(Format::R8G8B8A8_UNORM, 64, 64, 7), sampler);
        draw_mesh(kit, over(0, 1.7F));
    });
    check_scene("lod-clamp", [](SceneKit& kit) {
        SamplerState sampler = sampler_of(Filter::Linear, MipFilter::Linear);
        sampler.min_lod = 0.75F;
        sampler.max_lod = 1.5F;
        begin(kit, desc_2d(Format::R8G8B8A8_UNORM, 64, 64, 7), sampler);
        draw_mesh(kit, over(0, 9));
    });
    check_scene("mag-nearest-min-linear", [](SceneKit& kit) {
        SamplerState sampler = sampler_of(Filter::Linear, MipFilter::Nearest);
        sampler.mag_filter = Filter::Nearest;
        begin(kit, desc_2d(Format::R8G8B8A8_UNORM, 16, 16, 5), sampler);
        Mesh mesh;
        mesh.add({-1, -1, 0, 1}, {0, 0, 0, 1}).add({1, -1, 0, 1}, {0.2F, 0, 0, 1});
        mesh.add({0, 6, 0, 6}, {9, 9, 0, 1});
        draw_mesh(kit, mesh);
    });
}

TEST_CASE("filtering in every sampled format") {
    const Format formats[] = {
        Format::R8_UNORM,           Format::R8G8_UNORM,         Format::R8G8B8X8_UNORM,
        Format::B8G8R8A8_UNORM,     Format::R8G8B8A8_SNORM,     Format::R8G8B8A8_SRGB,
        Format::R16_UNORM,          Format::R16G16B16A16_UNORM, Format::R16G16_SNORM,
        Format::R16G16B16A16_FLOAT, Format::R32_FLOAT,          Format::R32G32B32A32_FLOAT,
        Format::B5G6R5_UNORM,       Format::B5G5R5A1_UNORM,     Format::B4G4R4A4_UNORM,
        Format::R10G10B10A2_UNORM,  Format::R9G9B9E5_FLOAT,     Format::L8_UNORM,
        Format::A8_UNORM,           Format::L8A8_UNORM,         Format::I8_UNORM,
        Format::D16_UNORM,          Format::D24_UNORM_S8_UINT,  Format::R3G3B2_UNORM};
    for (const Format format : formats)
        check_scene("texture-" + std::string(exec::format_info(format).name), [format](
                                                                                  SceneKit& kit) {
            begin(kit, desc_2d(format, 16, 12, 3), sampler_of(Filter::Linear, MipFilter::Linear),
                  kFragmentTexture, Format::R32G32B32A32_FLOAT);
            draw_mesh(kit, over(-0.4F, 2.5F));
        });
}

TEST_CASE("textures of one and three dimensions, rectangles and arrays") {
    const struct {
        const char* name;
        const char* target;
        TextureKind kind;
        uint32_t width, height, depth, layers;
    } rows[] = {{"texture-1d", "1D", TextureKind::Tex1D, 13, 1, 1, 1},
                {"texture-3d", "3D", TextureKind::Tex3D, 5, 6, 7, 1},
                {"texture-rect", "RECT", TextureKind::Rect, 9, 5, 1, 1},
                {"texture-1d-array", "1D_ARRAY", TextureKind::Tex1DArray, 8, 1, 1, 4},
                {"texture-2d-array", "2D_ARRAY", TextureKind::Tex2DArray, 8, 8, 1, 3}};
    for (const auto& row : rows)
        for (const Filter filter : {Filter::Nearest, Filter::Linear})
            check_scene(row.name + std::string(filter == Filter::Nearest ? "-nearest" : "-linear"),
                        [&row, filter](SceneKit& kit) {
                            TextureDesc desc =
                                desc_2d(Format::R8G8B8A8_UNORM, row.width, row.height);
                            desc.kind = row.kind;
                            desc.depth = row.depth;
                            desc.layers = row.layers;
                            SamplerState sampler = sampler_of(filter);
                            if (row.kind == TextureKind::Rect) {
                                sampler.normalized = false;
                                sampler.wrap_s = sampler.wrap_t = Wrap::ClampToEdge;
                            }
                            begin(kit, desc, sampler, sampling(row.target).c_str());
                            Mesh mesh;
                            mesh.shaded_rectangle(-1, -1, 1, 1, 0,
                                                  {{{-0.5F, -0.7F, -1, 1},
                                                    {3.5F, 0.2F, 0, 1},
                                                    {4.5F, 5.1F, 3, 1},
                                                    {0.3F, 4.6F, 2, 1}}});
                            draw_mesh(kit, mesh);
                        });
}

TEST_CASE("cube maps: all faces, seams, mip levels") {
    for (const bool seamless : {true, false})
        for (const float z : {0.6F, -0.6F, 0.05F})
            check_scene("cube" + std::string(seamless ? "-seamless-" : "-seams-") +
                            std::to_string(z),
                        [seamless, z](SceneKit& kit) {
                            TextureDesc desc = desc_2d(Format::R8G8B8A8_UNORM, 8, 8, 4);
                            desc.kind = TextureKind::Cube;
                            desc.layers = 6;
                            SamplerState sampler = sampler_of(Filter::Linear, MipFilter::Linear);
                            sampler.seamless_cube = seamless;
                            sampler.wrap_s = sampler.wrap_t = sampler.wrap_r = Wrap::ClampToEdge;
                            begin(kit, desc, sampler, sampling("CUBE").c_str());
                            draw_mesh(kit, directions(z, 1));
                        });
    check_scene("cube-array", [](SceneKit& kit) {
        TextureDesc desc = desc_2d(Format::R8G8B8A8_UNORM, 8, 8);
        desc.kind = TextureKind::CubeArray;
        desc.layers = 12;
        begin(kit, desc, sampler_of(Filter::Linear), sampling("CUBEARRAY").c_str());
        draw_mesh(kit, directions(0.6F, 0.9F));
    });
}

TEST_CASE("shadow compare, every function, filtered") {
    for (unsigned func = 0; func < 8; func++)
        for (const Filter filter : {Filter::Nearest, Filter::Linear})
            check_scene("shadow-" + std::to_string(func) +
                            (filter == Filter::Nearest ? "-nearest" : "-linear"),
                        [func, filter](SceneKit& kit) {
                            SamplerState sampler = sampler_of(filter);
                            sampler.compare_enable = true;
                            sampler.compare = static_cast<raster::CompareFunc>(func);
                            begin(kit, desc_2d(Format::D16_UNORM, 12, 12), sampler,
                                  sampling("SHADOW2D").c_str());
                            Mesh mesh;
                            mesh.shaded_rectangle(
                                -1, -1, 1, 1, 0,
                                {{{0, 0, 0, 1}, {1, 0, 1, 1}, {1, 1, 0.5F, 1}, {0, 1, 0.2F, 1}}});
                            draw_mesh(kit, mesh);
                        });
}

TEST_CASE("views: swizzle, one level, other layers") {
    check_scene("view-swizzle", [](SceneKit& kit) {
        begin(kit, desc_2d(Format::R8G8B8A8_UNORM, 16, 16, 4),
              sampler_of(Filter::Linear, MipFilter::Linear));
        using enum exec::Swizzle;
        kit.state.fragment().textures[0].swizzle = {W, One, X, Zero};
        draw_mesh(kit, over(0, 1));
    });
    check_scene("view-levels", [](SceneKit& kit) {
        begin(kit, desc_2d(Format::R8G8B8A8_UNORM, 64, 64, 7),
              sampler_of(Filter::Linear, MipFilter::Linear));
        kit.state.fragment().textures[0].first_level = 2;
        kit.state.fragment().textures[0].level_count = 2;
        draw_mesh(kit, over(0, 9));
    });
    check_scene("view-layers", [](SceneKit& kit) {
        TextureDesc desc = desc_2d(Format::R8G8B8A8_UNORM, 8, 8);
        desc.kind = TextureKind::Tex2DArray;
        desc.layers = 5;
        begin(kit, desc, sampler_of(Filter::Linear), sampling("2D_ARRAY").c_str());
        kit.state.fragment().textures[0].first_layer = 2;
        kit.state.fragment().textures[0].layer_count = 2;
        Mesh mesh;
        mesh.shaded_rectangle(-1, -1, 1, 1, 0,
                              {{{0, 0, -2, 1}, {1, 0, 4, 1}, {1, 1, 4, 1}, {0, 1, -2, 1}}});
        draw_mesh(kit, mesh);
    });
    check_scene("view-srgb-as-unorm", [](SceneKit& kit) {
        begin(kit, desc_2d(Format::R8G8B8A8_UNORM, 16, 16), sampler_of(Filter::Linear));
        kit.state.fragment().textures[0].format = Format::R8G8B8A8_SRGB;
        draw_mesh(kit, over(0, 1));
    });
}

TEST_CASE("anisotropic filtering") {
    for (const uint8_t limit : {uint8_t{2}, uint8_t{8}})
        check_scene("anisotropic-" + std::to_string(limit), [limit](SceneKit& kit) {
            SamplerState sampler = sampler_of(Filter::Linear, MipFilter::Linear);
            sampler.max_anisotropy = limit;
            begin(kit, desc_2d(Format::R8G8B8A8_UNORM, 64, 64, 7), sampler);
            Mesh mesh;
            mesh.shaded_rectangle(
                -1, -1, 1, 1, 0,
                {{{0, 0, 0, 1}, {1.5F, 0.3F, 0, 1}, {2, 9, 0, 1}, {0.2F, 7, 0, 1}}});
            draw_mesh(kit, mesh);
        });
}

TEST_CASE("a rendered target is sampled by the next draw") {
    check_scene("render-to-texture", [](SceneKit& kit) {
        kit.add_color();
        kit.clear(0.2F, 0.3F, 0.4F, 1);
        kit.shaders(kVertexColor, kFragmentColor);
        draw_mesh(kit, random_triangles(91, 12));
        const raster::TextureRef first = kit.state.framebuffer.color[0].texture;
        kit.state.framebuffer = {};
        kit.add_color();
        kit.clear(0, 0, 0, 0);
        kit.shaders(kVertexColor, kFragmentTexture);
        kit.state.fragment().textures = {{first}};
        kit.state.fragment().samplers = {sampler_of(Filter::Linear)};
        draw_mesh(kit, over(-0.2F, 1.3F));
    });
}

}  // namespace
}  // namespace valkyr::scenes
