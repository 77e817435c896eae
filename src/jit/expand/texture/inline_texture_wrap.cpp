// Texture coordinates: converts them to texel numbers and weights (docs/rules/sampling.md).
// SPDX-License-Identifier: MIT
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

void fold_repeat(F32& u) {
    u -= floor(u);
}

void fold_mirror(F32& u) {
    F32 even = floor(u * 0.5F);
    even += even;
    u -= even;
    u = min(2.0F - u, u);
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
void fold(const TextureSite& site, unsigned axis, F32& u) {
    constexpr float far_size = 256;
    const Wrap wrap = site.wrap(axis);
    if (wrap == Wrap::Repeat)
        return fold_repeat(u);
    if (wrap == Wrap::MirrorRepeat)
        return fold_mirror(u);
    if (is_absolute(wrap))
        u = abs(u);
    if (site.unnormalized())
        limit_number(u, -kFarTexel, kFarTexel);
    else if (site.message.offset)
        limit_number(u, -far_size, far_size);
    else
        limit_number(u, -1, 2);
}

/// A constant offset of an axis.
float known_offset(const TextureSite& site, unsigned axis) {
    return static_cast<float>(static_cast<int8_t>(*site.known_offset >> 8 * axis));
}

/// d = texel offsets of an axis, as f32.
void load_offset(const TextureSite& site, unsigned axis, F32& d) {
    if (site.known_offset)
        d = known_offset(site, axis);
    else
        d = to_f32(s32(site.offset_word()) << (24 - 8 * axis) >> 24);
}

/// Whether scaled() limits the coordinates of an axis to its level. A texel beyond an edge is the
/// one at the edge: in both cases all weight is on it. Numbers need that both texels are it,
/// because a NaN counts without weight; TEX_GATHER returns each texel; cubes need to know
/// which lanes leave their face.
bool clamps_scaled(const TextureSite& site, unsigned axis) {
    const bool weighs_numbers =
        site.kind == TexelKind::Numbers && site.filter != FilterChoice::Nearest;
    return site.wrap(axis) == Wrap::ClampToEdge && !weighs_numbers && !site.gathers &&
           !site.leaves_faces;
}

/// Whether a coordinate is folded by itself: offsets must be added first.
bool folds_before_scaling(const TextureSite& site, unsigned axis) {
    return !site.message.offset && !clamps_scaled(site, axis);
}

/// Whether scaled() folds, in a register, because it reads each coordinate once.
bool folds_in_scaled(const TextureSite& site) {
    return !site.level_matters && !site.anisotropic && !site.leaves_faces && site.coordinates < 3;
}

/// Folds a coordinate that has an offset. Where folding could reverse its direction, adds the
/// offset first and returns true; otherwise the caller adds it later.
bool fold_with_offset(const TextureSite& site, unsigned axis, F32& u) {
    const Wrap wrap = site.wrap(axis);
    if (clamps_scaled(site, axis))
        return false;
    const bool early = is_absolute(wrap) || wrap == Wrap::MirrorRepeat;
    if (early) {
        F32 offset(site.c);
        load_offset(site, axis, offset);
        if (!site.unnormalized())
            offset /= to_f32(size_operand(site, axis));
        u += offset;
    }
    fold(site, axis, u);
    return early;
}

/// start_of() with a constant offset.
F32 known_start(const TextureSite& site, unsigned axis, F32 start) {
    const float offset = 256 * known_offset(site, axis);
    if (site.filter == FilterChoice::Linear)
        start = offset - 128;
    else if (start.valid())
        start += offset;
    else
        start = F32(site.c, offset);
    return start;
}

/// The start of the scaled coordinate, 256 * (offset - 1/2) for linear lanes; invalid: 0.
F32 start_of(const TextureSite& site, unsigned axis, bool adds_offset) {
    F32 start;
    if (site.filter != FilterChoice::Nearest) {
        start = F32(site.c, -128.0F);
        if (site.filter == FilterChoice::ByLane)
            start &= site.linear();
    }
    if (!adds_offset)
        return start;
    if (site.known_offset)
        return known_start(site, axis, std::move(start));
    F32 offset(site.c);
    load_offset(site, axis, offset);
    offset *= 256.0F;
    if (!start.valid())
        return offset;
    start += offset;
    return start;
}

/// 256 times the size of an axis, as f32 for all lanes.
void load_scale(const TextureSite& site, unsigned axis, F32& scale) {
    if (axis == 0)
        scale = Operand::broadcast(site.level_member(offsetof(TextureLevel, width_256)));
    else if (axis == 1)
        scale = Operand::broadcast(site.level_member(offsetof(TextureLevel, height_256)));
    else
        scale = to_f32(size_operand(site, axis)) * 256.0F;
}

/// Limits 256 times a coordinate to just outside its level; NaN stays NaN.
void limit_to_border(const TextureSite& site, unsigned axis, F32& x) {
    const bool half = site.leaves_faces || is_half_border(site.wrap(axis));
    F32 bound(site.c, half ? -128.0F : -256.0F);
    x = max(bound, x);
    load_scale(site, axis, bound);
    if (half)
        bound -= 128.0F;
    x = min(bound, x);
}

/// Limits 256 times a coordinate to the first and the last texel of its level; NaN becomes 0.
void limit_to_level(const TextureSite& site, unsigned axis, F32& x) {
    F32 bound(site.c, 0.0F);
    x = max(x, bound);
    load_scale(site, axis, bound);
    bound -= 256.0F;
    x = min(x, bound);
}

/// 256 times the coordinate in texels, less half a texel in linear lanes.
F32 scaled(const TextureSite& site, unsigned axis) {
    F32 x(site.c, f32(site.coordinate(axis)));
    if (folds_in_scaled(site))
        fold_number(site, axis, x);
    const bool adds_offset = site.message.offset && !fold_with_offset(site, axis, x);
    F32 size(site.c);
    if (site.unnormalized())
        size = 256.0F;
    else
        load_scale(site, axis, size);
    F32 start = start_of(site, axis, adds_offset);
    if (start.valid())
        x = fma(x, size, start);
    else
        x *= size;
    start.reset();
    size.reset();
    if (has_border(site, axis))
        limit_to_border(site, axis, x);
    if (clamps_scaled(site, axis))
        limit_to_level(site, axis, x);
    return x;
}

/// The integer that a NaN may be rounded to: 0 only, or 0 or the least integer. Any is for
/// coordinates that are limited to their level.
enum class NanTexel : uint8_t { Zero, Any };

/// Rounds x to whole 1/256 by the rule of the filter: nearest filters round down.
S32 round_fixed(const TextureSite& site, F32 x, NanTexel nan) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    if (site.filter == FilterChoice::Nearest && nan == NanTexel::Any) {
        // A limited coordinate is not negative: one instruction rounds and converts.
        S32 fixed(c);
        h.small_f32_to_s32(fixed, x, Rounding::Zero);
        return fixed;
    }
    if (site.filter == FilterChoice::Nearest) {
        x = floor(x);
    } else if (site.filter == FilterChoice::ByLane) {
        F32 down(c);
        const Temp linear = c.scratch();
        const TempMask by_lane = c.scratch_mask();
        h.load(linear, site.linear());
        h.sign_mask(by_lane, linear);
        down = floor(x);
        x = select(by_lane, x, down);
    }
    S32 fixed(c, std::move(x));
    if (nan == NanTexel::Any)
        fixed = to_s32(f32(fixed));
    else
        fixed = to_s32_or_zero(f32(fixed));
    return fixed;
}

