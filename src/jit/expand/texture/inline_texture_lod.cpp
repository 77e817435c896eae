// Level of detail: computes it by the rules of docs/rules/sampling.md "Level of detail".
// SPDX-License-Identifier: MIT
//
// All values are 256 times too large: a factor that is a power of two changes no rounding.
#include "base/float_bits.hpp"
#include "exec/lod_rule.hpp"
#include "jit/expand/texture/inline_texture.hpp"

#include <array>
#include <cstddef>

namespace valkyr::jit {

using exec::LodMode;
using exec::MipFilter;
using exec::SamplerDescriptor;
using exec::TextureLevel;

namespace {

// quad_permute(): the neighbour in x, in y.
constexpr std::array<unsigned, 2> kNeighbour = {0xB1, 0x4E};

/// All ones where the neighbour runs and has an equal face; invalid if that is so in all lanes.
U32 valid_neighbours(const TextureSite& site, unsigned direction, const U32& running) {
    EmitContext& c = site.c;
    U32 valid;
    if (running.valid())
        valid = U32(quad_permute(running, kNeighbour[direction]));
    if (!site.cube)
        return valid;
    S32 face(c, quad_permute(s32(site.face()), kNeighbour[direction]));
    const LaneMask same = face == site.face();
    if (!valid.valid())
        return {c, where(same, 0xFFFFFFFF)};
    face = s32(where(same, 0xFFFFFFFF));
    valid &= face;
    return valid;
}

/// d = difference of a coordinate to a neighbour, in texels of level 0, the current one. For
/// anisotropic filters, stores the difference of the coordinate itself, too.
void difference(
    const TextureSite& site, F32& d, unsigned axis, unsigned direction, const U32& valid) {
    const Address coordinate = site.coordinate(axis);
    d = quad_permute(f32(coordinate), kNeighbour[direction]) - coordinate;
    if (valid.valid())
        d &= valid;
    if (site.anisotropic)
        site.c.h.store(site.difference(axis, direction), d);
    if (site.unnormalized())
        return;
    constexpr std::array<size_t, 3> members = {offsetof(TextureLevel, width),
                                               offsetof(TextureLevel, height),
                                               offsetof(TextureLevel, depth)};
    d *= to_f32(Operand::broadcast(site.level_member(members[axis])));
}

/// The squared length of the difference in one direction, limited from below; NaN gives the bound.
F32 squared_length(const TextureSite& site, unsigned direction, const U32& running) {
    const unsigned count = site.coordinates;
    const U32 valid = valid_neighbours(site, direction, running);
    F32 sum(site.c);
    difference(site, sum, count - 1, direction, valid);
    sum *= sum;
    F32 d(site.c);
    for (unsigned axis = count - 1; axis-- > 0;) {
        difference(site, d, axis, direction, valid);
        sum = fma(d, d, sum);
    }
    sum = max(sum, f32(exec::kSmallestFootprint));
    return sum;
}

/// x = 128 * log2(x) by the rule's polynomial.
void half_log2(F32& x) {
    const F32 exponent = to_f32((u32(x) >> 23) + -127);
    const F32 u = f32((u32(x) & 0x007FFFFF) | float_bits::kOne) - 1.0F;
    F32 k(*x.context(), f32(exec::kLog2Polynomial0));
    k = fma(u, f32(exec::kLog2Polynomial1), k);
    x = (exponent + fma(fma(-u, u, u), k, u)) * 128.0F;
}

/// All ones in running lanes of the part; invalid if all run.
U32 running_lanes(const TextureSite& site, bool some_idle) {
    if (!some_idle)
        return {};
    EmitContext& c = site.c;
    const TempMask mask = c.scratch_mask();
    U32 running(c);
    const Scalar bits = c.scalar();
    c.h.move(bits, Gp::Running);
    c.h.shift_right32(bits, site.part * c.h.traits().lanes);
    c.h.mask_from_bits(mask, bits);
    running = where(mask, 0xFFFFFFFF);
    return running;
}

/// x = the largest number of the running lanes of each quad; overwrites t.
void largest_of_quad(F32& x, F32& t, const U32& running) {
    if (running.valid())
        x &= running;
    for (const unsigned neighbour : kNeighbour) {
        t = quad_permute(x, neighbour);
        x = max(x, t);
    }
}

F32 computed_lambda(const TextureSite& site, bool some_idle) {
    U32 running = running_lanes(site, some_idle);
    F32 x = squared_length(site, 0, running);
    F32 y = squared_length(site, 1, running);
    if (site.anisotropic)
        choose_probes(site, x, y);
    else
        x = max(x, y);
    if (site.cube)
        largest_of_quad(x, y, running);
    running.reset();
    x = min(x, f32(exec::kLargestFootprint));
    y.reset();
    half_log2(x);
    return x;
}

/// The signed halves of words.
template <typename Word>
auto low_half(const Word& word) {
    return s32(word) << 16 >> 16;
}
template <typename Word>
auto high_half(const Word& word) {
    return s32(word) >> 16;
}

Operand sampler_word(Gp base, const TextureSite& site, size_t member) {
    return Operand::broadcast({base, site.sampler_offset + static_cast<int32_t>(member)});
}

}  // namespace

bool needs_lod(const TextureSite& site) {
    return site.level_matters || site.filter == FilterChoice::ByLane || site.anisotropic;
}

S32 fixed_lod(const TextureSite& site, bool some_idle) {
    static_assert(offsetof(SamplerDescriptor, lod_bias) + 2 ==
                  offsetof(SamplerDescriptor, min_lod));
    EmitContext& c = site.c;
    const LodMode mode = site.message.lod_mode;
    const bool biased = mode == LodMode::ComputedBias;
    F32 lambda;
    if (mode == LodMode::Computed || biased)
        lambda = computed_lambda(site, some_idle);
    else if (mode == LodMode::Explicit)
        lambda = F32(c, to_f32(low_half(site.lod_operand())));
    else
        lambda = F32(c, 0.0F);
    const Scalar samplers = load_samplers(site);
    S32 min_lod(c);
    S32 bias(c);
    bias = sampler_word(samplers, site, offsetof(SamplerDescriptor, lod_bias));
    min_lod = s32(u32(bias) >> 16);
    bias = low_half(bias);
    if (biased) {  // the operand's own bias and minimum; a minimum of 0 changes nothing
        const S32 word(c, s32(site.lod_operand()));
        min_lod = max(min_lod, high_half(word));
        bias += low_half(word);
    }
    const F32 shift = to_f32(bias);
    const F32 low = to_f32(min_lod);
    lambda = max(lambda + shift, low);
    const Operand max_lod = sampler_word(samplers, site, offsetof(SamplerDescriptor, max_lod));
    const F32 high(c, to_f32(u32(max_lod) & 0xFFFF));
    lambda = min(lambda, high);
    S32 fixed(c, std::move(lambda));
    fixed = to_s32(f32(fixed));
    return fixed;
}

}  // namespace valkyr::jit
