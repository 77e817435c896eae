// Texture coordinates to texel numbers and weights (docs/sampling.md "Texel and weight").
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "jit/inline_texture.hpp"

#include <array>
#include <cstddef>

namespace valkyr::jit {

using exec::TextureLevel;
using exec::Wrap;

namespace {

/// Coordinates that count texels are limited to this many: far outside every texture, and 256 times
/// it is an integer.
constexpr float kFarTexel = 0x1p20F;

/// How a texel number just outside its level comes back in.
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

Operand size_operand(unsigned axis) {
    return Operand::broadcast(level_member(size_member(axis)));
}

Operand pool_f32(const TextureSite& site, float value) {
    return site.c.pool(as_bits(value));
}

/// u - floor(u).
void fold_repeat(const TextureSite& site, Vec u) {
    HostAssembler& h = site.c.h;
    const Vec t = site.c.scratch();
    h.round_f32(t, u, Rounding::Down);
    h.op(Binary::SubF32, u, u, t);
    site.c.release(t);
}

/// m = u - 2 floor(u / 2), then min(m, 2 - m).
void fold_mirror(const TextureSite& site, Vec u) {
    HostAssembler& h = site.c.h;
    const Vec t = site.c.scratch();
    h.op(Binary::MulF32, t, u, pool_f32(site, 0.5F));
    h.round_f32(t, t, Rounding::Down);
    h.op(Binary::AddF32, t, t, t);
    h.op(Binary::SubF32, u, u, t);
    h.move(t, pool_f32(site, 2));
    h.op(Binary::SubF32, t, t, u);
    h.op(Binary::MinF32, u, t, u);
    site.c.release(t);
}

/// 256 times the coordinate in texels, the half texel of linear lanes taken off.
Vec scaled(const TextureSite& site, unsigned axis) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Vec x = c.scratch();
    const Vec size = c.scratch();
    if (site.unnormalized()) {
        h.move(size, pool_f32(site, 256));
    } else {
        h.op(Unary::S32ToF32, size, size_operand(axis));
        h.op(Binary::MulF32, size, size, pool_f32(site, 256));
    }
    h.load(x, site.coordinate(axis));
    if (site.filter == FilterChoice::Nearest) {
        h.op(Binary::MulF32, x, x, size);
    } else {
        const Vec half = c.constant(as_bits(-128.0F));
        if (site.filter == FilterChoice::ByLane)
            h.op(Binary::And, half, half, Operand::memory(site.linear()));
        h.fma(x, x, size, half, false, false);
        c.release(half);
    }
    c.release(size);
    return x;
}

/// Rounded as the filter asks: nearest filters round down to whole 1/256.
void round_fixed(const TextureSite& site, Vec x) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    if (site.filter == FilterChoice::Nearest) {
        h.round_f32(x, x, Rounding::Down);
    } else if (site.filter == FilterChoice::ByLane) {
        const Vec down = c.scratch();
        const Vec linear = c.scratch();
        const Mask by_lane = c.scratch_mask();
        h.load(linear, site.linear());
        h.sign_mask(by_lane, linear);
        h.round_f32(down, x, Rounding::Down);
        h.select(Element::B32, x, by_lane, x, down);
        c.release(by_lane);
        c.release(linear);
        c.release(down);
    }
    h.to_s32_or_zero(x, x);
}

/// A texel number in [-1, size] comes back into the level.
void come_back(const TextureSite& site, unsigned axis, Vec i, bool can_be_low, bool can_be_high) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Vec t = c.scratch();
    if (ends_of(site.wrap(axis)) == Ends::Edge) {
        if (can_be_low) {
            h.zero(t);
            h.op(Binary::MaxS32, i, i, t);
        }
        h.ones(t);
        h.op(Binary::AddI32, t, t, size_operand(axis));
        h.op(Binary::MinS32, i, i, t);
    } else if (site.texture.power_of_two && axis < 2) {
        h.ones(t);
        h.op(Binary::AddI32, t, t, size_operand(axis));
        h.op(Binary::And, i, i, t);
    } else {
        // As unsigned numbers the ones outside are larger than what they should be.
        if (can_be_low) {
            h.op(Binary::AddI32, t, i, size_operand(axis));
            h.op(Binary::MinU32, i, i, t);
        }
        if (can_be_high) {
            h.op(Binary::SubI32, t, i, size_operand(axis));
            h.op(Binary::MinU32, i, i, t);
        }
    }
    c.release(t);
}

/// Leaves the expansion if a running lane filters across the edge of its face.
void leave_if_outside(const TextureSite& site, unsigned axis, const AxisTexels& texels) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    // As unsigned numbers: the second texel is at most size - 1, and the first one not below 0.
    const Vec largest = c.scratch();
    const Mask outside = c.scratch_mask();
    h.op(Binary::MaxU32, largest, texels.first, texels.second);
    if (site.filter == FilterChoice::ByLane) {  // nearest filters stay inside
        const Vec linear = c.scratch();
        h.load(linear, site.linear());
        h.op(Binary::And, largest, largest, linear);
        c.release(linear);
    }
    h.compare(IntCond::GreaterEqual, Element::B32, false, outside, largest, size_operand(axis));
    h.mask_bits(kTemporary, outside);
    c.release(outside);
    c.release(largest);
    h.test32(kTemporary);
    h.jump(Jump::NotEqual, site.outside_face);
}

}  // namespace

