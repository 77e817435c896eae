// Settings: lists every "set NAME VALUE..." of a scene and applies it to the draw state.
// SPDX-License-Identifier: MIT
#include "app/conform/settings.hpp"

namespace valkyr::conform {
namespace {

using namespace raster;

using Apply = void (*)(Arguments&, DrawCommand&);
struct Setting {
    std::string_view name;
    Apply apply;
};

// One row per setting: its name, the member that it sets, and how its value is read.
#define VALKYR_MEMBER(name, path, read)                                                            \
    {                                                                                              \
        name, [](Arguments& a, DrawCommand& d) { d.path = a.read; }                                \
    }
#define VALKYR_RASTER_FLAG(member)                                                                 \
    VALKYR_MEMBER("raster." #member, pipeline.rasterizer.member, flag(#member))
#define VALKYR_RASTER_NUMBER(member)                                                               \
    VALKYR_MEMBER("raster." #member, pipeline.rasterizer.member, number(#member))

/// "stencil.x" sets the front face, which also applies to back faces unless the back face is
/// enabled.
#define VALKYR_STENCIL(prefix, face)                                                               \
    VALKYR_MEMBER(prefix ".enable", pipeline.depth_stencil.stencil[face].enable, flag("enable")),  \
        VALKYR_MEMBER(prefix ".func", pipeline.depth_stencil.stencil[face].func,                   \
                      choice<CompareFunc>("comparison")),                                          \
        VALKYR_MEMBER(prefix ".fail", pipeline.depth_stencil.stencil[face].fail,                   \
                      choice<StencilOp>("operation")),                                             \
        VALKYR_MEMBER(prefix ".depth_fail", pipeline.depth_stencil.stencil[face].depth_fail,       \
                      choice<StencilOp>("operation")),                                             \
        VALKYR_MEMBER(prefix ".pass", pipeline.depth_stencil.stencil[face].pass,                   \
                      choice<StencilOp>("operation")),                                             \
        {prefix ".read_mask",                                                                      \
         [](Arguments& a, DrawCommand& d) {                                                        \
             d.pipeline.depth_stencil.stencil[face].read_mask =                                    \
                 static_cast<uint8_t>(a.integer("mask", 0, 255));                                  \
         }},                                                                                       \
    {                                                                                              \
        prefix ".write_mask", [](Arguments& a, DrawCommand& d) {                                   \
            d.pipeline.depth_stencil.stencil[face].write_mask =                                    \
                static_cast<uint8_t>(a.integer("mask", 0, 255));                                   \
        }                                                                                          \
    }

void set_fill(Arguments& a, DrawCommand& d) {
    const auto mode = a.choice<PolygonMode>("mode");
    d.pipeline.rasterizer.fill_front = d.pipeline.rasterizer.fill_back = mode;
}

void set_scissor(Arguments& a, DrawCommand& d) {
    d.pipeline.rasterizer.scissor = !a.accept("off");
    if (!d.pipeline.rasterizer.scissor)
        return;
    int32_t* const edges[] = {&d.state.scissor.x0, &d.state.scissor.y0, &d.state.scissor.x1,
                              &d.state.scissor.y1};
    for (int32_t* edge : edges)
        *edge = static_cast<int32_t>(a.integer("edge", -32768, 32767));
}

/// "PATTERN [FACTOR]" or "off".
void set_line_stipple(Arguments& a, DrawCommand& d) {
    raster::RasterizerState& raster = d.pipeline.rasterizer;
    raster.line_stipple = !a.accept("off");
    if (!raster.line_stipple)
        return;
    raster.line_stipple_pattern = static_cast<uint16_t>(a.integer("pattern", 0, 0xFFFF));
    raster.line_stipple_factor =
        a.at_end() ? uint16_t{1} : static_cast<uint16_t>(a.integer("factor", 1, 256));
}

void set_viewport(Arguments& a, DrawCommand& d) {
    float v[6] = {0, 0, 0, 0, 0, 1};
    for (size_t i = 0; i < 4; i++)
        v[i] = a.number("viewport value");
    for (size_t i = 4; i < 6 && !a.at_end(); i++)
        v[i] = a.number("depth");
    d.state.viewport = raster::Viewport::over(v[0], v[1], v[2], v[3], v[4], v[5]);
}

void set_viewport_transform(Arguments& a, DrawCommand& d) {
    for (float& value : d.state.viewport.scale)
        value = a.number("scale");
    for (float& value : d.state.viewport.translate)
        value = a.number("translation");
}

void set_outer_levels(Arguments& a, DrawCommand& d) {
    for (float& level : d.state.outer_levels)
        level = a.number("level");
}

void set_inner_levels(Arguments& a, DrawCommand& d) {
    for (float& level : d.state.inner_levels)
        level = a.number("level");
}

void set_clip_plane(Arguments& a, DrawCommand& d) {
    auto& plane = d.state.clip_planes[a.integer("plane", 0, 7)];
    for (float& value : plane)
        value = a.number("coefficient");
}

void set_blend_color(Arguments& a, DrawCommand& d) {
    for (float& value : d.state.blend_color)
        value = a.number("component");
}

void set_logic_op(Arguments& a, DrawCommand& d) {
    d.pipeline.blend.logic_op_enable = !a.accept("off");
    if (d.pipeline.blend.logic_op_enable)
        d.pipeline.blend.logic_op = a.choice<LogicOp>("logic operation");
}

void set_depth_func(Arguments& a, DrawCommand& d) {
    d.pipeline.depth_stencil.depth_func = a.choice<CompareFunc>("comparison");
}

/// One value for both faces, or one each.
void set_stencil_reference(Arguments& a, DrawCommand& d) {
    const auto front = static_cast<uint8_t>(a.integer("reference", 0, 255));
    d.state.stencil_reference = {front, front};
    if (!a.at_end())
        d.state.stencil_reference[1] = static_cast<uint8_t>(a.integer("reference", 0, 255));
}

constexpr Setting kSettings[] = {
    VALKYR_MEMBER("primitive", pipeline.primitive, choice<Primitive>("primitive")),
    VALKYR_MEMBER("raster.cull", pipeline.rasterizer.cull, choice<CullFace>("face")),
    VALKYR_RASTER_FLAG(front_ccw),
    {"raster.fill", set_fill},
    VALKYR_MEMBER("raster.fill_front", pipeline.rasterizer.fill_front, choice<PolygonMode>("mode")),
    VALKYR_MEMBER("raster.fill_back", pipeline.rasterizer.fill_back, choice<PolygonMode>("mode")),
    VALKYR_RASTER_FLAG(flat_shade),
    VALKYR_RASTER_FLAG(flat_shade_first),
    VALKYR_RASTER_FLAG(two_sided_color),
    VALKYR_RASTER_FLAG(depth_clip),
    VALKYR_RASTER_FLAG(clip_halfz),
    VALKYR_RASTER_FLAG(half_pixel_center),
    VALKYR_RASTER_FLAG(bottom_edge_rule),
    VALKYR_RASTER_FLAG(multisample),
    VALKYR_RASTER_FLAG(rasterizer_discard),
    VALKYR_RASTER_FLAG(offset_fill),
    VALKYR_RASTER_FLAG(offset_line),
    VALKYR_RASTER_FLAG(offset_point),
    VALKYR_RASTER_NUMBER(offset_units),
    VALKYR_RASTER_NUMBER(offset_scale),
    VALKYR_RASTER_NUMBER(offset_clamp),
    VALKYR_RASTER_NUMBER(line_width),
    VALKYR_RASTER_NUMBER(point_size),
    VALKYR_RASTER_FLAG(point_size_per_vertex),
    VALKYR_RASTER_FLAG(whole_point_size),
    VALKYR_RASTER_FLAG(point_sprite),
    VALKYR_RASTER_FLAG(sprite_origin_lower_left),
    VALKYR_RASTER_FLAG(line_last_pixel),
    VALKYR_RASTER_FLAG(line_smooth),
    VALKYR_RASTER_FLAG(point_smooth),
    VALKYR_RASTER_FLAG(sample_shading),
    VALKYR_RASTER_FLAG(polygon_stipple),
    {"raster.line_stipple", set_line_stipple},
    VALKYR_MEMBER("raster.sprite_texcoords",
                  pipeline.rasterizer.sprite_texcoords,
                  integer("bits", 0, 0xFFFFFFFF)),
    {"raster.clip_plane_enable",
     [](Arguments& a, DrawCommand& d) {
         d.pipeline.rasterizer.clip_plane_enable = static_cast<uint8_t>(a.integer("bits", 0, 255));
     }},
    {"raster.scissor", set_scissor},
    {"viewport", set_viewport},
    {"viewport_transform", set_viewport_transform},
    {"clip_plane", set_clip_plane},
    {"outer_levels", set_outer_levels},
    {"inner_levels", set_inner_levels},
    VALKYR_MEMBER("depth.test", pipeline.depth_stencil.depth_test, flag("depth test")),
    VALKYR_MEMBER("depth.write", pipeline.depth_stencil.depth_write, flag("depth write")),
    {"depth.func", set_depth_func},
    VALKYR_STENCIL("stencil", 0),
    VALKYR_STENCIL("stencil.back", 1),
    {"stencil.reference", set_stencil_reference},
    VALKYR_MEMBER("alpha.test", pipeline.depth_stencil.alpha_test, flag("alpha test")),
    VALKYR_MEMBER(
        "alpha.func", pipeline.depth_stencil.alpha_func, choice<CompareFunc>("comparison")),
    VALKYR_MEMBER("alpha.reference", state.alpha_reference, number("reference")),
    VALKYR_MEMBER("sample_mask", state.sample_mask, integer("mask", 0, 0xFFFFFFFF)),
    {"blend.color", set_blend_color},
    {"blend.logic_op", set_logic_op},
    VALKYR_MEMBER("blend.independent", pipeline.blend.independent, flag("independent")),
    VALKYR_MEMBER(
        "blend.alpha_to_coverage", pipeline.blend.alpha_to_coverage, flag("alpha to coverage")),
    VALKYR_MEMBER("blend.alpha_to_one", pipeline.blend.alpha_to_one, flag("alpha to one")),
};

#undef VALKYR_STENCIL
#undef VALKYR_RASTER_NUMBER
#undef VALKYR_RASTER_FLAG
#undef VALKYR_MEMBER

/// Applies "blend.NAME" (target 0) or "blend.N.NAME"; false if the name has neither form.
bool apply_blend_target(const Word& name, Arguments& a, DrawCommand& d) {
    std::string_view rest = name.text;
    if (!rest.starts_with("blend."))
        return false;
    rest.remove_prefix(6);
    size_t number = 0;
    if (rest.size() > 2 && rest[0] >= '0' && rest[0] <= '7' && rest[1] == '.') {
        number = static_cast<size_t>(rest[0] - '0');
        rest.remove_prefix(2);
    }
    BlendTarget& target = d.pipeline.blend.targets[number];
    if (rest == "enable") {
        target.enable = a.flag("blending");
    } else if (rest == "mask") {
        target.write_mask = a.mask_of(a.take("mask"), "mask");
    } else if (rest == "rgb") {
        target.rgb_func = a.choice<BlendFunc>("blend equation");
        target.rgb_src = a.choice<BlendFactor>("source factor");
        target.rgb_dst = a.choice<BlendFactor>("destination factor");
    } else if (rest == "alpha") {
        target.alpha_func = a.choice<BlendFunc>("blend equation");
        target.alpha_src = a.choice<BlendFactor>("source factor");
        target.alpha_dst = a.choice<BlendFactor>("destination factor");
    } else {
        return false;
    }
    return true;
}

using SamplerApply = void (*)(Arguments&, const Word&, SamplerState&);
struct SamplerKeyRow {
    std::string_view name;
    SamplerApply apply;
};

void set_border(Arguments& a, const Word& word, SamplerState& s) {
    const std::vector<Word> parts = a.list_of(word);
    if (parts.size() != 4)
        a.error(word.pos, "a border colour has four components");
    for (size_t i = 0; i < 4 && a.ok(); i++)
        s.border[i] = std::bit_cast<uint32_t>(a.number_of(parts[i], "component"));
}

constexpr SamplerKeyRow kSamplerKeys[] = {
    {"wrap",
     [](Arguments& a, const Word& w, SamplerState& s) {
         s.wrap_s = s.wrap_t = s.wrap_r = a.choice_of<Wrap>(w, "mode");
     }},
    {"wrap_s",
     [](Arguments& a, const Word& w, SamplerState& s) { s.wrap_s = a.choice_of<Wrap>(w, "mode"); }},
    {"wrap_t",
     [](Arguments& a, const Word& w, SamplerState& s) { s.wrap_t = a.choice_of<Wrap>(w, "mode"); }},
    {"wrap_r",
     [](Arguments& a, const Word& w, SamplerState& s) { s.wrap_r = a.choice_of<Wrap>(w, "mode"); }},
    {"filter",
     [](Arguments& a, const Word& w, SamplerState& s) {
         s.min_filter = s.mag_filter = a.choice_of<Filter>(w, "filter");
     }},
    {"min",
     [](Arguments& a, const Word& w, SamplerState& s) {
         s.min_filter = a.choice_of<Filter>(w, "filter");
     }},
    {"mag",
     [](Arguments& a, const Word& w, SamplerState& s) {
         s.mag_filter = a.choice_of<Filter>(w, "filter");
     }},
    {"mip",
     [](Arguments& a, const Word& w, SamplerState& s) {
         s.mip_filter = a.choice_of<MipFilter>(w, "filter");
     }},
    {"compare",
     [](Arguments& a, const Word& w, SamplerState& s) {
         s.compare_enable = true;
         s.compare = a.choice_of<CompareFunc>(w, "comparison");
     }},
    {"seamless",
     [](Arguments& a, const Word& w, SamplerState& s) {
         s.seamless_cube = a.flag_of(w, "seamless");
     }},
    {"normalized",
     [](Arguments& a, const Word& w, SamplerState& s) {
         s.normalized = a.flag_of(w, "normalized");
     }},
    {"aniso",
     [](Arguments& a, const Word& w, SamplerState& s) {
         s.max_anisotropy = static_cast<uint8_t>(a.integer_of(w, "anisotropy", 1, 16));
     }},
    {"lod_bias",
     [](Arguments& a, const Word& w, SamplerState& s) { s.lod_bias = a.number_of(w, "bias"); }},
    {"min_lod",
     [](Arguments& a, const Word& w, SamplerState& s) { s.min_lod = a.number_of(w, "level"); }},
    {"max_lod",
     [](Arguments& a, const Word& w, SamplerState& s) { s.max_lod = a.number_of(w, "level"); }},
    {"border", set_border},
};

}  // namespace

void apply_setting(Arguments& arguments, DrawCommand& draw) {
    const Word name = arguments.take("name of a setting");
    for (const Setting& setting : kSettings)
        if (setting.name == name.text) {
            setting.apply(arguments, draw);
            return;
        }
    if (!apply_blend_target(name, arguments, draw))
        arguments.error(name.pos, "'" + std::string(name.text) + "' is no setting");
}

void apply_sampler_keys(Arguments& arguments, raster::SamplerState& sampler) {
    while (const std::optional<KeyValue> pair = arguments.key_value()) {
        bool known = false;
        for (const SamplerKeyRow& row : kSamplerKeys)
            if (row.name == pair->key.text) {
                row.apply(arguments, pair->value, sampler);
                known = true;
            }
        if (!known)
            arguments.error(pair->key.pos,
                            "'" + std::string(pair->key.text) + "' is nothing of a sampler");
    }
}

}  // namespace valkyr::conform
