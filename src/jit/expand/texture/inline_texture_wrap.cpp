// Texture coordinates: converts them to texel numbers and weights (docs/rules/sampling.md).
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "jit/expand/texture/inline_texture.hpp"

#include <array>
#include <cstddef>

namespace valkyr::jit {

using exec::TextureLevel;
using exec::Wrap;

namespace {

/// The limit of coordinates in texels: far outside every texture, and small enough that 256 times
/// it is an exact integer.
constexpr float kFarTexel = 0x1p20F;

/// How a texel number just outside its level is wrapped.
enum class Ends : uint8_t { Around, Edge };

Ends ends_of(Wrap wrap) {
    return wrap == Wrap::Repeat ? Ends::Around : Ends::Edge;
}

size_t size_member(unsigned axis) {
    constexpr std::array<size_t, 3> members = {offsetof(TextureLevel, width),
                                               offsetof(TextureLevel, height),
                                               offsetof(TextureLevel, depth)};
    return members[axis];
}

Operand size_operand(const TextureSite& site, unsigned axis) {
    return Operand::broadcast(site.level_member(size_member(axis)));
}

Operand pool_f32(const TextureSite& site, float value) {
    return site.c.pool(as_bits(value));
}

/// u - floor(u).
void fold_repeat(const TextureSite& site, Vec u) {
    HostAssembler& h = site.c.h;
    const Temp t = site.c.scratch();
    h.round_f32(t, u, Rounding::Down);
    h.op(Binary::SubF32, u, u, t);
}

/// m = u - 2 floor(u / 2), then min(m, 2 - m).
void fold_mirror(const TextureSite& site, Vec u) {
    HostAssembler& h = site.c.h;
    const Temp t = site.c.scratch();
    h.op(Binary::MulF32, t, u, pool_f32(site, 0.5F));
    h.round_f32(t, t, Rounding::Down);
    h.op(Binary::AddF32, t, t, t);
    h.op(Binary::SubF32, u, u, t);
    h.move(t, pool_f32(site, 2));
    h.op(Binary::SubF32, t, t, u);
    h.op(Binary::MinF32, u, t, u);
}

bool is_absolute(Wrap wrap) {
    return wrap == Wrap::MirrorClampToEdge || wrap == Wrap::MirrorClampToBorder ||
           wrap == Wrap::MirrorClamp;
}
/// GL_CLAMP: linear filters reach half a texel into the border, nearest ones do not.
bool is_half_border(Wrap wrap) {
    return wrap == Wrap::Clamp || wrap == Wrap::MirrorClamp;
}

/// Clamping modes limit the coordinate to one level size outside (with byte offsets: 256). A
/// coordinate further out has both texels at the edge, and so has one at the limit.
void fold(const TextureSite& site, unsigned axis, Vec u) {
    constexpr float far_size = 256;
    const Wrap wrap = site.wrap(axis);
    if (wrap == Wrap::Repeat)
        return fold_repeat(site, u);
    if (wrap == Wrap::MirrorRepeat)
        return fold_mirror(site, u);
    if (is_absolute(wrap))
        site.c.h.op(Binary::And, u, u, site.c.pool(0x7FFFFFFF));
    if (site.unnormalized())
        limit_number(site, u, -kFarTexel, kFarTexel);
    else if (site.message.offset)
        limit_number(site, u, -far_size, far_size);
    else
        limit_number(site, u, -1, 2);
}

/// A constant offset of an axis.
float known_offset(const TextureSite& site, unsigned axis) {
    return static_cast<float>(static_cast<int8_t>(*site.known_offset >> 8 * axis));
}

/// d = texel offsets of an axis, as f32.
void load_offset(const TextureSite& site, unsigned axis, Vec d) {
    HostAssembler& h = site.c.h;
    if (site.known_offset) {
        h.move(d, pool_f32(site, known_offset(site, axis)));
        return;
    }
    h.load(d, site.offset_word());
    h.op(ImmOp::Shl32, d, d, 24 - 8 * axis);
    h.op(ImmOp::Sar32, d, d, 24);
    h.op(Unary::S32ToF32, d, d);
}

/// Folds a coordinate that has an offset. Where folding could reverse its direction, adds the
/// offset first and returns true; otherwise the caller adds it later.
bool fold_with_offset(const TextureSite& site, unsigned axis, Vec u) {
    EmitContext& c = site.c;
    const Wrap wrap = site.wrap(axis);
    const bool early = is_absolute(wrap) || wrap == Wrap::MirrorRepeat;
    if (early) {
        const Temp offset = c.scratch();
        load_offset(site, axis, offset);
        if (!site.unnormalized()) {
            const Temp size = c.scratch();
            c.h.op(Unary::S32ToF32, size, size_operand(site, axis));
            c.h.op(Binary::DivF32, offset, offset, size);
        }
        c.h.op(Binary::AddF32, u, u, offset);
    }
    fold(site, axis, u);
    return early;
}

/// start_of() with a constant offset.
Temp known_start(const TextureSite& site, unsigned axis, Temp start) {
    EmitContext& c = site.c;
    const float offset = 256 * known_offset(site, axis);
    if (site.filter == FilterChoice::Linear)
        c.h.move(start, pool_f32(site, offset - 128));
    else if (start.valid())
        c.h.op(Binary::AddF32, start, start, pool_f32(site, offset));
    else
        start = c.constant(as_bits(offset));
    return start;
}

/// The start of the scaled coordinate, 256 * (offset - 1/2) for linear lanes; invalid: 0.
Temp start_of(const TextureSite& site, unsigned axis, bool adds_offset) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    Temp start;
    if (site.filter != FilterChoice::Nearest) {
        start = c.constant(as_bits(-128.0F));
        if (site.filter == FilterChoice::ByLane)
            h.op(Binary::And, start, start, Operand::memory(site.linear()));
    }
    if (!adds_offset)
        return start;
    if (site.known_offset)
        return known_start(site, axis, std::move(start));
    Temp offset = c.scratch();
    load_offset(site, axis, offset);
    h.op(Binary::MulF32, offset, offset, pool_f32(site, 256));
    if (!start.valid())
        return offset;
    h.op(Binary::AddF32, start, start, offset);
    return start;
}

/// 256 times the size of an axis, as f32 for all lanes.
void load_scale(const TextureSite& site, unsigned axis, Vec scale) {
    EmitContext& c = site.c;
    if (axis == 0) {
        c.h.move(scale, Operand::broadcast(site.level_member(offsetof(TextureLevel, width_256))));
    } else if (axis == 1) {
        c.h.move(scale, Operand::broadcast(site.level_member(offsetof(TextureLevel, height_256))));
    } else {
        c.h.op(Unary::S32ToF32, scale, size_operand(site, axis));
        c.h.op(Binary::MulF32, scale, scale, pool_f32(site, 256));
    }
}

/// Limits 256 times a coordinate to just outside its level; NaN stays NaN.
void limit_to_border(const TextureSite& site, unsigned axis, Vec x) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const bool half = site.leaves_faces || is_half_border(site.wrap(axis));
    const Temp bound = c.constant(as_bits(half ? -128.0F : -256.0F));
    h.op(Binary::MaxF32, x, bound, x);
    load_scale(site, axis, bound);
    if (half)
        h.op(Binary::SubF32, bound, bound, pool_f32(site, 128));
    h.op(Binary::MinF32, x, bound, x);
}

