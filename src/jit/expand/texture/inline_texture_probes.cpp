// Anisotropic probes: choose probes and add up their sums (docs/rules/sampling.md "Anisotropy").
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "base/float_bits.hpp"
#include "exec/lod_rule.hpp"
#include "jit/expand/texture/inline_texture.hpp"

#include <algorithm>

namespace valkyr::jit {

namespace {

using float_bits::kOne;
constexpr uint32_t kHalf = 0x3F000000;
constexpr uint32_t kQuarter = 0x3E800000;
constexpr uint32_t kNegativeZero = 0x80000000;
constexpr unsigned kMostProbes = 16;

/// Whether the sums of a probe are integers, 2^23 too low each.
bool has_biased_integers(const TextureSite& site) {
    return site.kind == TexelKind::Bytes && site.filter != FilterChoice::Nearest;
}
/// Whether sums of probes are integers, since the sum of sixteen may have more than 24 bits.
bool adds_integers(const TextureSite& site) {
    return has_biased_integers(site) || site.kind == TexelKind::Steps;
}

/// p = the number of probes, 1 to the limit, as f32. Keeps the squared lengths.
void count_probes(const TextureSite& site, Vec p, Vec larger, Vec smaller) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const auto limit = std::min<unsigned>(site.sampler.max_anisotropy, kMostProbes);
    h.op(Binary::DivF32, p, larger, smaller);
    h.op(Unary::SqrtF32, p, p);
    h.op(Binary::SubF32, p, p, c.pool(kQuarter));
    h.round_f32(p, p, Rounding::Up);
    h.op(Binary::MaxF32, p, p, c.pool(kOne));  // also from NaN, if both lengths are 0
    h.op(Binary::MinF32, p, p, c.pool(as_bits(static_cast<float>(limit))));
}

/// Stores the step from probe to probe: a share of the longer difference, 0 where there is one
/// probe.
void keep_step(const TextureSite& site, unsigned axis, Mask along_x, Vec several, Vec share) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Temp d = c.scratch();
    h.load(d, site.difference(axis, 1));
    h.select(Element::B32, d, along_x, Operand::memory(site.difference(axis, 0)), d);
    h.op(Binary::MulF32, d, d, share);
    h.op(Binary::And, d, d, several);
    h.store(site.probe_step(axis), d);
}

/// Stores the folded coordinates of the current probe.
void enter_probe(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Temp k = c.scratch();
    const Temp u = c.scratch();
    h.load(k, site.probe());
    for (unsigned axis = 0; axis < site.coordinates; ++axis) {
        h.load(u, site.centre(axis));
        h.fma(u, k, Operand::memory(site.probe_step(axis)), u, false, false);
        fold_number(site, axis, u);
        h.store(site.coordinate(axis), u);
    }
}

/// Adds the sums of the lanes that have the probe. Adding -0 changes no number.
void add_probe(const TextureSite& site, const Sums& sums, Mask has_probe) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Temp nothing = c.constant(site.kind == TexelKind::Numbers ? kNegativeZero : 0);
    for (unsigned channel = 0; channel < 4; ++channel)
        if (const Vec v = sums.channel[channel]; v.valid()) {
            if (site.kind == TexelKind::Steps)
                h.op(Unary::F32ToS32, v, v);
            h.select(Element::B32, v, has_probe, v, nothing);
            h.op(adds_integers(site) ? Binary::AddI32 : Binary::AddF32, v, v,
                 Operand::memory(site.probe_sum(channel)));
            h.store(site.probe_sum(channel), v);
        }
}

/// Sets up the first probe.
void start_probes(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Temp v = c.scratch();
    h.load(v, site.last_probe());
    h.op(Binary::Xor, v, v, c.pool(kNegativeZero));
    h.store(site.probe(), v);
    h.move(v, c.pool(site.kind == TexelKind::Numbers ? kNegativeZero : 0));
    for (unsigned channel = 0; channel < 4; ++channel)
        if (site.channels_used >> channel & 1)
            h.store(site.probe_sum(channel), v);
}

