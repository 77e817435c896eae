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

using float_bits::kOne;
constexpr uint32_t kHalf256 = 0x43000000;  // 128.0

// QuadPermute: the neighbour in x, in y.
constexpr std::array<unsigned, 2> kNeighbour = {0xB1, 0x4E};

/// All ones where the neighbour runs and has an equal face; invalid if that is so in all lanes.
Temp valid_neighbours(const TextureSite& site, unsigned direction, Vec running) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    if (!running.valid() && !site.cube)
        return {};
    Temp valid = c.scratch();
    if (running.valid())
        h.op(ImmOp::QuadPermute, valid, running, kNeighbour[direction]);
    if (site.cube) {
        const Temp face = c.scratch();
        const TempMask same = c.scratch_mask();
        h.load(face, site.face());
        h.op(ImmOp::QuadPermute, face, face, kNeighbour[direction]);
        h.compare(IntCond::Equal, Element::B32, true, same, face, Operand::memory(site.face()));
        h.mask_value(Element::B32, face, same, 0xFFFFFFFF);
        if (running.valid())
            h.op(Binary::And, valid, valid, face);
        else
            h.move(valid, face);
    }
    return valid;
}

/// d = difference of a coordinate to a neighbour, in texels of level 0, the current one. For
/// anisotropic filters, stores the difference of the coordinate itself, too.
void difference(const TextureSite& site, Vec d, unsigned axis, unsigned direction, Vec valid) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    h.load(d, site.coordinate(axis));
    h.op(ImmOp::QuadPermute, d, d, kNeighbour[direction]);
    h.op(Binary::SubF32, d, d, Operand::memory(site.coordinate(axis)));
    if (valid.valid())
        h.op(Binary::And, d, d, valid);
    if (site.anisotropic)
        h.store(site.difference(axis, direction), d);
    if (site.unnormalized())
        return;
    constexpr std::array<size_t, 3> members = {offsetof(TextureLevel, width),
                                               offsetof(TextureLevel, height),
                                               offsetof(TextureLevel, depth)};
    const Temp size = c.scratch();
    h.op(Unary::S32ToF32, size, Operand::broadcast(site.level_member(members[axis])));
    h.op(Binary::MulF32, d, d, size);
}

/// The squared length of the difference in one direction, limited from below; NaN gives the bound.
Temp squared_length(const TextureSite& site, unsigned direction, Vec running) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const unsigned count = site.coordinates;
    const Temp valid = valid_neighbours(site, direction, running);
    Temp sum = c.scratch();
    difference(site, sum, count - 1, direction, valid);
    h.op(Binary::MulF32, sum, sum, sum);
    const Temp d = c.scratch();
    for (unsigned axis = count - 1; axis-- > 0;) {
        difference(site, d, axis, direction, valid);
        h.fma(sum, d, d, sum, false, false);
    }
    h.op(Binary::MaxF32, sum, sum, c.pool(exec::kSmallestFootprint));
    return sum;
}

/// x = 128 * log2(x) by the rule's polynomial.
void half_log2(const TextureSite& site, Vec x) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Temp exponent = c.scratch();
    const Temp p = c.scratch();
    h.op(ImmOp::Shr32, exponent, x, 23);
    h.op(Binary::AddI32, exponent, exponent, c.pool(static_cast<uint32_t>(-127)));
    h.op(Unary::S32ToF32, exponent, exponent);
    h.op(Binary::And, x, x, c.pool(0x007FFFFF));
    h.op(Binary::Or, x, x, c.pool(kOne));
    h.op(Binary::SubF32, x, x, c.pool(kOne));
    // fma(fma(-u, u, u), fma(k1, u, k0), u)
    const Temp k = c.constant(exec::kLog2Polynomial0);
    h.fma(k, x, c.pool(exec::kLog2Polynomial1), k, false, false);
    h.fma(p, x, x, x, true, false);
    h.fma(p, p, k, x, false, false);
    h.op(Binary::AddF32, x, exponent, p);
    h.op(Binary::MulF32, x, x, c.pool(kHalf256));
}

/// All ones in running lanes of the part; invalid if all run.
Temp running_lanes(const TextureSite& site, bool some_idle) {
    if (!some_idle)
        return {};
    EmitContext& c = site.c;
    const TempMask mask = c.scratch_mask();
    Temp running = c.scratch();
    const Scalar bits = c.scalar();
    c.h.move(bits, Gp::Running);
    c.h.shift_right32(bits, site.part * c.h.traits().lanes);
    c.h.mask_from_bits(mask, bits);
    c.h.mask_value(Element::B32, running, mask, 0xFFFFFFFF);
    return running;
}

