// Texels as binary32 numbers, and shadow compares (docs/rules/sampling.md "Values").
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "jit/expand/format/channel_decode.hpp"
#include "jit/expand/texture/inline_texture.hpp"

#include <array>

namespace valkyr::jit {

using exec::CompareFunc;

namespace {

constexpr uint32_t kOne = 0x3F800000;
constexpr uint32_t k256 = 0x43800000;
constexpr uint32_t kInverse256 = 0x3B800000;
constexpr uint32_t kQuietNan = 0x7FC00000;

/// A channel of a tap as a new temporary; the element stays.
Vec texel_value(const TextureSite& site, Vec element, unsigned channel, unsigned tap) {
    EmitContext& c = site.c;
    const ChannelField field = channel_field(*site.info, channel);
    const Vec word = c.scratch();
    fetch_word(site, word, element, field.word);
    const Vec v = channel_value(c, *site.info, field, word);
    c.release(word);
    apply_border(site, v, tap, channel);
    return v;
}

void release_taps(const TextureSite& site, const Footprint& taps) {
    EmitContext& c = site.c;
    for (unsigned i = 0; i < taps.count; ++i)
        c.release(taps.element[i]);
    c.release(taps.across);
    if (taps.down.valid())
        c.release(taps.down);
}

// ---------------------------------------------------------------------------------------------
// Shadow compares

FloatCond condition_of(CompareFunc func) {
    switch (func) {
    case CompareFunc::Less: return FloatCond::Less;
    case CompareFunc::Equal: return FloatCond::Equal;
    case CompareFunc::LessEqual: return FloatCond::LessEqual;
    case CompareFunc::Greater: return FloatCond::Greater;
    case CompareFunc::NotEqual: return FloatCond::NotEqual;
    case CompareFunc::GreaterEqual: return FloatCond::GreaterEqual;
    case CompareFunc::Never:
    case CompareFunc::Always: break;
    }
    VALKYR_UNREACHABLE();
}

/// v = `passed` (a register or the word for all lanes) where the comparison of a texel passes, else
/// 0.
void compared(const TextureSite& site, Vec v, Vec element, unsigned tap, Operand passed) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const CompareFunc func = site.sampler.compare;
    if (func == CompareFunc::Never || func == CompareFunc::Always) {
        if (func == CompareFunc::Never)
            h.zero(v);
        else
            h.move(v, passed);
        return;
    }
    const auto channel = static_cast<unsigned>(site.info->swizzle[0]);
    const Vec texel = texel_value(site, element, channel, tap);
    const Mask passes = c.scratch_mask();
    h.load(v, site.reference());
    h.compare(condition_of(func), passes, v, texel);
    h.zero(v);
    h.select(Element::B32, v, passes, passed, v);
    c.release(passes);
    c.release(texel);
}

/// (256 - w) left + w right of the compared texels of a row, whose first tap is named, as f32;
/// exact.
Vec compared_row(const TextureSite& site, const Footprint& taps, unsigned first) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Vec sum = c.scratch();
    const Vec rest = c.constant(k256);
    h.op(Binary::SubF32, rest, rest, taps.across);
    compared(site, sum, taps.element[first], first, rest);
    c.release(rest);
    const Vec v = c.scratch();
    compared(site, v, taps.element[first + 1], first + 1, taps.across);
    h.op(Binary::AddF32, sum, sum, v);
    c.release(v);
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Numbers

/// a + w (b - a) in place of a; b is used up.
void blend(const TextureSite& site, Vec a, Vec b, Vec weight) {
    EmitContext& c = site.c;
    c.h.op(Binary::SubF32, b, b, a);
    c.h.fma(a, b, weight, a, false, false);
    c.release(b);
}

/// The blend of a channel, stored at number(channel). Lanes that do not filter take the first tap.
void blend_channel(const TextureSite& site, const Footprint& taps, unsigned channel) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const auto tap = [&](unsigned i) { return texel_value(site, taps.element[i], channel, i); };
    const Vec value = tap(0);
    const bool by_lane = site.filter == FilterChoice::ByLane;
    if (by_lane)
        h.store(site.number(channel), value);
    blend(site, value, tap(1), taps.across);
    if (taps.count == 4) {
        const Vec bottom = tap(2);
        blend(site, bottom, tap(3), taps.across);
        blend(site, value, bottom, taps.down);
    }
    quiet_numbers(site, value);
    if (by_lane) {
        const Vec nearest = c.scratch();
        const Vec mask = c.scratch();
        const Mask linear = c.scratch_mask();
        h.load(nearest, site.number(channel));
        h.load(mask, site.linear());
        h.sign_mask(linear, mask);
        h.select(Element::B32, value, linear, value, nearest);
        c.release(linear);
        c.release(mask);
        c.release(nearest);
    }
    h.store(site.number(channel), value);
    c.release(value);
}