/// Adds the sums of a probe, and jumps to the next one if a lane of the level has it.
void end_probe(const TextureSite& site, const Sums& sums, Label next) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    {
        Temp k = c.scratch();
        const TempMask has_probe = c.scratch_mask();
        h.load(k, site.probe());
        h.compare(FloatCond::LessEqual, has_probe, k, Operand::memory(site.last_probe()));
        add_probe(site, sums, has_probe);
        h.op(Binary::AddF32, k, k, c.pool(kOne));
        h.store(site.probe(), k);
        h.compare(FloatCond::LessEqual, has_probe, k, Operand::memory(site.last_probe()));
        const Scalar lanes = c.scalar();
        h.mask_bits(lanes, has_probe);
        h.and32(lanes, site.at.level_lanes);
        h.test32(lanes);
    }
    h.jump(Jump::NotEqual, next);
}

}  // namespace

void choose_probes(const TextureSite& site, Vec x, Vec y) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const TempMask along_x = c.scratch_mask();
    for (const Vec v : {x, y})
        h.op(Binary::MinF32, v, v, c.pool(exec::kLargestFootprint));
    h.compare(FloatCond::GreaterEqual, along_x, x, y);
    const Temp p = c.scratch();
    {
        const Temp smaller = c.scratch();
        h.op(Binary::MinF32, smaller, x, y);
        h.op(Binary::MaxF32, x, x, y);
        count_probes(site, p, x, smaller);
    }
    const Temp share = c.constant(kOne);
    h.op(Binary::DivF32, share, share, p);
    h.store(site.probe_share(), share);
    h.op(Binary::MulF32, x, x, share);
    h.op(Binary::MulF32, x, x, share);
    h.op(Binary::SubF32, p, p, c.pool(kOne));
    const Vec several = y;
    {
        const TempMask some = c.scratch_mask();
        h.test_nonzero(some, p);
        h.mask_value(Element::B32, several, some, 0xFFFFFFFF);
    }
    h.op(Binary::MulF32, p, p, c.pool(kHalf));
    h.store(site.last_probe(), p);
    for (unsigned axis = 0; axis < site.coordinates; ++axis) {
        keep_step(site, axis, along_x, several, share);
        h.load(p, site.coordinate(axis));
        h.store(site.centre(axis), p);
    }
}

Sums sample_probes(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Label next = h.new_label();
    start_probes(site);
    h.bind(next);
    enter_probe(site);
    end_probe(site, sample_level(site, false), next);
    // 2^23 for each probe: P = 2 last + 1.
    Temp missing;
    if (has_biased_integers(site)) {
        missing = c.constant(as_bits(0x1p24F));
        h.op(Binary::MulF32, missing, missing, Operand::memory(site.last_probe()));
        h.op(Binary::AddF32, missing, missing, c.pool(as_bits(0x1p23F)));
        h.op(Unary::F32ToS32, missing, missing);
    }
    Sums sums;
    for (unsigned channel = 0; channel < 4; ++channel)
        if (site.channels_used >> channel & 1) {
            Temp v = c.scratch();
            h.load(v, site.probe_sum(channel));
            if (missing.valid())
                h.op(Binary::AddI32, v, v, missing);
            if (adds_integers(site))
                h.op(Unary::S32ToF32, v, v);
            sums.channel[channel] = std::move(v);
        }
    return sums;
}

void finish_probes(const TextureSite& site, const Sums& sums) {
    EmitContext& c = site.c;
    const Temp share = c.scratch();
    c.h.load(share, site.probe_share());
    for (const Temp& v : sums.channel)
        if (v.valid()) {
            c.h.op(Binary::MulF32, v, v, share);
            quiet_numbers(site, v);
        }
}

}  // namespace valkyr::jit
