// Fixed function: computes the numbers of a draw that no shader computes.
// SPDX-License-Identifier: MIT
#include "raster/record/fixed_function.hpp"

#include "exec/specials.hpp"
#include "raster/data/assemble.hpp"
#include "raster/data/half_varyings.hpp"
#include "raster/formats/depth_codes.hpp"
#include "raster/formats/format_convert.hpp"
#include "raster/record/state_keys.hpp"
#include "raster/sample_positions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace valkyr::raster {
namespace {

/// Returns the record offset of the slot with a name, or 0 if the vertex program has none.
uint32_t slot_offset(const exec::ProgramInfo& info, exec::VaryingName name, unsigned index) {
    for (uint32_t s = 0; s < info.varying_slot_count && s < exec::kMaxVaryingSlots; ++s)
        if (info.varyings[s].name == name && info.varyings[s].index == index &&
            info.varyings[s].written)
            return exec::varying_offset(s);
    return 0;
}

/// Sets the clip and cull distances of the vertex program, or the user planes if it writes none.
void set_user_clip(ClipState& clip,
                   const RasterizerState& state,
                   const DrawState& draw,
                   const exec::ProgramInfo& info) {
    if (state.clip_plane_enable == 0 && info.cull_distances == 0)
        return;
    const auto distance = [&](unsigned i) {
        const uint32_t slot = slot_offset(info, exec::VaryingName::ClipDistance, i / 4);
        return DistanceSource{slot == 0 ? 0 : slot + 4 * (i % 4), false, {}};
    };
    const bool writes = info.clip_distances != 0;
    const uint32_t position = slot_offset(info, exec::VaryingName::ClipVertex, 0);
    for (unsigned i = 0; i < exec::kMaxClipDistances; ++i) {
        if ((info.cull_distances >> i & 1) != 0)
            clip.cull[clip.cull_count++] = distance(i);
        if ((state.clip_plane_enable >> i & 1) == 0)
            continue;
        DistanceSource source;
        if (writes && (info.clip_distances >> i & 1) == 0)
            continue;
        if (writes) {
            source = distance(i);
        } else {
            source.offset = position;
            source.plane = true;
            std::copy(draw.clip_planes[i].begin(), draw.clip_planes[i].end(), source.equation);
        }
        clip.planes |= kClipUser0 << clip.user_count;
        clip.user[clip.user_count++] = source;
    }
}

void set_clip(ClipState& clip,
              const RasterizerState& state,
              const DrawState& draw,
              const exec::ProgramInfo& info) {
    clip.near_far = state.depth_clip && !info.window_space_position;
    clip.halfz = state.clip_halfz;
    clip.center_shift = state.half_pixel_center ? 0.0F : 0.5F;
    clip.planes = kClipW | kClipLeft | kClipRight | kClipTop | kClipBottom;
    if (clip.near_far)
        clip.planes |= kClipNear | kClipFar;
    set_user_clip(clip, state, draw, info);
}

/// Returns the first pixel whose centre is not left of a window coordinate.
int32_t first_center_from(float edge) {
    const float limited = edge > -65536.0F ? (edge < 65536.0F ? edge : 65536.0F) : -65536.0F;
    const float from = limited - 0.5F;
    const auto whole = static_cast<int32_t>(from);  // towards 0, where std::ceil() is a call
    return static_cast<float>(whole) < from ? whole + 1 : whole;
}

/// Returns the pixels that a draw may touch: attachments, scissor and, if `in_viewport`, viewport.
PixelRect drawable(const PassTargets& targets,
                   const Viewport& v,
                   const Rect& scissor,
                   const RasterizerState& raster,
                   bool in_viewport) {
    PixelRect rect{0, 0, static_cast<int32_t>(targets.width), static_cast<int32_t>(targets.height)};
    const auto limit = [&](int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
        rect = {std::max(rect.x0, x0), std::max(rect.y0, y0), std::min(rect.x1, x1),
                std::min(rect.y1, y1)};
    };
    if (raster.scissor)
        limit(scissor.x0, scissor.y0, scissor.x1, scissor.y1);
    if (!in_viewport)
        return rect;
    limit(first_center_from(v.translate[0] - std::fabs(v.scale[0])),
          first_center_from(v.translate[1] - std::fabs(v.scale[1])),
          first_center_from(v.translate[0] + std::fabs(v.scale[0])),
          first_center_from(v.translate[1] + std::fabs(v.scale[1])));
    return rect;
}

bool has_offset(const RasterizerState& state, Format format) {
    return (state.offset_units != 0 || state.offset_scale != 0) && has_depth(format);
}

/// Sets the polygon offset (OpenGL 4.6 section 14.6.5): r of fixed-point depth; float depth
/// computes r per primitive.
void set_offset(DepthOffset& offset, const RasterizerState& state, Format format) {
    if (!has_offset(state, format))
        return;
    const exec::FormatInfo& info = exec::format_info(format);
    const auto channel = static_cast<unsigned>(depth_layout(format).depth);
    offset.enabled = state.offset_fill;
    offset.float_depth = info.type == exec::ChannelType::Float;
    offset.unit = 1.0F / static_cast<float>((uint64_t{1} << info.bits[channel]) - 1);
    offset.units = state.offset_units;
    offset.scale = state.offset_scale;
    offset.clamp = state.offset_clamp;
}

/// Returns whether each primitive has vertices of its own (OpenGL 4.6 compatibility, section
/// 10.3.10).
bool has_edge_flags(Primitive primitive) {
    return primitive == Primitive::Triangles || primitive == Primitive::Quads ||
           primitive == Primitive::Polygon;
}

/// Sets the width, ends and pattern of lines.
void set_lines(ShapeState& shape, const RasterizerState& state, const PassTargets& targets) {
    shape.rectangular_lines = targets.samples > 1 && state.multisample;
    shape.line_last_pixel = state.line_last_pixel;
    const bool exact = shape.rectangular_lines || shape.smooth == SmoothShape::Lines;
    const float width = exact ? state.line_width : std::rint(state.line_width);
    shape.line_width = width > 1 ? std::fmin(width, kMaximumLineWidth) : 1.0F;
    if (!shape.rasterize)
        return;
    shape.line_stipple = state.line_stipple && state.line_stipple_pattern != 0xFFFF;
    shape.stipple_pattern = state.line_stipple_pattern;
    shape.stipple_factor = state.line_stipple_factor;
}

/// Sets the state of points, lines, and triangles that are drawn as points or lines.
void set_kinds(ShapeState& shape,
               const RasterizerState& state,
               const PassTargets& targets,
               const exec::ProgramInfo& vertex,
               bool geometry) {
    shape.fill[0] = state.fill_front;
    shape.fill[1] = state.fill_back;
    const bool unfilled =
        state.fill_front != PolygonMode::Fill || state.fill_back != PolygonMode::Fill;
    shape.shapes = shape_of(shape.drawn) != Shape::Triangle || unfilled;
    shape.quads = shape_of(shape.drawn) == Shape::Point && shape.smooth == SmoothShape::None &&
                  targets.samples == 1;
    shape.merges = geometry && !shape.shapes && targets.samples == 1;
    if (!geometry && has_edge_flags(shape.drawn))
        shape.edge_flag_offset =
            static_cast<uint16_t>(slot_offset(vertex, exec::VaryingName::EdgeFlag, 0));
    if (has_offset(state, targets.depth_stencil.format)) {
        shape.offset_shape[0] = state.offset_line;
        shape.offset_shape[1] = state.offset_point;
    }
    shape.point_size = state.point_size;
    shape.point_size_per_vertex = state.point_size_per_vertex && vertex.writes_point_size;
    shape.whole_point_size =
        state.whole_point_size && shape.smooth != SmoothShape::Points && !shape.multisample;
}

void set_culling(ShapeState& shape, const RasterizerState& state) {
    const bool front = state.cull == CullFace::Front || state.cull == CullFace::FrontAndBack;
    const bool back = state.cull == CullFace::Back || state.cull == CullFace::FrontAndBack;
    // Positive area is clockwise as seen with row 0 at the top.
    shape.front_positive = !state.front_ccw;
    shape.cull_positive = shape.front_positive ? front : back;
    shape.cull_negative = shape.front_positive ? back : front;
}

/// Returns whether the samples of a pixel have different positions.
bool is_spread(const RasterizerState& state, const PassTargets& targets) {
    return raster_samples(state, targets) > 1;
}

const Viewport& viewport_at(const DrawState& state, size_t index) {
    return state.viewport_array.empty() ? state.viewport : state.viewport_array[index];
}

uint64_t atest_datum(const PipelineDesc& desc, const DrawState& state, const PassTargets& targets) {
    const bool multisample = targets.samples > 1 && desc.rasterizer.multisample;
    const CompareFunc func =
        desc.depth_stencil.alpha_test ? desc.depth_stencil.alpha_func : CompareFunc::Always;
    return exec::pack(
        exec::AtestDatum{.alpha_to_coverage = multisample && desc.blend.alpha_to_coverage,
                         .alpha_to_one = multisample && desc.blend.alpha_to_one,
                         .samples = static_cast<uint8_t>(targets.samples),
                         .alpha_func = func,
                         .alpha_reference = state.alpha_reference});
}

/// Blend descriptors without a format.
constexpr std::array<uint64_t, exec::kMaxRenderTargets> kNoTargets = [] {
    std::array<uint64_t, exec::kMaxRenderTargets> descriptors{};
    for (size_t i = 0; i < descriptors.size(); ++i)
        descriptors[i] = exec::pack(exec::BlendDescriptor{.target = static_cast<uint8_t>(i)});
    return descriptors;
}();

uint64_t blend_descriptor(const BlendState& state, size_t index, Format format) {
    constexpr uint8_t kF32 = 1, kI32 = 2, kU32 = 3;
    if (format == Format::None)
        return kNoTargets[index];
    exec::BlendDescriptor descriptor{.target = static_cast<uint8_t>(index)};
    const BlendTarget& target = state.targets[state.independent ? index : 0];
    const exec::FormatInfo& info = exec::format_info(format);
    const bool plain = !target.enable && !state.logic_op_enable && target.write_mask == 0xF;
    descriptor.mode = plain ? exec::BlendMode::Opaque : exec::BlendMode::FixedFunction;
    descriptor.format = format;
    descriptor.register_type = info.type == exec::ChannelType::Uint   ? kU32
                               : info.type == exec::ChannelType::Sint ? kI32
                                                                      : kF32;
    return exec::pack(descriptor);
}

/// Sample positions as u16 pairs in 8.8, by log2 of the sample count; 16 entries and a centre each.
using SampleTable = std::array<std::array<uint16_t, 2>, exec::kMaxSamples + 1>;
constexpr std::array<SampleTable, 5> kSampleTables = [] {
    std::array<SampleTable, 5> tables{};
    for (unsigned l = 0; l < tables.size(); ++l) {
        tables[l].fill({128, 128});
        const auto positions = sample_positions(1U << l);
        for (size_t s = 0; s < positions.size(); ++s)
            tables[l][s] = {static_cast<uint16_t>(positions[s].x * 16),
                            static_cast<uint16_t>(positions[s].y * 16)};
    }
    return tables;
}();

/// Encodes a number, as GL 4.6 section 2.3.5 says; ties go to even codes.
uint8_t unorm8(float c) {
    const float clamped = c > 0 ? (c < 1 ? c : 1.0F) : 0.0F;
    // A float of this size has no bits below 1, so the addition rounds: std::rint() is a call.
    return static_cast<uint8_t>(std::bit_cast<uint32_t>(clamped * 255.0F + 0x1p23F));
}

}  // namespace