/// 256 times the coordinate in texels, less half a texel in linear lanes.
Temp scaled(const TextureSite& site, unsigned axis) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    Temp x = c.scratch();
    h.load(x, site.coordinate(axis));
    const bool adds_offset = site.message.offset && !fold_with_offset(site, axis, x);
    Temp size = c.scratch();
    if (site.unnormalized())
        h.move(size, pool_f32(site, 256));
    else
        load_scale(site, axis, size);
    Temp start = start_of(site, axis, adds_offset);
    if (start.valid()) {
        h.fma(x, x, size, start, false, false);
        start.reset();
    } else {
        h.op(Binary::MulF32, x, x, size);
    }
    size.reset();
    if (has_border(site, axis))
        limit_to_border(site, axis, x);
    return x;
}

/// The integer that a NaN may be rounded to: 0 only, or 0 or the least integer.
enum class NanTexel : uint8_t { Zero, Any };

/// Rounds x to whole 1/256 by the rule of the filter: nearest filters round down.
void round_fixed(const TextureSite& site, Vec x, NanTexel nan) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    if (site.filter == FilterChoice::Nearest) {
        h.round_f32(x, x, Rounding::Down);
    } else if (site.filter == FilterChoice::ByLane) {
        const Temp down = c.scratch();
        const Temp linear = c.scratch();
        const TempMask by_lane = c.scratch_mask();
        h.load(linear, site.linear());
        h.sign_mask(by_lane, linear);
        h.round_f32(down, x, Rounding::Down);
        h.select(Element::B32, x, by_lane, x, down);
    }
    if (nan == NanTexel::Any)
        h.op(Unary::F32ToS32, x, x);
    else
        h.to_s32_or_zero(x, x);
}

