// Footprint texels: filters unorm bytes from a copy that has the four texels of a filter together.
// SPDX-License-Identifier: MIT
//
// The copy (exec::TextureDescriptor::footprints) has the bytes in the order of the sums: one load a
// lane is all that a filter reads, and nothing is unpacked. Sums of byte pairs across, then of
// 16-bit pairs down give the four channels of a lane in one quad; transposed quads are registers of
// a channel each.
#include "jit/expand/texture/inline_texture.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace valkyr::jit {

using exec::TextureDescriptor;

namespace {

constexpr unsigned kQuadLanes = 4;

/// Weights w across as bytes 255 - w, w, for both rows of a lane.
void repeat_across(EmitContext& c, Vec weight) {
    std::array<uint32_t, exec::kLanes> low_bytes{};
    for (uint32_t lane = 0; lane < low_bytes.size(); ++lane)
        low_bytes[lane] = lane % kQuadLanes * kQuadLanes * 0x01010101;
    U32 w(c, weight);
    w = shuffle_bytes(w, Operand::memory(c.h.pool_words(low_bytes))) ^ 0x00FF00FF;
}

/// Loads the footprints of the texels, in units: quad q of register k has that of lane 4q + k.
void load_footprints(const TextureSite& site, std::span<const Vec> quads, S32& texel) {
    HostAssembler& h = site.c.h;
    const Scalar base = site.c.scalar();
    h.load64(base, {site.at.texture, offsetof(TextureDescriptor, footprints)});
    h.load_address(base, {base, 0, site.at.texels, 2});
    texel += texel;  // a footprint has 16 bytes, and no host scales by more than eight
    h.gather_quads(quads, {base, 0, Gp::None, 3}, texel);
}

/// Replaces the footprints of lanes 4q + k by their four sums.
void sum_quads(EmitContext& c, Vec quads, unsigned k, Vec across, Vec down, Vec ones) {
    const Temp weights = c.scratch();
    S32 lane(c, Vec(weights));
    lane = quad_permute(s32(across), kSameLane * k);
    U16 sum(c, quads);
    U16 weighted(c, Vec(weights));
    weighted = sum_byte_products(weighted, sum);
    sum = sum_byte_products(u16(ones), sum);
    sum += weighted;
    lane = quad_permute(s32(down), kSameLane * k);
    S32 both(c, quads);
    both = sum_products(both, lane);
}

}  // namespace

bool uses_footprints(const TextureState& state) {
    return state.texture.footprints && state.kind == TexelKind::Bytes &&
           state.info->block_bytes == sizeof(uint32_t) && state.filter != FilterChoice::Nearest &&
           state.axes == 2 && !state.leaves_faces && exec::reads_footprints(state.wrap(0)) &&
           exec::reads_footprints(state.wrap(1)) &&
           !has_borders(state);  // a slice in depth may be the border
}

Sums filter_footprints(const TextureSite& site, FootprintAxes texels) {
    EmitContext& c = site.c;
    Sums sums;
    sums.biased = true;
    std::array<Vec, kQuadLanes> quads;
    for (unsigned k = 0; k < kQuadLanes; ++k)
        quads[k] = sums.channel[k] = c.scratch();
    load_footprints(site, quads, texels.x.first);
    texels.x.first.reset();
    repeat_across(c, texels.x.weight);
    prepare_down(c, texels.y.weight);
    {
        const Temp ones = c.constant(0x00010001);
        for (unsigned k = 0; k < kQuadLanes; ++k)
            sum_quads(c, quads[k], k, texels.x.weight, texels.y.weight, ones);
    }
    c.h.transpose_quads(quads);
    for (unsigned channel = 0; channel < kQuadLanes; ++channel) {
        if (!(site.channels_used >> channel & 1)) {
            sums.channel[channel].reset();
            continue;
        }
        if (site.anisotropic)
            continue;
        S32 sum(c, quads[channel]);
        sum = s32(to_f32(sum));
    }
    return sums;
}

}  // namespace valkyr::jit
