// Objects: decode CREATE_OBJECT payloads into state of the rasterizer.
// SPDX-License-Identifier: MIT
#include "virgl/state/objects.hpp"

#include <algorithm>
#include <array>

namespace valkyr::virgl {
namespace {

using raster::BlendFactor;
using raster::BlendFunc;
using raster::CompareFunc;
using raster::StencilOp;
using raster::Wrap;

/// Blend factors by protocol number, which has gaps.
Result<BlendFactor> blend_factor(uint32_t number) {
    constexpr auto kNone = static_cast<BlendFactor>(0xFF);
    static constexpr std::array<BlendFactor, 27> kFactors{
        BlendFactor::Zero,  // disabled targets send 0
        BlendFactor::One,
        BlendFactor::SrcColor,
        BlendFactor::SrcAlpha,
        BlendFactor::DstAlpha,
        BlendFactor::DstColor,
        BlendFactor::SrcAlphaSaturate,
        BlendFactor::ConstColor,
        BlendFactor::ConstAlpha,
        BlendFactor::Src1Color,
        BlendFactor::Src1Alpha,
        kNone,
        kNone,
        kNone,
        kNone,
        kNone,
        kNone,
        BlendFactor::Zero,
        BlendFactor::InvSrcColor,
        BlendFactor::InvSrcAlpha,
        BlendFactor::InvDstAlpha,
        BlendFactor::InvDstColor,
        kNone,
        BlendFactor::InvConstColor,
        BlendFactor::InvConstAlpha,
        BlendFactor::InvSrc1Color,
        BlendFactor::InvSrc1Alpha,
    };
    if (number >= kFactors.size() || kFactors[number] == kNone)
        return malformed("no blend factor " + std::to_string(number));
    return kFactors[number];
}

Result<raster::BlendTarget> blend_target(const Words& words, size_t at) {
    raster::BlendTarget target;
    target.write_mask = static_cast<uint8_t>(words.bits(at, 27, 4));
    target.enable = words.bit(at, 0);
    if (!target.enable)
        return target;
    VALKYR_TRY(rgb_func, enumerator(words.bits(at, 1, 3), BlendFunc::Max, "blend equation"));
    VALKYR_TRY(rgb_src, blend_factor(words.bits(at, 4, 5)));
    VALKYR_TRY(rgb_dst, blend_factor(words.bits(at, 9, 5)));
    VALKYR_TRY(alpha_func, enumerator(words.bits(at, 14, 3), BlendFunc::Max, "blend equation"));
    VALKYR_TRY(alpha_src, blend_factor(words.bits(at, 17, 5)));
    VALKYR_TRY(alpha_dst, blend_factor(words.bits(at, 22, 5)));
    target.rgb_func = rgb_func;
    target.rgb_src = rgb_src;
    target.rgb_dst = rgb_dst;
    target.alpha_func = alpha_func;
    target.alpha_src = alpha_src;
    target.alpha_dst = alpha_dst;
    return target;
}

Result<raster::StencilFace> stencil_face(const Words& words, size_t at) {
    raster::StencilFace face;
    face.enable = words.bit(at, 0);
    face.func = static_cast<CompareFunc>(words.bits(at, 1, 3));
    face.fail = static_cast<StencilOp>(words.bits(at, 4, 3));
    face.pass = static_cast<StencilOp>(words.bits(at, 7, 3));
    face.depth_fail = static_cast<StencilOp>(words.bits(at, 10, 3));
    face.read_mask = static_cast<uint8_t>(words.bits(at, 13, 8));
    face.write_mask = static_cast<uint8_t>(words.bits(at, 21, 8));
    return face;
}

Wrap wrap_mode(uint32_t number) {
    static constexpr std::array<Wrap, 8> kModes{
        Wrap::Repeat,       Wrap::Clamp,       Wrap::ClampToEdge,       Wrap::ClampToBorder,
        Wrap::MirrorRepeat, Wrap::MirrorClamp, Wrap::MirrorClampToEdge, Wrap::MirrorClampToBorder};
    return kModes[number & 7];
}

raster::TextureKind view_kind(Target target, bool multisampled) {
    using raster::TextureKind;
    static constexpr std::array<TextureKind, kTargets> kKinds{
        TextureKind::Buffer,     TextureKind::Tex1D,      TextureKind::Tex2D,
        TextureKind::Tex3D,      TextureKind::Cube,       TextureKind::Rect,
        TextureKind::Tex1DArray, TextureKind::Tex2DArray, TextureKind::CubeArray};
    if (multisampled)
        return target == Target::Tex2DArray ? TextureKind::Tex2DMsArray : TextureKind::Tex2DMs;
    return kKinds[static_cast<size_t>(target)];
}

/// The number of slices of a level: its depth, layers or faces.
uint32_t slices_of(const ResourceDesc& resource, uint32_t level) {
    if (resource.target == Target::Tex3D)
        return std::max(resource.depth >> level, 1U);
    return resource.target == Target::Cube ? 6 : std::max(resource.array_size, 1U);
}

Result<raster::Format> known_format(uint32_t number) {
    const raster::Format format = format_of(number);
    if (format == raster::Format::None)
        return malformed("no format " + std::to_string(number));
    return format;
}

}  // namespace

Result<BlendObject> decode_blend(const Words& words) {
    BlendObject object;
    object.state.independent = words.bit(2, 0);
    object.state.logic_op_enable = words.bit(2, 1);
    object.state.alpha_to_coverage = words.bit(2, 3);
    object.state.alpha_to_one = words.bit(2, 4);
    object.state.logic_op = static_cast<raster::LogicOp>(words.bits(3, 0, 4));
    for (size_t i = 0; i < object.state.targets.size(); ++i) {
        VALKYR_TRY(target, blend_target(words, 4 + i));
        object.state.targets[i] = target;
    }
    return object;
}

Result<RasterizerObject> decode_rasterizer(const Words& words) {
    VALKYR_TRY(front, enumerator(words.bits(2, 10, 2), raster::PolygonMode::Point, "fill mode"));
    VALKYR_TRY(back, enumerator(words.bits(2, 12, 2), raster::PolygonMode::Point, "fill mode"));
    RasterizerObject object;
    raster::RasterizerState& s = object.state;
    s.flat_shade = words.bit(2, 0);
    s.depth_clip = words.bit(2, 1);
    s.clip_halfz = words.bit(2, 2);
    s.rasterizer_discard = words.bit(2, 3);
    s.flat_shade_first = words.bit(2, 4);
    s.two_sided_color = words.bit(2, 5);
    s.sprite_origin_lower_left = words.bit(2, 6);
    s.point_sprite = words.bit(2, 7);
    s.cull = static_cast<raster::CullFace>(words.bits(2, 8, 2));
    s.fill_front = front;
    s.fill_back = back;
    s.scissor = words.bit(2, 14);
    s.front_ccw = words.bit(2, 15);
    s.offset_line = words.bit(2, 18);
    s.offset_point = words.bit(2, 19);
    s.offset_fill = words.bit(2, 20);
    s.polygon_stipple = words.bit(2, 22);
    s.point_smooth = words.bit(2, 23);
    s.whole_point_size = !s.point_sprite;  // Gallium: !point_quad_rasterization
    s.point_size_per_vertex = words.bit(2, 24);
    s.multisample = words.bit(2, 25);
    s.line_smooth = words.bit(2, 26);
    s.line_stipple = words.bit(2, 27);
    s.line_last_pixel = words.bit(2, 28);
    s.half_pixel_center = words.bit(2, 29);
    s.bottom_edge_rule = words.bit(2, 30);
    object.interpolates_at_samples = words.bit(2, 31);
    s.point_size = words.number(3);
    s.sprite_texcoords = words[4];
    s.line_stipple_pattern = static_cast<uint16_t>(words.bits(5, 0, 16));
    s.line_stipple_factor = static_cast<uint16_t>(words.bits(5, 16, 8) + 1);
    s.clip_plane_enable = static_cast<uint8_t>(words.bits(5, 24, 8));
    s.line_width = words.number(6);
    // A unit must change the value at every depth. In a fixed-point buffer this takes two codes,
    // because depth planes are not exact to one code.
    s.offset_units = 2 * words.number(7);
    s.offset_scale = words.number(8);
    s.offset_clamp = words.number(9);
    return object;
}

Result<DepthStencilObject> decode_depth_stencil(const Words& words) {
    DepthStencilObject object;
    object.state.depth_test = words.bit(2, 0);
    object.state.depth_write = words.bit(2, 1);
    object.state.depth_func = static_cast<CompareFunc>(words.bits(2, 2, 3));
    object.state.alpha_test = words.bit(2, 8);
    object.state.alpha_func = static_cast<CompareFunc>(words.bits(2, 9, 3));
    for (size_t face = 0; face < 2; ++face) {
        VALKYR_TRY(stencil, stencil_face(words, 3 + face));
        object.state.stencil[face] = stencil;
    }
    object.alpha_reference = words.number(5);
    return object;
}

Result<ElementsObject> decode_elements(const Words& words) {
    const size_t count = (words.size() - 1) / 4;
    if ((words.size() - 1) % 4 != 0 || count > kMaxSlots)
        return malformed(std::to_string(words.size() - 1) + " words of vertex elements");
    ElementsObject object;
    for (size_t i = 0; i < count; ++i) {
        raster::VertexElement element;
        element.offset = words[2 + 4 * i];
        element.divisor = words[3 + 4 * i];
        element.buffer = words[4 + 4 * i];
        VALKYR_TRY(format, known_format(words[5 + 4 * i]));
        element.format = format;
        if (element.buffer >= kMaxSlots)
            return malformed("no vertex buffer slot " + std::to_string(element.buffer));
        object.buffers = std::max(object.buffers, element.buffer + 1);
        object.elements.push_back(element);
    }
    return object;
}

Result<SamplerObject> decode_sampler(const Words& words) {
    // In the protocol's order: nearest, linear, none.
    static constexpr std::array<raster::MipFilter, 4> kMipFilters{
        raster::MipFilter::Nearest, raster::MipFilter::Linear, raster::MipFilter::None,
        raster::MipFilter::None};
    SamplerObject object;
    raster::SamplerState& s = object.state;
    s.wrap_s = wrap_mode(words.bits(2, 0, 3));
    s.wrap_t = wrap_mode(words.bits(2, 3, 3));
    s.wrap_r = wrap_mode(words.bits(2, 6, 3));
    s.min_filter = words.bits(2, 9, 2) == 0 ? raster::Filter::Nearest : raster::Filter::Linear;
    s.mip_filter = kMipFilters[words.bits(2, 11, 2)];
    s.mag_filter = words.bits(2, 13, 2) == 0 ? raster::Filter::Nearest : raster::Filter::Linear;
    s.compare_enable = words.bit(2, 15);
    s.compare = static_cast<CompareFunc>(words.bits(2, 16, 3));
    s.seamless_cube = words.bit(2, 19);
    s.max_anisotropy = static_cast<uint8_t>(std::clamp(words.bits(2, 20, 6), 1U, 16U));
    s.lod_bias = words.number(3);
    s.min_lod = words.number(4);
    s.max_lod = words.number(5);
    for (size_t i = 0; i < s.border.size(); ++i)
        s.border[i] = words[6 + i];
    return object;
}

Result<raster::TextureView> decode_view(const Words& words, const ResourceDesc& resource) {
    raster::TextureView view;
    VALKYR_TRY(format, known_format(words.bits(3, 0, 24)));
    const uint32_t number = words.bits(3, 24, 8);
    VALKYR_TRY(target, number == 0 ? Result<Target>(resource.target)
                                   : enumerator(number, Target::CubeArray, "texture target"));
    view.format = format;
    view.kind = view_kind(target, resource.samples > 1);
    for (size_t i = 0; i < view.swizzle.size(); ++i) {
        VALKYR_TRY(swizzle, enumerator(words.bits(6, static_cast<unsigned>(3 * i), 3),
                                       raster::Swizzle::One, "swizzle"));
        view.swizzle[i] = swizzle;
    }
    if (resource.target == Target::Buffer) {
        const uint64_t texel = format_shape(format).block_bytes;
        const uint64_t first = words[4];
        const uint64_t last = std::max(words[5], words[4]);
        view.buffer.offset = first * texel;
        view.buffer.size = (last - first + 1) * texel;
        return view;
    }
    const uint32_t first_layer = words.bits(4, 0, 16);
    const uint32_t first_level = words.bits(5, 0, 8);
    view.first_layer = resource.target == Target::Tex3D ? 0 : first_layer;
    if (resource.target != Target::Tex3D)
        view.layer_count = std::max(words.bits(4, 16, 16), first_layer) - first_layer + 1;
    view.first_level = static_cast<uint8_t>(first_level);
    view.level_count =
        static_cast<uint8_t>(std::max(words.bits(5, 8, 8), first_level) - first_level + 1);
    return view;
}

Result<SurfaceObject> decode_surface(const Words& words, const ResourceDesc& resource) {
    SurfaceObject surface;
    VALKYR_TRY(format, known_format(words[3]));
    surface.format = format;
    if (resource.target == Target::Buffer)
        return surface;
    if (words[4] > resource.last_level)
        return malformed("a surface of level " + std::to_string(words[4]));
    surface.level = words[4];
    surface.first_layer = words.bits(5, 0, 16);
    surface.last_layer = words.bits(5, 16, 16);
    if (surface.last_layer < surface.first_layer)
        return malformed("a surface whose last layer comes before its first");
    if (surface.last_layer >= slices_of(resource, surface.level))
        return malformed("a surface of layer " + std::to_string(surface.last_layer));
    return surface;
}

Result<ImageBinding> decode_image(const Words& words, size_t at, ResourcePtr resource) {
    ImageBinding image;
    if (!resource)
        return image;
    if (words[at] != 0) {
        VALKYR_TRY(format, known_format(words[at]));
        image.view.format = resource->viewed_as(format);
    }
    // The access in [at + 1] is what the program announced; the shader's text tells what it does.
    if (resource->is_buffer()) {
        image.view.buffer.offset = words[at + 2];
        image.view.buffer.size = words[at + 3];
    } else {
        const uint32_t first = words.bits(at + 2, 0, 16);
        const uint32_t last = words.bits(at + 2, 16, 16);
        if (last < first)
            return malformed("an image whose last layer comes before its first");
        image.view.first_layer = first;
        image.view.layer_count = last - first + 1;
        image.view.level = static_cast<uint8_t>(words.bits(at + 3, 0, 8));
    }
    image.resource = std::move(resource);
    return image;
}

raster::Format drawn_format(const SurfaceObject& surface) {
    return is_depth_stencil_format(surface.format) ||
                   surface.format == format_of(surface.resource->desc().format)
               ? raster::Format::None
               : surface.format;
}

Result<raster::StreamOutputState> decode_stream_output(const Words& words, uint32_t outputs) {
    raster::StreamOutputState state;
    for (size_t i = 0; i < raster::kMaxStreamTargets; ++i)
        state.stride_words[i] = words[6 + i];
    for (uint32_t i = 0; i < outputs; ++i) {
        const size_t at = 10 + 2 * size_t{i};
        raster::StreamOutputElement element;
        element.output = static_cast<uint8_t>(words.bits(at, 0, 8));
        element.first_component = static_cast<uint8_t>(words.bits(at, 8, 2));
        element.components = static_cast<uint8_t>(words.bits(at, 10, 3));
        element.buffer = static_cast<uint8_t>(words.bits(at, 13, 3));
        element.offset_words = static_cast<uint16_t>(words.bits(at, 16, 16));
        if (element.first_component + element.components > 4 ||
            element.buffer >= raster::kMaxStreamTargets)
            return malformed("stream output " + std::to_string(i));
        element.stream = static_cast<uint8_t>(words.bits(at + 1, 0, 2));
        state.elements.push_back(element);
    }
    return state;
}

}  // namespace valkyr::virgl