/// Wraps a texel number in [-1, size] into the level.
void come_back(const TextureSite& site, unsigned axis, Vec i, bool can_be_low, bool can_be_high) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Temp t = c.scratch();
    if (ends_of(site.wrap(axis)) == Ends::Edge) {
        if (can_be_low) {
            h.zero(t);
            h.op(Binary::MaxS32, i, i, t);
        }
        h.ones(t);
        h.op(Binary::AddI32, t, t, size_operand(site, axis));
        h.op(Binary::MinS32, i, i, t);
    } else if (site.message.offset) {
        // i - s floor(i / s): below 2^17 the rounded quotient has the floor of the exact one.
        const Temp size = c.scratch();
        h.op(Unary::S32ToF32, size, size_operand(site, axis));
        h.op(Unary::S32ToF32, t, i);
        h.op(Binary::DivF32, t, t, size);
        h.round_f32(t, t, Rounding::Down);
        h.op(Unary::F32ToS32, t, t);
        h.op(Binary::MulI32, t, t, size_operand(site, axis));
        h.op(Binary::SubI32, i, i, t);
    } else {
        // As unsigned numbers, texels outside are larger than their wrapped values: take the
        // minimum.
        if (can_be_low) {
            h.op(Binary::AddI32, t, i, size_operand(site, axis));
            h.op(Binary::MinU32, i, i, t);
        }
        if (can_be_high) {
            h.op(Binary::SubI32, t, i, size_operand(site, axis));
            h.op(Binary::MinU32, i, i, t);
        }
    }
}

/// Stores which lanes take the border for a texel, before it is wrapped.
void note_outside(const TextureSite& site, unsigned axis, Vec i, unsigned second) {
    if (!has_border(site, axis))
        return;
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Wrap wrap = site.wrap(axis);
    const TempMask outside = c.scratch_mask();
    const Temp flags = c.scratch();
    // Below 0 a mirrored axis takes texel 0. Otherwise negative numbers are large unsigned ones.
    h.compare(IntCond::GreaterEqual, Element::B32, is_absolute(wrap), outside, i,
              size_operand(site, axis));
    h.mask_value(Element::B32, flags, outside, 0xFFFFFFFF);
    if (is_half_border(wrap) && site.filter == FilterChoice::ByLane)
        h.op(Binary::And, flags, flags, Operand::memory(site.linear()));
    h.store(site.outside(axis, second), flags);
}

/// Jumps if a lane filters across the edge of its face.
void leave_if_outside(const TextureSite& site,
                      unsigned axis,
                      const AxisTexels& texels,
                      Label outside_face) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    // One unsigned comparison tests that the first texel is not below 0 and the second at most size
    // - 1.
    const Temp largest = c.scratch();
    const TempMask outside = c.scratch_mask();
    h.op(Binary::MaxU32, largest, texels.first, texels.second);
    if (site.filter == FilterChoice::ByLane) {  // nearest filters stay inside
        const Temp linear = c.scratch();
        h.load(linear, site.linear());
        h.op(Binary::And, largest, largest, linear);
    }
    h.compare(IntCond::GreaterEqual, Element::B32, false, outside, largest,
              size_operand(site, axis));
    const Scalar lanes = site.c.scalar();
    h.mask_bits(lanes, outside);
    h.test32(lanes);
    h.jump(Jump::NotEqual, outside_face);
}

}  // namespace

bool has_border(const TextureSite& site, unsigned axis) {
    const Wrap wrap = site.wrap(axis);
    return wrap == Wrap::ClampToBorder || wrap == Wrap::MirrorClampToBorder ||
           (is_half_border(wrap) && site.filter != FilterChoice::Nearest);
}

// The host's minimum and maximum return their second operand if one is NaN.
void limit_number(const TextureSite& site, Vec u, float low, float high) {
    HostAssembler& h = site.c.h;
    const Temp bound = site.c.constant(as_bits(low));
    h.op(Binary::MaxF32, u, bound, u);
    h.move(bound, pool_f32(site, high));
    h.op(Binary::MinF32, u, bound, u);
}

Wrap TextureState::wrap(unsigned axis) const {
    if (cube && sampler.seamless_cube)
        return Wrap::ClampToEdge;
    const std::array<Wrap, 3> modes = {sampler.wrap_s, sampler.wrap_t, sampler.wrap_r};
    const Wrap mode = modes[axis];
    const bool repeats = mode == Wrap::Repeat || mode == Wrap::MirrorRepeat;
    return unnormalized() && repeats ? Wrap::ClampToEdge : mode;
}

