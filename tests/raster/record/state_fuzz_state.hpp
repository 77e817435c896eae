// Fuzz state: makes random API state, most of it legal (state_fuzz_test.cpp).
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "tests/pictures/scenes/geometry.hpp"

#include <limits>

namespace valkyr::raster::test {

inline constexpr Format kColorFormats[] = {Format::R8G8B8A8_UNORM,     Format::B8G8R8A8_SRGB,
                                           Format::R16G16B16A16_FLOAT, Format::R8G8B8A8_UINT,
                                           Format::R32_FLOAT,          Format::B5G6R5_UNORM,
                                           Format::R10G10B10A2_UNORM,  Format::R8_SNORM};
inline constexpr Format kDepthFormats[] = {Format::D16_UNORM, Format::D24_UNORM_S8_UINT,
                                           Format::D32_FLOAT, Format::D32_FLOAT_S8X24_UINT};

/// How a Player draws with partly changed state.
enum class Partly : uint8_t {
    Never,   ///< every draw has completely new state
    Draw,    ///< draw()
    Redraw,  ///< redraw() with the groups that changed
};

/// Makes plain state from random numbers, without a device.
class RandomState {
public:
    explicit RandomState(uint32_t seed)
        : random_(seed) {}

    template <typename T>
    const T& pick(const std::vector<T>& list) {
        return list[random_.below(static_cast<uint32_t>(list.size()))];
    }
    uint32_t word() { return random_.word(); }
    bool chance(uint32_t one_in) { return random_.below(one_in) == 0; }
    /// An enumerator up to `last`, sometimes one beyond.
    template <typename E>
    E any(E last) {
        const auto count = static_cast<uint32_t>(last) + 1;
        return static_cast<E>(chance(1500) ? count + random_.below(5) : random_.below(count));
    }

    float coordinate() {
        constexpr float kOdd[] = {0,
                                  -0.0F,
                                  1e30F,
                                  -1e30F,
                                  std::numeric_limits<float>::infinity(),
                                  std::numeric_limits<float>::quiet_NaN(),
                                  1e-40F,
                                  300};
        return chance(25) ? kOdd[random_.below(8)] : random_.between(-1.5F, 1.5F);
    }

    Rect rect() {
        const auto at = [&] { return static_cast<int32_t>(random_.below(130)) - 20; };
        return {at(), at(), at(), at()};
    }

    BlendTarget blend_target() {
        BlendTarget t;
        t.enable = chance(2);
        t.rgb_func = any(BlendFunc::Max);
        t.alpha_func = any(BlendFunc::Max);
        t.rgb_src = any(BlendFactor::SrcAlphaSaturate);
        t.rgb_dst = any(BlendFactor::InvConstAlpha);
        t.alpha_src = any(BlendFactor::InvConstAlpha);
        t.alpha_dst = any(BlendFactor::InvConstAlpha);
        t.write_mask = static_cast<uint8_t>(chance(2) ? 0xF : random_.word());
        return t;
    }

    StencilFace stencil() {
        StencilFace f;
        f.enable = chance(2);
        f.func = any(CompareFunc::Always);
        f.fail = any(StencilOp::Invert);
        f.depth_fail = any(StencilOp::Invert);
        f.pass = any(StencilOp::Invert);
        f.read_mask = static_cast<uint8_t>(random_.word());
        f.write_mask = static_cast<uint8_t>(random_.word());
        return f;
    }

