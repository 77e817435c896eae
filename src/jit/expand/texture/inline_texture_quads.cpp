// Quad texels: filters texels of four floats before their channels are separated.
// SPDX-License-Identifier: MIT
//
// A texel of four channels fills one quad of a register. The blends are the same for every channel,
// so only their result is transposed to registers of a channel each, not each of four texels.
#include "jit/expand/texture/inline_texture.hpp"

#include <array>
#include <bit>
#include <span>
#include <utility>

namespace valkyr::jit {

namespace {

constexpr unsigned kRegisters = 4;  ///< register k has the lanes 4q + k
constexpr unsigned kTopRow = 1;     ///< tap_word() of the row at hand; taps 2 and 3 wait in 0

/// Texels in quads.
using Quads = std::array<F32, kRegisters>;

std::array<Vec, kRegisters> registers_of(const Quads& quads) {
    return {Vec(quads[0]), Vec(quads[1]), Vec(quads[2]), Vec(quads[3])};
}

/// The texels of a tap, whose units end.
Quads load_quads(const TextureSite& site, Temp units) {
    EmitContext& c = site.c;
    Quads quads{F32(c), F32(c), F32(c), F32(c)};
    const Address base{site.at.texels, 0, Gp::None, unit_shift(site)};
    if (site.info->block_bytes == 16)
        c.h.gather_quads(registers_of(quads), base, units);
    else
        c.h.gather_half_quads(registers_of(quads), base, units);
    return quads;
}

/// Numbers: a = a + w (b - a), with the weights of lanes.
void blend_quads(EmitContext& c, Quads& a, Quads b, Vec weight) {
    F32 w(c);
    for (unsigned k = 0; k < kRegisters; ++k) {
        w = quad_permute(f32(weight), kSameLane * k);
        b[k] -= a[k];
        a[k] = fma(b[k], w, a[k]);
    }
}

}  // namespace

bool filters_quads(const TextureSite& site) {
    const exec::FormatInfo& info = *site.info;
    const bool halves = info.block_bytes == 8 && site.c.h.traits().loads_lanes;
    return site.kind == TexelKind::Numbers && info.type == exec::ChannelType::Float &&
           info.layout == exec::FormatLayout::Array && info.channel_count == 4 &&
           (info.block_bytes == 16 || halves) && site.filter == FilterChoice::Linear &&
           !site.leaves_faces && !has_borders(site) && std::popcount(site.channels_used) > 1;
}

Sums filter_quads(const TextureSite& site, Footprint taps) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    for (unsigned i = 2; i < taps.count; ++i) {
        h.store(site.element(i), taps.element[i]);
        taps.element[i].reset();
    }
    Quads sum = load_quads(site, std::move(taps.element[0]));
    blend_quads(c, sum, load_quads(site, std::move(taps.element[1])), taps.across);
    if (taps.count == 4) {
        const auto waiting = [&](unsigned i) {
            Temp units = c.scratch();
            h.load(units, site.element(i));
            return units;
        };
        for (unsigned k = 0; k < kRegisters; ++k)
            h.store(site.tap_word(kTopRow, k), std::exchange(sum[k], F32()));
        Quads bottom = load_quads(site, waiting(2));
        blend_quads(c, bottom, load_quads(site, waiting(3)), taps.across);
        taps.across.reset();
        for (unsigned k = 0; k < kRegisters; ++k)
            sum[k] = F32(c, f32(site.tap_word(kTopRow, k)));
        blend_quads(c, sum, std::move(bottom), taps.down);
    }
    h.transpose_quads(registers_of(sum));
    Sums sums;
    for (unsigned channel = 0; channel < kRegisters; ++channel)
        if (site.channels_used >> channel & 1) {
            quiet_numbers(site, sum[channel]);
            sums.channel[channel] = std::move(sum[channel]);
        }
    return sums;
}

}  // namespace valkyr::jit