SlotKind slot_kind(const exec::VaryingSlot& slot, const PipelineDesc& desc) {
    if (is_sprite_slot(slot, desc))
        return SlotKind::PointCoord;
    if (slot.name == exec::VaryingName::PointCoord)
        return draws_points_only(desc) ? SlotKind::PointCoord : SlotKind::Zero;
    if (!slot.written)
        return SlotKind::Zero;
    switch (slot.interpolation) {
    case exec::Interpolation::Flat: return SlotKind::Flat;
    case exec::Interpolation::Linear: return SlotKind::Linear;
    case exec::Interpolation::Perspective: return SlotKind::Perspective;
    case exec::Interpolation::Color:
        return desc.rasterizer.flat_shade ? SlotKind::Flat : SlotKind::Perspective;
    }
    return SlotKind::Zero;
}

uint32_t raster_samples(const RasterizerState& state, const PassTargets& targets) {
    return state.multisample ? targets.samples : 1;
}

void set_shape(ShapeState& shape,
               const PipelineDesc& desc,
               const DrawState& state,
               const PassTargets& targets,
               const exec::ProgramInfo& vertex,
               bool geometry) {
    const RasterizerState& raster = desc.rasterizer;
    shape.drawn = desc.primitive;
    shape.rasterize = !raster.rasterizer_discard;
    shape.bottom_edge_rule = raster.bottom_edge_rule;
    set_culling(shape, raster);
    set_clip(shape.clip, raster, state, vertex);
    shape.multisample = is_spread(raster, targets);
    shape.cover_low = shape.multisample ? 0 : 127;
    shape.cover_high = shape.multisample ? 0 : 128;
    shape.layers = vertex.writes_layer ? targets.layers : 1;
    if (vertex.writes_viewport_index && !state.viewport_array.empty())
        shape.viewport_count = static_cast<uint32_t>(state.viewport_array.size());
    set_viewport(shape, desc, state, targets, vertex, 0);
    set_kinds(shape, raster, targets, vertex, geometry);
    set_lines(shape, raster, targets);
}

