// Byte texels: filters unorm bytes in integers (docs/rules/sampling.md "Values": steps).
// SPDX-License-Identifier: MIT
//
// Linear filters put every tap in planar order inside its quad (all reds, all greens, ..). Sums of
// byte pairs across, then of 16-bit pairs down, then give one register of 32-bit sums a channel, in
// lane order. The sums need signed bytes, which makes them 2^23 too low.
#include "jit/expand/texture/inline_texture.hpp"

#include <array>
#include <utility>

namespace valkyr::jit {

namespace {

constexpr uint32_t kSignBits = 0x80808080;  ///< exchanged: bytes become signed, 128 too low each

/// A pattern for ShuffleBytes: 16 bytes, repeated in every quad.
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

/// The low byte of each of the four lanes twice; this sequence twice.
Operand pair_pattern(EmitContext& c) {
    std::array<uint8_t, 16> bytes{};
    for (unsigned i = 0; i < 16; ++i)
        bytes[i] = static_cast<uint8_t>(4 * (i / 2 % 4));
    return quad_pattern(c, bytes);
}

/// Byte `channel` of each lane.
F32 byte_number(const U32& texel, unsigned channel) {
    if (channel == 0)
        return to_f32(texel & 0xFF);
    if (channel == 3)
        return to_f32(texel >> 24);
    return to_f32(texel >> 8 * channel & 0xFF);
}

Sums sample_nearest(const TextureSite& site) {
    const U32 texel(site.c, nearest_element(site));
    fetch_near_word(site, texel, texel);
    apply_border(site, texel, 0, 0);
    Sums sums;
    for (unsigned channel = 0; channel < site.info->channel_count; ++channel) {
        if (!(site.channels_used >> channel & 1))
            continue;
        sums.channel[channel] = byte_number(texel, channel);
    }
    return sums;
}

/// Weights w across as bytes 255 - w, w, in the order of the interleaved taps.
void prepare_across(EmitContext& c, Vec weight) {
    U32 w(c, weight);
    w = shuffle_bytes(w, pair_pattern(c)) ^ 0x00FF00FF;
}

/// (256 - w) left + w right of two planes as 16 bits, 2^15 too low; left or right may be d.
void sum_across(EmitContext& c, Vec d, Binary unpack, Vec left, Vec right, Vec weights, Vec ones) {
    c.h.op(unpack, d, left, right);
    U16 sum(c, d);
    const U16 weighted = sum_byte_products(u16(weights), sum);
    sum = sum_byte_products(u16(ones), sum);
    sum += weighted;
}

/// Converts an integer to a float in place.
void to_number(S32& v) {
    v = s32(to_f32(v));
}

/// The sums of two channels from rows summed across; `top` becomes one of them.
void sum_down(
    const TextureSite& site, Sums& sums, unsigned channel, Temp top, Vec bottom, Vec down) {
    EmitContext& c = site.c;
    constexpr std::array<Binary, 2> unpacks = {Binary::UnpackLow16, Binary::UnpackHigh16};
    const unsigned wanted = site.channels_used >> channel & 3;
    for (unsigned i = 0; i < 2; ++i) {
        if (!(wanted >> i & 1))
            continue;
        const bool last = wanted >> i == 1;
        const Vec row = top;
        Temp v = last ? std::move(top) : c.scratch();
        c.h.op(unpacks[i], v, row, bottom);
        S32 sum(c, v);
        sum = sum_products(sum, down);
        if (!site.anisotropic)
            to_number(sum);
        sums.channel[channel + i] = std::move(v);
    }
}

/// Whether the code tests for blocks whose pixels all hit centres of texels, as in pictures drawn
/// at their own size.
bool has_exact_hits(const TextureSite& site) {
    return site.c.key.fragment && site.coordinates == 2 && !site.leaves_faces;
}

/// Jumps if no running lane has a weight.
void leave_if_exact(const TextureSite& site, const FootprintAxes& axes, Label exact) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Scalar bits = c.scalar();
    {
        const S32 any = axes.x.weight | axes.y.weight;
        const TempMask lanes = c.scratch_mask();
        h.test_nonzero(lanes, any);
        h.mask_bits(bits, lanes);
    }
    keep_running(site, bits);
    h.test32(bits);
    h.jump(Jump::Equal, exact);
}

/// Takes ownership of the registers of raw texels, which have no owner, as axes.
FootprintAxes take_raw(EmitContext& c, Vec x, Vec y) {
    FootprintAxes axes;
    axes.x.first = S32(c);
    axes.y.first = S32(c);
    if (Vec(axes.x.first) == y)
        std::swap(axes.x.first, axes.y.first);
    axes.x.first = x;
    axes.y.first = y;
    return axes;
}

/// The sums of footprints without weights, in the registers of `sums`: 2^16 times the first texel.
void sample_exact(const TextureSite& site, FootprintAxes axes, const Sums& sums) {
    place_first(site, axes);
    axes.y.first.reset();
    S32& texel = axes.x.first;
    fetch_near_word(site, texel, texel);
    apply_border(site, texel, 0, 0);
    texel ^= kSignBits;
    for (unsigned channel = 0; channel < 4; ++channel) {
        if (!sums.channel[channel].valid())
            continue;
        S32 v(site.c, sums.channel[channel]);
        if (channel == 0)
            v = texel << 24 >> 8;
        else if (channel == 3)
            v = (texel & 0xFF000000) >> 8;
        else
            v = (texel << (24 - 8 * channel) & 0xFF000000) >> 8;
        if (!site.anisotropic)
            to_number(v);
    }
}

Sums filter_taps(const TextureSite& site, Footprint taps) {
    EmitContext& c = site.c;
    const bool flat = taps.count == 2;
    prepare_across(c, taps.across);
    if (flat)
        taps.down = c.constant(256);
    else
        prepare_down(c, taps.down);
    for (unsigned i = 0; i < taps.count; ++i)
        apply_border(site, taps.element[i], i, 0);
    const Operand planar = planar_pattern(c, site.info->channel_count);
    for (unsigned i = 0; i < taps.count; ++i) {
        U32 tap(c, taps.element[i]);
        tap = shuffle_bytes(tap, planar) ^ kSignBits;
    }
    Sums sums;
    sums.biased = true;
    const Temp ones = c.constant(0x00010001);
    constexpr std::array<Binary, 2> unpacks = {Binary::UnpackLow8, Binary::UnpackHigh8};
    for (unsigned pair = 0; pair < 2; ++pair) {
        if (!(site.channels_used >> (2 * pair) & 3))
            continue;
        const auto row = [&](unsigned left) {
            Temp v = c.scratch();
            sum_across(c, v, unpacks[pair], taps.element[left], taps.element[left + 1], taps.across,
                       ones);
            return v;
        };
        Temp top = row(0);
        const Temp bottom = flat ? Temp(Vec(top)) : row(2);
        sum_down(site, sums, 2 * pair, std::move(top), bottom, taps.down);
    }
    return sums;
}

/// The sums of the footprint of raw axes.
Sums filter_axes(const TextureSite& site, FootprintAxes axes) {
    if (uses_footprints(site))
        return filter_footprints(site, first_texels(site, std::move(axes)));
    return filter_taps(site, linear_taps(site, std::move(axes), Taps::Words));
}

/// The sums of the footprint of the coordinates.
Sums filter_axes(const TextureSite& site) {
    if (uses_footprints(site))
        return filter_footprints(site, first_texels(site));
    return filter_taps(site, linear_taps(site, Taps::Words));
}

Sums sample_linear(const TextureSite& site) {
    if (!has_exact_hits(site))
        return filter_axes(site);
    HostAssembler& h = site.c.h;
    FootprintAxes axes = raw_axes(site);
    const Label exact = h.new_label();
    const Label done = h.new_label();
    const Vec x = axes.x.first;
    const Vec y = axes.y.first;
    leave_if_exact(site, axes, exact);
    Sums sums = filter_axes(site, std::move(axes));
    h.jump(done);
    h.bind(exact);
    sample_exact(site, take_raw(site.c, x, y), sums);
    h.bind(done);
    return sums;
}

}  // namespace

void prepare_down(EmitContext& c, Vec weight) {
    U32 w(c, weight);
    w = (w << 16) - w;
    w += 256;
}

Sums sample_bytes(const TextureSite& site) {
    return site.filter == FilterChoice::Nearest ? sample_nearest(site) : sample_linear(site);
}

}  // namespace valkyr::jit