bool wraps_inline(Wrap wrap) {
    return wrap == Wrap::Repeat || wrap == Wrap::ClampToEdge || wrap == Wrap::MirrorRepeat ||
           wrap == Wrap::MirrorClampToEdge;
}

// The host's minimum and maximum give their second operand if one is a NaN.
void limit_number(const TextureSite& site, Vec u, float low, float high) {
    HostAssembler& h = site.c.h;
    const Vec bound = site.c.constant(as_bits(low));
    h.op(Binary::MaxF32, u, bound, u);
    h.move(bound, pool_f32(site, high));
    h.op(Binary::MinF32, u, bound, u);
    site.c.release(bound);
}

Wrap TextureSite::wrap(unsigned axis) const {
    if (cube && sampler.seamless_cube)
        return Wrap::ClampToEdge;
    const std::array<Wrap, 3> modes = {sampler.wrap_s, sampler.wrap_t, sampler.wrap_r};
    const Wrap mode = modes[axis];
    const bool repeats = mode == Wrap::Repeat || mode == Wrap::MirrorRepeat;
    return unnormalized() && repeats ? Wrap::ClampToEdge : mode;
}

// Clamping modes: whatever lies further out than one level size has both its texels at the edge,
// as has what lies at that limit.
void fold_coordinate(const TextureSite& site, unsigned axis) {
    EmitContext& c = site.c;
    const Vec u = c.scratch();
    c.h.load(u, site.coordinate(axis));
    switch (site.wrap(axis)) {
    case Wrap::Repeat: fold_repeat(site, u); break;
    case Wrap::MirrorRepeat: fold_mirror(site, u); break;
    default:
        if (site.wrap(axis) == Wrap::MirrorClampToEdge)
            c.h.op(Binary::And, u, u, c.pool(0x7FFFFFFF));
        if (site.unnormalized())
            limit_number(site, u, -kFarTexel, kFarTexel);
        else
            limit_number(site, u, -1, 2);
    }
    c.h.store(site.coordinate(axis), u);
    c.release(u);
}

AxisTexels axis_texels(const TextureSite& site, unsigned axis) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    AxisTexels texels;
    texels.first = scaled(site, axis);
    round_fixed(site, texels.first);
    if (site.filter == FilterChoice::Nearest) {
        h.op(ImmOp::Sar32, texels.first, texels.first, 8);
        come_back(site, axis, texels.first, ends_of(site.wrap(axis)) == Ends::Edge, true);
        return texels;
    }
    texels.weight = c.scratch();
    texels.second = c.scratch();
    h.op(Binary::And, texels.weight, texels.first, c.pool(0xFF));
    if (site.filter == FilterChoice::ByLane)
        h.op(Binary::And, texels.weight, texels.weight, Operand::memory(site.linear()));
    h.op(ImmOp::Sar32, texels.first, texels.first, 8);
    h.ones(texels.second);
    h.op(Binary::SubI32, texels.second, texels.first, texels.second);
    if (site.leaves_faces)
        leave_if_outside(site, axis, texels);
    // Linear: the first texel can only be too low, the second only too high. Nearest lanes: the
    // first can also be the size of a repeating axis.
    const bool edge = ends_of(site.wrap(axis)) == Ends::Edge;
    come_back(site, axis, texels.first, true, site.filter == FilterChoice::ByLane);
    come_back(site, axis, texels.second, edge, true);
    return texels;
}

/// 4q + 2b + a -> 16q + 4b + a.
void spread_x(const TextureSite& site, Vec x) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Vec t = c.scratch();
    const Vec u = c.scratch();
    h.op(Binary::And, t, x, c.pool(~1U));
    h.op(Binary::And, u, x, c.pool(~3U));
    h.op(Binary::AddI32, x, x, t);
    h.op(ImmOp::Shl32, u, u, 1);
    h.op(Binary::AddI32, x, x, u);
    c.release(t);
    c.release(u);
}

/// 4q + 2b + a -> 16q * tiles_per_row + 8b + 2a.
void spread_y(const TextureSite& site, Vec y) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Vec t = c.scratch();
    const Vec u = c.scratch();
    h.op(Binary::And, t, y, c.pool(3));
    h.op(Binary::And, u, y, c.pool(2));
    h.op(ImmOp::Shr32, y, y, 2);
    h.op(Binary::MulI32, y, y,
         Operand::broadcast(level_member(offsetof(TextureLevel, tiles_per_row))));
    h.op(Binary::AddI32, t, t, u);
    h.op(ImmOp::Shl32, y, y, 3);
    h.op(Binary::AddI32, y, y, t);
    h.op(Binary::AddI32, y, y, y);
    c.release(t);
    c.release(u);
}

}  // namespace valkyr::jit