void set_viewport(ShapeState& shape,
                  const PipelineDesc& desc,
                  const DrawState& state,
                  const PassTargets& targets,
                  const exec::ProgramInfo& vertex,
                  size_t index) {
    const bool single = state.viewport_array.empty();
    const Viewport& viewport = viewport_at(state, index);
    const Rect& scissor = single ? state.scissor : state.scissor_array[index];
    for (size_t i = 0; i < 3; ++i) {
        shape.clip.scale[i] = vertex.window_space_position ? 1 : viewport.scale[i];
        shape.clip.translate[i] = vertex.window_space_position ? 0 : viewport.translate[i];
    }
    const bool points = shape_of(desc.primitive) == Shape::Point;
    shape.rect = drawable(targets, viewport, scissor, desc.rasterizer,
                          !points && !vertex.window_space_position);
}

void set_tile(TileState& tile,
              const PipelineDesc& desc,
              const DrawState& state,
              const PassTargets& targets,
              const exec::ProgramInfo& vertex) {
    const RasterizerState& raster = desc.rasterizer;
    tile.sample_mask = is_spread(raster, targets) ? state.sample_mask : 0xFFFFFFFF;
    tile.sprite_lower_left = raster.sprite_origin_lower_left;
    set_depth_range(tile, desc, state, vertex, 0);
    set_offset(tile.offset, raster, targets.depth_stencil.format);
}