void fold_number(const TextureSite& site, unsigned axis, Vec u) {
    if (!site.message.offset)
        fold(site, axis, u);
}

void fold_coordinate(const TextureSite& site, unsigned axis) {
    if (site.message.offset)
        return;
    EmitContext& c = site.c;
    const Temp u = c.scratch();
    c.h.load(u, site.coordinate(axis));
    fold(site, axis, u);
    c.h.store(site.coordinate(axis), u);
}

bool repeats_by_mask(const TextureSite& site, unsigned axis) {
    return axis < 2 && site.wrap(axis) == Wrap::Repeat && site.texture.power_of_two;
}

namespace {

/// Computes raw_texels(); `nan`: what a NaN may become.
AxisTexels raw_numbers(const TextureSite& site, unsigned axis, NanTexel nan) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    AxisTexels texels;
    texels.first = scaled(site, axis);
    round_fixed(site, texels.first, nan);
    if (site.filter != FilterChoice::Nearest) {
        texels.weight = c.scratch();
        h.op(Binary::And, texels.weight, texels.first, c.pool(0xFF));
        if (site.filter == FilterChoice::ByLane)
            h.op(Binary::And, texels.weight, texels.weight, Operand::memory(site.linear()));
    }
    h.op(ImmOp::Sar32, texels.first, texels.first, 8);
    return texels;
}

/// d = the number after a texel's.
void next_number(const TextureSite& site, Vec d, Vec i) {
    site.c.h.ones(d);
    site.c.h.op(Binary::SubI32, d, i, d);
}

}  // namespace

// In linear lanes the first texel can only be too low, the second only too high. In nearest lanes
// the first can also equal the size of a repeating axis.
void wrap_first(const TextureSite& site, unsigned axis, Vec i) {
    const bool edge = ends_of(site.wrap(axis)) == Ends::Edge;
    const bool linear = site.filter != FilterChoice::Nearest;
    note_outside(site, axis, i, 0);
    come_back(site, axis, i, linear || edge, site.filter != FilterChoice::Linear);
}

void wrap_both(const TextureSite& site, unsigned axis, AxisTexels& texels, Label outside_face) {
    texels.second = site.c.scratch();
    next_number(site, texels.second, texels.first);
    if (site.leaves_faces)
        leave_if_outside(site, axis, texels, outside_face);
    wrap_first(site, axis, texels.first);
    note_outside(site, axis, texels.second, 1);
    come_back(site, axis, texels.second, ends_of(site.wrap(axis)) == Ends::Edge, true);
}

AxisTexels axis_texels(const TextureSite& site, unsigned axis) {
    AxisTexels texels = raw_numbers(site, axis, NanTexel::Zero);
    if (site.filter == FilterChoice::Nearest)
        wrap_first(site, axis, texels.first);
    else
        wrap_both(site, axis, texels, Label{});
    return texels;
}

namespace {

/// Clamps a texel number to the level in nearest lanes.
void keep_nearest_inside(const TextureSite& site, unsigned axis, Vec i) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Temp inside = c.constant(0);
    const Temp t = c.scratch();
    h.op(Binary::MaxS32, inside, inside, i);
    h.ones(t);
    h.op(Binary::AddI32, t, t, size_operand(site, axis));
    h.op(Binary::MinS32, inside, inside, t);
    h.op(Binary::Xor, inside, inside, i);
    h.load(t, site.linear());
    h.op(Binary::AndNot, t, t, inside);
    h.op(Binary::Xor, i, i, t);
}

}  // namespace

AxisTexels unwrapped_texels(const TextureSite& site, unsigned axis) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    AxisTexels texels;
    texels.first = scaled(site, axis);
    limit_to_border(site, axis, texels.first);
    round_fixed(site, texels.first, NanTexel::Zero);
    texels.weight = c.scratch();
    h.op(Binary::And, texels.weight, texels.first, c.pool(0xFF));
    h.op(ImmOp::Sar32, texels.first, texels.first, 8);
    texels.second = c.scratch();
    next_number(site, texels.second, texels.first);
    if (site.filter == FilterChoice::ByLane) {
        h.op(Binary::And, texels.weight, texels.weight, Operand::memory(site.linear()));
        keep_nearest_inside(site, axis, texels.first);
        keep_nearest_inside(site, axis, texels.second);
    }
    return texels;
}

AxisTexels raw_texels(const TextureSite& site, unsigned axis) {
    return raw_numbers(site, axis, repeats_by_mask(site, axis) ? NanTexel::Any : NanTexel::Zero);
}

}  // namespace valkyr::jit