/// The number of the last texel of an axis.
S32 last_number(const TextureSite& site, unsigned axis) {
    S32 last(site.c, s32(size_operand(site, axis)));
    last += -1;
    return last;
}

/// Wraps a texel number in [-1, size] into the level.
void come_back(const TextureSite& site, unsigned axis, S32& i, bool can_be_low, bool can_be_high) {
    EmitContext& c = site.c;
    const Operand size = size_operand(site, axis);
    if (ends_of(site.wrap(axis)) == Ends::Edge) {
        if (can_be_low)
            i = max(i, S32(c, 0));
        i = min(i, last_number(site, axis));
    } else if (site.message.offset) {
        // Below 2^17 the rounded quotient has the floor of the exact one.
        const F32 divisor(c, to_f32(size));
        i -= to_s32(floor(to_f32(i) / divisor)) * size;
    } else {
        // As unsigned numbers, texels outside are larger than their wrapped values: take the
        // minimum.
        U32 n(c, i);
        if (can_be_low)
            n = min(n, n + size);
        if (can_be_high)
            n = min(n, n - size);
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
    U32 flags(c);
    // Below 0 a mirrored axis takes texel 0. Otherwise negative numbers are large unsigned ones.
    h.compare(IntCond::GreaterEqual, Element::B32, is_absolute(wrap), outside, i,
              size_operand(site, axis));
    flags = where(outside, 0xFFFFFFFF);
    if (is_half_border(wrap) && site.filter == FilterChoice::ByLane)
        flags &= site.linear();
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
    U32 largest(c);
    LaneMask outside(c);
    largest = max(u32(texels.first), u32(texels.second));
    if (site.filter == FilterChoice::ByLane)  // nearest filters stay inside
        largest &= site.linear();
    outside = largest >= size_operand(site, axis);
    const Scalar lanes = site.c.scalar();
    h.mask_bits(lanes, outside);
    h.test32(lanes);
    h.jump(Jump::NotEqual, outside_face);
}

}  // namespace

bool has_border(const TextureState& state, unsigned axis) {
    const Wrap wrap = state.wrap(axis);
    return wrap == Wrap::ClampToBorder || wrap == Wrap::MirrorClampToBorder ||
           (is_half_border(wrap) && state.filter != FilterChoice::Nearest);
}