void set_depth_range(TileState& tile,
                     const PipelineDesc& desc,
                     const DrawState& state,
                     const exec::ProgramInfo& vertex,
                     size_t index) {
    tile.depth_min = 0;
    tile.depth_max = 1;
    if (desc.rasterizer.depth_clip || vertex.window_space_position)
        return;
    const Viewport& viewport = viewport_at(state, index);
    const float far = viewport.translate[2] + viewport.scale[2];
    const float near = desc.rasterizer.clip_halfz ? viewport.translate[2]
                                                  : viewport.translate[2] - viewport.scale[2];
    tile.depth_min = std::fmin(near, far);
    tile.depth_max = std::fmax(near, far);
}

uint32_t known_slots(const exec::ProgramInfo& fragment) {
    return std::min<uint32_t>(fragment.varying_slot_count, exec::kMaxVaryingSlots);
}

void set_slots(TileState& tile,
               const ShapeState& shape,
               const PipelineDesc& desc,
               const exec::ProgramInfo& fragment,
               SlotSource* slots) {
    tile.slots = slots;
    tile.slot_count = 0;
    const uint32_t known = known_slots(fragment);
    for (uint32_t s = 0; s < known; ++s) {
        const exec::VaryingSlot& slot = fragment.varyings[s];
        if (slot.components == 0)
            continue;
        SlotSource& source = slots[tile.slot_count++];
        source = {slot_kind(slot, desc), static_cast<uint8_t>(s), {}};
        source.offset[0] = source.offset[1] = static_cast<uint16_t>(exec::varying_offset(s));
        if (slot.name == exec::VaryingName::Color && desc.rasterizer.two_sided_color) {
            const uint32_t back = slot_offset(fragment, exec::VaryingName::BackColor, slot.index);
            if (back != 0)
                source.offset[1] = static_cast<uint16_t>(back);
        }
    }
    add_half_planes(tile, shape, fragment, slots);
}