    RasterizerState rasterizer() {
        RasterizerState r;
        r.cull = chance(3) ? any(CullFace::FrontAndBack) : CullFace::None;
        r.front_ccw = chance(2);
        r.fill_front = chance(4) ? any(PolygonMode::Point) : PolygonMode::Fill;
        r.fill_back = chance(4) ? any(PolygonMode::Point) : PolygonMode::Fill;
        r.flat_shade = chance(3);
        r.flat_shade_first = chance(2);
        r.two_sided_color = chance(3);
        r.scissor = chance(4);
        r.depth_clip = !chance(4);
        r.clip_halfz = chance(2);
        r.half_pixel_center = !chance(6);
        r.bottom_edge_rule = chance(4);
        r.multisample = !chance(3);
        r.sample_shading = chance(6);
        r.rasterizer_discard = chance(20);
        r.offset_fill = chance(4);
        r.offset_line = r.offset_point = chance(3);
        r.offset_units = random_.between(-4, 4);
        r.offset_scale = chance(40) ? coordinate() : random_.between(-2, 2);
        r.line_width = chance(30) ? coordinate() : random_.between(0, 9);
        r.point_size = chance(30) ? coordinate() : random_.between(0, 12);
        r.point_size_per_vertex = chance(2);
        r.whole_point_size = chance(3);
        r.point_sprite = chance(3);
        r.sprite_origin_lower_left = chance(2);
        r.line_last_pixel = chance(4);
        r.line_smooth = chance(4);
        r.point_smooth = chance(4);
        r.polygon_stipple = chance(4);
        r.line_stipple = chance(3);
        r.line_stipple_pattern = static_cast<uint16_t>(random_.word());
        r.line_stipple_factor = static_cast<uint16_t>(chance(60) ? 0 : 1 + random_.below(4));
        r.sprite_texcoords = random_.word();
        r.clip_plane_enable = static_cast<uint8_t>(chance(4) ? random_.word() : 0);
        return r;
    }

    SamplerState sampler() {
        SamplerState s;
        s.wrap_s = any(Wrap::MirrorClamp);
        s.wrap_t = any(Wrap::MirrorClamp);
        s.min_filter = any(Filter::Linear);
        s.mag_filter = any(Filter::Linear);
        s.mip_filter = any(MipFilter::Linear);
        s.wrap_r = any(Wrap::MirrorClamp);
        s.compare_enable = chance(2);
        s.compare = any(CompareFunc::Always);
        s.seamless_cube = chance(2);
        s.normalized = !chance(10);
        s.max_anisotropy = static_cast<uint8_t>(chance(5) ? random_.below(20) : 1);
        s.lod_bias = coordinate();
        for (uint32_t& word : s.border)
            word = random_.below(0x40000000);
        return s;
    }

    Viewport viewport() {
        Viewport v;
        v.scale[0] = random_.between(-60, 60);
        v.scale[1] = random_.between(-60, 60);
        v.translate[0] = random_.between(0, 60);
        v.translate[1] = random_.between(0, 60);
        if (chance(20))
            v.scale[random_.below(3)] = coordinate();
        return v;
    }

    void set_viewports(DrawState& s) {
        s.viewport = viewport();
        s.scissor = rect();
        s.viewport_array.clear();
        s.scissor_array.clear();
        if (chance(3))
            for (uint32_t i = random_.below(18); i > 0; --i) {
                s.viewport_array.push_back(viewport());
                s.scissor_array.push_back(rect());
            }
    }
    void set_numbers(DrawState& s) {
        for (uint32_t& row : s.polygon_stipple)
            row = random_.word();
        s.blend_color = {0.25F, random_.between(0, 1), 0.75F, 1};
        s.stencil_reference = {static_cast<uint8_t>(random_.word()), 7};
        s.alpha_reference = random_.between(0, 1);
        s.sample_mask = chance(3) ? random_.word() : 0xFFFFFFFF;
        for (auto& plane : s.clip_planes)
            plane = {random_.between(-1, 1), random_.between(-1, 1), 0, random_.between(0, 1)};
    }

    DrawInfo draw_info() {
        DrawInfo info;
        info.first = chance(10) ? random_.word() : random_.below(12);
        info.count = random_.below(90);
        info.base_vertex = chance(5) ? static_cast<int32_t>(random_.word()) : 0;
        info.first_instance = chance(5) ? random_.word() : 0;
        info.instance_count = chance(4) ? random_.below(4) : 1;
        info.primitive_restart = chance(3);
        info.restart_index = random_.below(40);
        return info;
    }

protected:
    scenes::Random random_;
};

}  // namespace valkyr::raster::test