// The host's minimum and maximum return their second operand if one is NaN.
void limit_number(F32& u, float low, float high) {
    F32 bound(*u.context(), low);
    u = max(bound, u);
    bound = high;
    u = min(bound, u);
}

Wrap TextureState::wrap(unsigned axis) const {
    if (cube && sampler.seamless_cube)
        return Wrap::ClampToEdge;
    const std::array<Wrap, 3> modes = {sampler.wrap_s, sampler.wrap_t, sampler.wrap_r};
    const Wrap mode = modes[axis];
    const bool repeats = mode == Wrap::Repeat || mode == Wrap::MirrorRepeat;
    return unnormalized() && repeats ? Wrap::ClampToEdge : mode;
}

void fold_number(const TextureSite& site, unsigned axis, F32& u) {
    if (folds_before_scaling(site, axis))
        fold(site, axis, u);
}

void fold_coordinate(const TextureSite& site, unsigned axis) {
    if (!folds_before_scaling(site, axis) || folds_in_scaled(site) ||
        site.c.message().loads_axis(axis))
        return;
    F32 u(site.c, f32(site.coordinate(axis)));
    fold(site, axis, u);
    site.c.h.store(site.coordinate(axis), u);
}

bool repeats_by_mask(const TextureSite& site, unsigned axis) {
    return axis < 2 && site.wrap(axis) == Wrap::Repeat && site.texture.power_of_two;
}

namespace {

/// Computes raw_texels(); `nan`: what a NaN may become.
AxisTexels raw_numbers(const TextureSite& site, unsigned axis, NanTexel nan) {
    AxisTexels texels;
    texels.first = round_fixed(site, scaled(site, axis), nan);
    if (site.filter != FilterChoice::Nearest) {
        texels.weight = S32(texels.first & 0xFF);
        if (site.filter == FilterChoice::ByLane)
            texels.weight &= site.linear();
    }
    texels.first >>= 8;
    return texels;
}

/// Limited coordinates are no NaN.
NanTexel nan_texel(const TextureSite& site, unsigned axis) {
    return clamps_scaled(site, axis) ? NanTexel::Any : NanTexel::Zero;
}

/// The number after a texel's.
S32 next_number(const S32& i) {
    S32 next(*i.context());
    next = i + 1;
    return next;
}

}  // namespace

// In linear lanes the first texel can only be too low, the second only too high. In nearest lanes
// the first can also equal the size of a repeating axis.
void wrap_first(const TextureSite& site, unsigned axis, S32& i) {
    if (clamps_scaled(site, axis))
        return;
    const bool edge = ends_of(site.wrap(axis)) == Ends::Edge;
    const bool linear = site.filter != FilterChoice::Nearest;
    note_outside(site, axis, i, 0);
    come_back(site, axis, i, linear || edge, site.filter != FilterChoice::Linear);
}

void wrap_both(const TextureSite& site, unsigned axis, AxisTexels& texels, Label outside_face) {
    texels.second = next_number(texels.first);
    if (site.leaves_faces)
        leave_if_outside(site, axis, texels, outside_face);
    wrap_first(site, axis, texels.first);
    note_outside(site, axis, texels.second, 1);
    const bool can_be_low = ends_of(site.wrap(axis)) == Ends::Edge && !clamps_scaled(site, axis);
    come_back(site, axis, texels.second, can_be_low, true);
}

AxisTexels axis_texels(const TextureSite& site, unsigned axis) {
    AxisTexels texels = raw_numbers(site, axis, nan_texel(site, axis));
    if (site.filter == FilterChoice::Nearest)
        wrap_first(site, axis, texels.first);
    else
        wrap_both(site, axis, texels, Label{});
    return texels;
}

namespace {

/// Clamps a texel number to the level in nearest lanes.
void keep_nearest_inside(const TextureSite& site, unsigned axis, S32& i) {
    S32 inside(site.c, 0);
    inside = max(inside, i);
    inside = min(inside, last_number(site, axis));
    inside ^= i;
    i ^= ~s32(site.linear()) & inside;
}

}  // namespace

AxisTexels unwrapped_texels(const TextureSite& site, unsigned axis) {
    AxisTexels texels;
    F32 x = scaled(site, axis);
    limit_to_border(site, axis, x);
    texels.first = round_fixed(site, std::move(x), NanTexel::Zero);
    texels.weight = S32(texels.first & 0xFF);
    texels.first >>= 8;
    texels.second = next_number(texels.first);
    if (site.filter == FilterChoice::ByLane) {
        texels.weight &= site.linear();
        keep_nearest_inside(site, axis, texels.first);
        keep_nearest_inside(site, axis, texels.second);
    }
    return texels;
}

AxisTexels raw_texels(const TextureSite& site, unsigned axis) {
    return raw_numbers(site, axis,
                       repeats_by_mask(site, axis) ? NanTexel::Any : nan_texel(site, axis));
}

}  // namespace valkyr::jit