/// x = the largest number of the running lanes of each quad; overwrites t.
void largest_of_quad(const TextureSite& site, Vec x, Vec t, Vec running) {
    HostAssembler& h = site.c.h;
    if (running.valid())
        h.op(Binary::And, x, x, running);
    for (const unsigned neighbour : kNeighbour) {
        h.op(ImmOp::QuadPermute, t, x, neighbour);
        h.op(Binary::MaxF32, x, x, t);
    }
}

Temp computed_lambda(const TextureSite& site, bool some_idle) {
    EmitContext& c = site.c;
    Temp running = running_lanes(site, some_idle);
    Temp x = squared_length(site, 0, running);
    Temp y = squared_length(site, 1, running);
    if (site.anisotropic)
        choose_probes(site, x, y);
    else
        c.h.op(Binary::MaxF32, x, x, y);
    if (site.cube)
        largest_of_quad(site, x, y, running);
    running.reset();
    c.h.op(Binary::MinF32, x, x, c.pool(exec::kLargestFootprint));
    y.reset();
    half_log2(site, x);
    return x;
}

/// d = the signed half of each word as f32.
void half_to_float(const TextureSite& site, Vec d, unsigned half) {
    HostAssembler& h = site.c.h;
    if (half == 0)
        h.op(ImmOp::Shl32, d, d, 16);
    h.op(ImmOp::Sar32, d, d, 16);
    h.op(Unary::S32ToF32, d, d);
}

Operand sampler_word(Gp base, const TextureSite& site, size_t member) {
    return Operand::broadcast({base, site.sampler_offset + static_cast<int32_t>(member)});
}

}  // namespace

bool needs_lod(const TextureSite& site) {
    return site.level_matters || site.filter == FilterChoice::ByLane || site.anisotropic;
}

Temp fixed_lod(const TextureSite& site, bool some_idle) {
    static_assert(offsetof(SamplerDescriptor, lod_bias) + 2 ==
                  offsetof(SamplerDescriptor, min_lod));
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const LodMode mode = site.message.lod_mode;
    const bool biased = mode == LodMode::ComputedBias;
    Temp lambda;
    if (mode == LodMode::Computed || biased) {
        lambda = computed_lambda(site, some_idle);
    } else {
        lambda = c.scratch();
        if (mode == LodMode::Explicit) {
            h.load(lambda, site.lod_operand());
            half_to_float(site, lambda, 0);
        } else {
            h.zero(lambda);
        }
    }
    const Scalar samplers = load_samplers(site);
    const Temp bound = c.scratch();
    const Temp bias = c.scratch();
    h.move(bias, sampler_word(samplers, site, offsetof(SamplerDescriptor, lod_bias)));
    h.op(ImmOp::Shr32, bound, bias, 16);  // min_lod, unsigned
    h.op(ImmOp::Shl32, bias, bias, 16);
    h.op(ImmOp::Sar32, bias, bias, 16);
    if (biased) {  // the operand's own bias and minimum; a minimum of 0 changes nothing
        const Temp word = c.scratch();
        const Temp minimum = c.scratch();
        h.load(word, site.lod_operand());
        h.op(ImmOp::Sar32, minimum, word, 16);
        h.op(Binary::MaxS32, bound, bound, minimum);
        h.op(ImmOp::Shl32, word, word, 16);
        h.op(ImmOp::Sar32, word, word, 16);
        h.op(Binary::AddI32, bias, bias, word);
    }
    h.op(Unary::S32ToF32, bias, bias);
    h.op(Unary::S32ToF32, bound, bound);
    h.op(Binary::AddF32, lambda, lambda, bias);
    h.op(Binary::MaxF32, lambda, lambda, bound);
    h.move(bound, sampler_word(samplers, site, offsetof(SamplerDescriptor, max_lod)));
    h.op(Binary::And, bound, bound, c.pool(0xFFFF));
    h.op(Unary::S32ToF32, bound, bound);
    h.op(Binary::MinF32, lambda, lambda, bound);
    h.op(Unary::F32ToS32, lambda, lambda);
    return lambda;
}

}  // namespace valkyr::jit