void set_specials(exec::DrawContext& context,
                  const PipelineDesc& desc,
                  const DrawState& state,
                  const PassTargets& targets) {
    auto& special = context.special;
    special[exec::kFramebufferSize] = uint64_t{targets.width - 1} | uint64_t{targets.height - 1}
                                                                        << 32;
    special[exec::kAtestDatum] = atest_datum(desc, state, targets);
    special[exec::kSample] =
        reinterpret_cast<uint64_t>(kSampleTables[static_cast<size_t>(std::countr_zero(
                                                     raster_samples(desc.rasterizer, targets)))]
                                       .data());
    for (size_t i = 0; i < exec::kMaxRenderTargets; ++i)
        special[exec::kBlendDescriptor0 + i] =
            blend_descriptor(desc.blend, i, targets.color[i].format);
    for (size_t i = 0; i < 4; ++i) {
        context.blend_constant[i] = state.blend_color[i];
        context.blend_constant_unorm8[i] = unorm8(state.blend_color[i]);
    }
    context.stencil_reference[0] = state.stencil_reference[0];
    context.stencil_reference[1] =
        state.stencil_reference[desc.depth_stencil.stencil[1].enable ? 1 : 0];
}

void set_late_test(exec::DrawContext& context,
                   const exec::FragmentKey& key,
                   const exec::ProgramInfo& fragment) {
    const bool tests = key.zs.depth_test || key.zs.stencil_test() || key.zs.count_samples;
    const bool emits = fragment.writes_depth || fragment.writes_stencil;
    if (tests && !key.zs.early && !emits)
        context.special[exec::kAtestDatum] |=
            exec::pack({.late_test = true, .samples = 0, .alpha_func = {}});
}

bool has_perspective(const exec::ProgramInfo& fragment) {
    for (uint32_t s = 0; s < fragment.varying_slot_count && s < exec::kMaxVaryingSlots; ++s) {
        const exec::VaryingSlot& slot = fragment.varyings[s];
        if (slot.components != 0 && (slot.interpolation == exec::Interpolation::Perspective ||
                                     slot.interpolation == exec::Interpolation::Color))
            return true;
    }
    return false;
}

}  // namespace valkyr::raster
