// Texels and filters in integers (docs/sampling.md "Values": steps).
// SPDX-License-Identifier: MIT
//
// Linear: every tap is put in planar order inside its quad (all reds, all greens, ..), so that sums
// of byte pairs across, then of 16-bit pairs down, end as one register of 32-bit sums a channel, in
// lane order. Bytes are made signed for that, which leaves the sums 2^23 too low.
#include "base/bits.hpp"
#include "jit/inline_texture.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace valkyr::jit {

namespace {

constexpr uint32_t kTwo23 = 0x4B000000;
constexpr float kStep = 1.0F / 255;
constexpr float kLinearShare = 0x1p-16F;

/// A pattern for ShuffleBytes, the same in every quad, from its 16 bytes.
Operand quad_pattern(EmitContext& c, const std::array<uint8_t, 16>& bytes) {
    std::array<uint32_t, 16> words{};
    for (unsigned i = 0; i < 64; ++i)
        words[i / 4] |= uint32_t{bytes[i % 16]} << (8 * (i % 4));
    return Operand::memory(c.h.pool_words(words));
}

/// Byte `channel` of each of the four lanes, channel by channel; absent channels are 0.
Operand planar_pattern(EmitContext& c, unsigned channels) {
    std::array<uint8_t, 16> bytes{};
    for (unsigned i = 0; i < 16; ++i)
        bytes[i] = static_cast<uint8_t>(i / 4 < channels ? 4 * (i % 4) + i / 4 : 0x80);
    return quad_pattern(c, bytes);
}

/// The low byte of each of the four lanes twice, and all that twice.
Operand pair_pattern(EmitContext& c) {
    std::array<uint8_t, 16> bytes{};
    for (unsigned i = 0; i < 16; ++i)
        bytes[i] = static_cast<uint8_t>(4 * (i / 2 % 4));
    return quad_pattern(c, bytes);
}

/// d = the texel at each element number of d.
void fetch(const TextureSite& site, Vec d) {
    EmitContext& c = site.c;
    uint8_t shift = 0;
    switch (site.layout.bytes) {
    case 2: shift = 1; break;
    case 4: shift = 2; break;
    case 3: {
        const Vec twice = c.scratch();
        c.h.op(Binary::AddI32, twice, d, d);
        c.h.op(Binary::AddI32, d, d, twice);
        c.release(twice);
        break;
    }
    default: break;
    }
    c.h.gather32(d, {kTexels, 0, Gp::None, shift}, d, Mask{});
}

Sums sample_nearest(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Vec texel = axis_texels(site, 0).first;
    spread_x(site, texel);
    if (site.message.dimension > 0) {
        const Vec y = axis_texels(site, 1).first;
        spread_y(site, y);
        h.op(Binary::AddI32, texel, texel, y);
        c.release(y);
    }
    fetch(site, texel);
    Sums sums;
    for (unsigned channel = 0; channel < site.layout.channels; ++channel) {
        if (!(site.channels_used >> channel & 1))
            continue;
        const Vec v = c.scratch();
        if (channel == 0) {
            h.op(Binary::And, v, texel, c.pool(0xFF));
        } else {
            h.op(ImmOp::Shr32, v, texel, 8 * channel);
            if (channel < 3)
                h.op(Binary::And, v, v, c.pool(0xFF));
        }
        h.op(Unary::S32ToF32, v, v);
        sums.channel[channel] = v;
    }
    c.release(texel);
    return sums;
}

/// The four texels of a footprint and its weights in the form that the sums ask for.
struct Taps {
    Vec top_left, top_right, bottom_left, bottom_right;
    Vec across;  ///< bytes 255 - w, w, in the order of the interleaved taps
    Vec down;    ///< 16-bit pairs 256 - w, w
};

void prepare_across(EmitContext& c, Vec weight) {
    c.h.op(Binary::ShuffleBytes, weight, weight, pair_pattern(c));
    c.h.op(Binary::Xor, weight, weight, c.pool(0x00FF00FF));
}

void prepare_down(EmitContext& c, Vec weight) {
    const Vec t = c.scratch();
    c.h.op(ImmOp::Shl32, t, weight, 16);
    c.h.op(Binary::SubI32, weight, t, weight);
    c.h.op(Binary::AddI32, weight, weight, c.pool(256));
    c.release(t);
}

Taps fetch_taps(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    AxisTexels x = axis_texels(site, 0);
    spread_x(site, x.first);
    spread_x(site, x.second);
    prepare_across(c, x.weight);
    Taps taps;
    taps.across = x.weight;
    if (site.message.dimension == 0) {
        taps.down = c.constant(256);
        taps.top_left = x.first;
        taps.top_right = x.second;
        fetch(site, taps.top_left);
        fetch(site, taps.top_right);
        return taps;
    }
    AxisTexels y = axis_texels(site, 1);
    spread_y(site, y.first);
    spread_y(site, y.second);
    prepare_down(c, y.weight);
    taps.down = y.weight;
    taps.top_left = c.scratch();
    taps.top_right = y.first;
    taps.bottom_left = x.first;
    taps.bottom_right = x.second;
    h.op(Binary::AddI32, taps.top_left, x.first, y.first);
    h.op(Binary::AddI32, taps.top_right, x.second, y.first);
    h.op(Binary::AddI32, taps.bottom_left, x.first, y.second);
    h.op(Binary::AddI32, taps.bottom_right, x.second, y.second);
    c.release(y.second);
    for (Vec tap : {taps.top_left, taps.top_right, taps.bottom_left, taps.bottom_right})
        fetch(site, tap);
    return taps;
}

/// (256 - w) left + w right of two planes as 16 bits, 2^15 too low; left or right may be d.
void sum_across(EmitContext& c, Vec d, Binary unpack, Vec left, Vec right, Vec weights, Vec ones) {
    const Vec t = c.scratch();
    c.h.op(unpack, d, left, right);
    c.h.op(Binary::MulAddU8S8, t, weights, d);
    c.h.op(Binary::MulAddU8S8, d, ones, d);
    c.h.op(Binary::AddI16, d, d, t);
    c.release(t);
}

/// The sums of two channels from rows summed across; `top` becomes one of them.
void sum_down(
    const TextureSite& site, Sums& sums, unsigned channel, Vec top, Vec bottom, Vec down) {
    EmitContext& c = site.c;
    constexpr std::array<Binary, 2> unpacks = {Binary::UnpackLow16, Binary::UnpackHigh16};
    const unsigned wanted = site.channels_used >> channel & 3;
    for (unsigned i = 0; i < 2; ++i) {
        if (!(wanted >> i & 1))
            continue;
        const bool last = wanted >> i == 1;
        const Vec v = last ? top : c.scratch();
        c.h.op(unpacks[i], v, top, bottom);
        c.h.op(Binary::MulAddS16, v, v, down);
        c.h.op(Unary::S32ToF32, v, v);
        sums.channel[channel + i] = v;
    }
}

Sums sample_linear(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    Taps taps = fetch_taps(site);
    const bool flat = site.message.dimension == 0;
    for (Vec tap : {taps.top_left, taps.top_right, taps.bottom_left, taps.bottom_right}) {
        if (!tap.valid())
            continue;
        h.op(Binary::ShuffleBytes, tap, tap, planar_pattern(c, site.layout.channels));
        h.op(Binary::Xor, tap, tap, c.pool(0x80808080));
    }
    Sums sums;
    sums.biased = true;
    const Vec ones = c.constant(0x00010001);
    constexpr std::array<Binary, 2> unpacks = {Binary::UnpackLow8, Binary::UnpackHigh8};
    for (unsigned pair = 0; pair < 2; ++pair) {
        if (!(site.channels_used >> (2 * pair) & 3))
            continue;
        const Vec top = c.scratch();
        sum_across(c, top, unpacks[pair], taps.top_left, taps.top_right, taps.across, ones);
        Vec bottom = top;
        if (!flat) {
            bottom = c.scratch();
            sum_across(c, bottom, unpacks[pair], taps.bottom_left, taps.bottom_right, taps.across,
                       ones);
        }
        sum_down(site, sums, 2 * pair, top, bottom, taps.down);
        if (!flat)
            c.release(bottom);
    }
    for (Vec v : {taps.top_left, taps.top_right, taps.bottom_left, taps.bottom_right, taps.across,
                  taps.down, ones})
        if (v.valid())
            c.release(v);
    return sums;
}

}  // namespace