template <typename F>
void each_used_channel(const TextureSite& site, F f) {
    for (unsigned channel = 0; channel < site.info->channel_count; ++channel)
        if (site.channels_used >> channel & 1)
            f(channel);
}

}  // namespace

void quiet_numbers(const TextureSite& site, Vec v) {
    EmitContext& c = site.c;
    const Mask nan = c.scratch_mask();
    c.h.compare(FloatCond::Unordered, nan, v, v);
    c.h.select(Element::B32, v, nan, c.pool(kQuietNan), v);
    c.release(nan);
}

void limit_reference(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const bool is_unorm = site.info->type == exec::ChannelType::Unorm;
    if (!is_unorm && site.info->type != exec::ChannelType::Snorm)
        return;
    const Vec v = c.scratch();
    h.load(v, site.reference());
    const Mask number = c.scratch_mask();
    const Vec low = c.constant(0);
    h.compare(FloatCond::Ordered, number, v, v);
    h.select(Element::B32, v, number, v, low);
    c.release(number);
    if (!is_unorm)
        h.move(low, c.pool(kOne | 0x80000000));
    h.op(Binary::MaxF32, v, v, low);
    h.op(Binary::MinF32, v, v, c.pool(kOne));
    h.store(site.reference(), v);
    c.release(low);
    c.release(v);
}

Sums sample_shadow(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    Sums sums;
    if (site.filter == FilterChoice::Nearest) {
        const Vec element = nearest_element(site);
        const Vec v = c.scratch();
        const Vec one = c.constant(kOne);
        compared(site, v, element, 0, one);
        c.release(one);
        c.release(element);
        sums.channel[0] = v;
        return sums;
    }
    const Footprint taps = linear_elements(site);
    h.op(Unary::S32ToF32, taps.across, taps.across);
    const Vec sum = compared_row(site, taps, 0);
    if (taps.count == 2) {
        h.op(Binary::MulF32, sum, sum, c.pool(k256));
    } else {
        const Vec bottom = compared_row(site, taps, 2);
        h.op(Unary::S32ToF32, taps.down, taps.down);
        h.op(Binary::SubF32, bottom, bottom, sum);
        h.op(Binary::MulF32, bottom, bottom, taps.down);
        h.op(Binary::MulF32, sum, sum, c.pool(k256));
        h.op(Binary::AddF32, sum, sum, bottom);
        c.release(bottom);
    }
    release_taps(site, taps);
    sums.channel[0] = sum;
    return sums;
}

Sums sample_numbers(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    Sums sums;
    if (site.filter == FilterChoice::Nearest) {
        const Vec element = nearest_element(site);
        each_used_channel(site, [&](unsigned channel) {
            sums.channel[channel] = texel_value(site, element, channel, 0);
        });
        c.release(element);
        return sums;
    }
    const Footprint taps = linear_elements(site);
    for (Vec weight : {taps.across, taps.down}) {
        if (!weight.valid())
            continue;
        h.op(Unary::S32ToF32, weight, weight);
        h.op(Binary::MulF32, weight, weight, c.pool(kInverse256));
    }
    each_used_channel(site, [&](unsigned channel) { blend_channel(site, taps, channel); });
    release_taps(site, taps);
    each_used_channel(site, [&](unsigned channel) {
        sums.channel[channel] = c.scratch();
        h.load(sums.channel[channel], site.number(channel));
    });
    return sums;
}

// The order of results: x0y1, x1y1, x1y0, x0y0.
Sums gather_texels(const TextureSite& site) {
    EmitContext& c = site.c;
    constexpr std::array<unsigned, 4> order = {2, 3, 1, 0};
    const Footprint taps = linear_elements(site);
    const exec::Swizzle s = site.texture.swizzle[site.message.fetch_component & 3];
    const auto channel = static_cast<unsigned>(s);
    for (unsigned i = 0; i < order.size(); ++i) {
        if (!(site.message.write_mask >> i & 1))
            continue;
        const unsigned tap = order[i];
        Vec v;
        if (site.kind == TexelKind::Shadow) {
            v = c.scratch();
            compared(site, v, taps.element[tap], tap, c.pool(kOne));
        } else {
            v = texel_value(site, taps.element[tap], channel, tap);
        }
        c.h.store(site.number(i), v);
        c.release(v);
    }
    release_taps(site, taps);
    Sums sums;
    for (unsigned i = 0; i < order.size(); ++i)
        if (site.message.write_mask >> i & 1) {
            sums.channel[i] = c.scratch();
            c.h.load(sums.channel[i], site.number(i));
        }
    return sums;
}

}  // namespace valkyr::jit
