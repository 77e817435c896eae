// Anisotropic probes: choose probes and add up their sums (docs/rules/sampling.md "Anisotropy").
// SPDX-License-Identifier: MIT
#include "exec/lod_rule.hpp"
#include "jit/expand/texture/inline_texture.hpp"

#include <algorithm>

namespace valkyr::jit {

namespace {

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
void count_probes(const TextureSite& site, F32& p, const F32& larger, const F32& smaller) {
    const auto limit = std::min<unsigned>(site.sampler.max_anisotropy, kMostProbes);
    p = ceil(sqrt(larger / smaller) - 0.25F);
    p = max(p, 1.0F);  // also from NaN, if both lengths are 0
    p = min(p, static_cast<float>(limit));
}

/// Stores the step from probe to probe: a share of the longer difference, 0 where there is one
/// probe.
void keep_step(const TextureSite& site, unsigned axis, Mask along_x, Vec several, Vec share) {
    const auto longer =
        select(along_x, f32(site.difference(axis, 0)), f32(site.difference(axis, 1)));
    const F32 step(site.c, (longer * share) & several);
    site.c.h.store(site.probe_step(axis), step);
}

/// Stores the folded coordinates of the current probe.
void enter_probe(const TextureSite& site) {
    const F32 k(site.c, f32(site.probe()));
    F32 u(site.c);
    for (unsigned axis = 0; axis < site.coordinates; ++axis) {
        u = site.centre(axis);
        u = fma(k, site.probe_step(axis), u);
        fold_number(site, axis, u);
        site.c.h.store(site.coordinate(axis), u);
    }
}

/// Adds the sums of the lanes that have the probe. Adding -0 changes no number.
void add_probe(const TextureSite& site, const Sums& sums, Mask has_probe) {
    EmitContext& c = site.c;
    const Temp nothing = c.constant(site.kind == TexelKind::Numbers ? kNegativeZero : 0);
    for (unsigned channel = 0; channel < 4; ++channel) {
        if (!sums.channel[channel].valid())
            continue;
        const Address sum = site.probe_sum(channel);
        S32 v(c, sums.channel[channel]);
        F32 number(c, v);
        if (site.kind == TexelKind::Steps)
            v = to_s32(number);
        v = select(has_probe, v, nothing);
        if (adds_integers(site))
            v += sum;
        else
            number += sum;
        c.h.store(sum, v);
    }
}

/// Sets up the first probe.
void start_probes(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    F32 v(c);
    v = f32(site.last_probe()) ^ kNegativeZero;
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
        F32 k(c, f32(site.probe()));
        LaneMask has_probe = k <= site.last_probe();
        add_probe(site, sums, has_probe);
        k += 1.0F;
        h.store(site.probe(), k);
        has_probe = k <= site.last_probe();
        const Scalar lanes = c.scalar();
        h.mask_bits(lanes, has_probe);
        h.and32(lanes, site.at.level_lanes);
        h.test32(lanes);
    }
    h.jump(Jump::NotEqual, next);
}

}  // namespace

void choose_probes(const TextureSite& site, F32& x, F32& y) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    LaneMask along_x(c);
    x = min(x, f32(exec::kLargestFootprint));
    y = min(y, f32(exec::kLargestFootprint));
    along_x = x >= y;
    F32 p(c);
    {
        const F32 smaller = min(x, y);
        x = max(x, y);
        count_probes(site, p, x, smaller);
    }
    F32 share(c, 1.0F);
    share /= p;
    h.store(site.probe_share(), share);
    x = x * share * share;
    p -= 1.0F;
    U32 several(c, y);
    {
        const TempMask some = c.scratch_mask();
        h.test_nonzero(some, p);
        several = where(some, 0xFFFFFFFF);
    }
    p *= 0.5F;
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
    S32 missing;
    if (has_biased_integers(site)) {
        const F32 most(c, 0x1p24F);
        missing = S32(to_s32(most * site.last_probe() + 0x1p23F));
    }
    Sums sums;
    for (unsigned channel = 0; channel < 4; ++channel)
        if (site.channels_used >> channel & 1) {
            F32 v(c, f32(site.probe_sum(channel)));
            if (missing.valid())
                v = f32(s32(v) + missing);
            if (adds_integers(site))
                v = to_f32(s32(v));
            sums.channel[channel] = std::move(v);
        }
    return sums;
}

void finish_probes(const TextureSite& site, const Sums& sums) {
    const F32 share(site.c, f32(site.probe_share()));
    for (const Temp& sum : sums.channel)
        if (sum.valid()) {
            F32 v(site.c, sum);
            v *= share;
            quiet_numbers(site, v);
        }
}

}  // namespace valkyr::jit