StepLayout step_layout(exec::Format format) {
    const exec::FormatInfo& info = exec::format_info(format);
    if (info.layout != exec::FormatLayout::Array || info.type != exec::ChannelType::Unorm ||
        info.srgb || info.bits[0] != 8)
        return {};
    return {info.block_bytes, info.channel_count};
}

Sums sample_level(const TextureSite& site, bool exact_sums) {
    if (site.filter == FilterChoice::Nearest)
        return sample_nearest(site);
    Sums sums = sample_linear(site);
    if (exact_sums) {
        for (Vec v : sums.channel)
            if (v.valid())
                site.c.h.op(Binary::AddF32, v, v, site.c.pool(kTwo23));
        sums.biased = false;
    }
    return sums;
}

// With N = n + 2^23 and a factor f: N f = n f + 2^23 f, and 2^23 f is exact.
void finish_sums(const TextureSite& site, Sums& sums) {
    EmitContext& c = site.c;
    const float factor = site.filter == FilterChoice::Nearest ? kStep : kStep * kLinearShare;
    const Vec f = c.constant(as_bits(factor));
    for (Vec v : sums.channel) {
        if (!v.valid())
            continue;
        if (sums.biased)
            c.h.fma(v, v, f, c.pool(as_bits(factor * 0x1p23F)), false, false);
        else
            c.h.op(Binary::MulF32, v, v, f);
    }
    c.release(f);
}

}  // namespace valkyr::jit
