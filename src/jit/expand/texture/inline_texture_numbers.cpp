// Number texels: filters binary32 texels, steps as binary32, and shadow compares.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "base/float_bits.hpp"
#include "jit/expand/format/channel_decode.hpp"
#include "jit/expand/texture/inline_texture.hpp"

#include <array>
#include <utility>

namespace valkyr::jit {

using exec::CompareFunc;

namespace {

using float_bits::kOne;

/// Whether NaNs must have the one payload now. If no reader sees the bits of a result, nothing need
/// be done.
bool must_quiet(const TextureSite& site, Nan nan) {
    return nan == Nan::Quiet && site.c.shows_nans();
}

/// A channel of a tap from its word, as a new temporary.
Temp decoded(const TextureSite& site, Vec word, unsigned channel, unsigned tap, Nan nan) {
    const ChannelField field = channel_field(*site.info, channel);
    Temp v = site.kind == TexelKind::Steps
                 ? channel_steps(site.c, *site.info, field, word)
                 : channel_value(site.c, *site.info, field, word,
                                 must_quiet(site, nan) ? Nan::Quiet : Nan::Any);
    apply_border(site, v, tap, channel);
    return v;
}

/// Whether taps are the texels' words; otherwise they are units.
bool has_one_word(const TextureSite& site) {
    return site.info->block_bytes <= sizeof(uint32_t);
}

/// Whether texels are four halves, which are converted while they are loaded.
bool loads_halves(const TextureSite& site) {
    return site.info->type == exec::ChannelType::Float && site.info->block_bytes == 8 &&
           site.info->channel_count == 4 && site.c.h.traits().loads_lanes;
}

/// Whether all channels of a texel are converted before one of them is used.
bool converts_texels(const TextureSite& site) {
    return loads_halves(site) || looks_up_texels(site.c, *site.info);
}

/// The channels of a texel if converts_texels(), in new temporaries.
TexelWords texel_channels(const TextureSite& site, Vec texel) {
    if (loads_halves(site))
        return fetch_halves(site, texel);
    const Temp word = site.c.scratch();
    fetch_near_word(site, word, texel);
    return looked_up_texel(site.c, *site.info, word, site.channels_used);
}

/// A channel of a tap that is converted already, as a new temporary.
Temp converted(const TextureSite& site, Vec number, unsigned channel, unsigned tap, Nan nan) {
    F32 v(site.c, f32(number));
    if (must_quiet(site, nan))
        quiet(v);
    apply_border(site, v, tap, channel);
    return v;
}

/// The footprint of a linear filter; has_one_word() decides what its taps are.
Footprint linear_taps(const TextureSite& site) {
    return linear_taps(site, has_one_word(site) ? Taps::Words : Taps::Elements);
}

/// A channel of a tap of linear_taps() as a new temporary; the tap stays.
Temp texel_value(const TextureSite& site, Vec held, unsigned channel, unsigned tap) {
    if (has_one_word(site))
        return decoded(site, held, channel, tap, Nan::Quiet);
    const Temp word = site.c.scratch();
    fetch_word(site, word, held, channel_field(*site.info, channel).word);
    return decoded(site, word, channel, tap, Nan::Quiet);
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
/// held  the tap from linear_taps()
void compared(const TextureSite& site, Vec v, Vec held, unsigned tap, Operand passed) {
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
    const Temp texel = texel_value(site, held, channel, tap);
    const TempMask passes = c.scratch_mask();
    h.load(v, site.reference());
    h.compare(condition_of(func), passes, v, texel);
    h.keep_lanes(v, passes, passed);
}

/// (256 - w) left + w right of a row, whose first tap is named, as f32; exact. weighted(v, tap, w)
/// makes v the product of a tap and its weight.
template <typename Weighted>
F32 compared_row(const TextureSite& site,
                 const Footprint& taps,
                 unsigned first,
                 const Weighted& weighted) {
    EmitContext& c = site.c;
    F32 sum(c);
    F32 rest(c, 256.0F - f32(taps.across));
    weighted(Vec(sum), first, Vec(rest));
    rest.reset();
    const F32 v(c);
    weighted(Vec(v), first + 1, Vec(taps.across));
    sum += v;
    return sum;
}

/// The sum of a footprint, whose weights are numbers.
template <typename Weighted>
F32 compared_sum(const TextureSite& site, const Footprint& taps, const Weighted& weighted) {
    F32 sum = compared_row(site, taps, 0, weighted);
    if (taps.count == 2) {
        sum *= 256.0F;
        return sum;
    }
    F32 bottom = compared_row(site, taps, 2, weighted);
    bottom = (bottom - sum) * taps.down;
    sum = sum * 256.0F + bottom;
    return sum;
}

// ---------------------------------------------------------------------------------------------
// Numbers

/// Numbers: a = a + w (b - a); overwrites b. Steps: 256 times as much, and exact.
void blend(const TextureSite& site, Vec first, Vec second, Vec weight) {
    F32 a(site.c, first);
    F32 b(site.c, second);
    b -= a;
    if (site.kind == TexelKind::Steps)
        a *= 256.0F;
    a = fma(b, weight, a);
}

/// Whether lanes that do not filter must take the first tap itself; for steps their weights are 0.
bool keeps_first_tap(const TextureSite& site) {
    return site.filter == FilterChoice::ByLane && site.kind == TexelKind::Numbers;
}

/// The blend of the values tap(0), tap(1) .. of a channel, stored at number(channel).
template <typename Tap>
void blend_taps(const TextureSite& site, const Footprint& taps, unsigned channel, const Tap& tap) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const bool by_lane = keeps_first_tap(site);
    const Temp value = tap(0);
    if (by_lane)
        h.store(site.number(channel), value);
    blend(site, value, tap(1), taps.across);
    if (taps.count == 4) {
        const Temp bottom = tap(2);
        blend(site, bottom, tap(3), taps.across);
        blend(site, value, bottom, taps.down);
    }
    quiet_numbers(site, value);
    if (by_lane) {
        const Temp nearest = c.scratch();
        const Temp mask = c.scratch();
        const TempMask linear = c.scratch_mask();
        h.load(nearest, site.number(channel));
        h.load(mask, site.linear());
        h.sign_mask(linear, mask);
        h.select(Element::B32, value, linear, value, nearest);
    }
    h.store(site.number(channel), value);
}

/// Stores the values tap(0) .. tap(3) as corner_value() and averages corners.
template <typename Tap>
void average_taps(const TextureSite& site, const Tap& tap, CornerMean mean) {
    for (unsigned i = 0; i < 4; ++i) {
        const Temp v = tap(i);
        site.c.h.store(site.corner_value(i), v);
    }
    average_corners(site, mean);
}

/// The blend of a channel, stored at number(channel). The taps hold the word of the channel, or the
/// channel if converts_texels().
void blend_channel(const TextureSite& site, const Footprint& taps, unsigned channel) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    // Blends of levels quiet NaNs anyway.
    const auto tap = [&](unsigned i) {
        const Nan nan = keeps_first_tap(site) && i == 0 ? Nan::Quiet : Nan::Any;
        return converts_texels(site) ? converted(site, taps.element[i], channel, i, nan)
                                     : decoded(site, taps.element[i], channel, i, nan);
    };
    blend_taps(site, taps, channel, tap);
    if (!site.leaves_faces)
        return;
    const Label done = h.new_label();
    jump_without_corners(site, done);
    average_taps(site, tap,
                 site.kind == TexelKind::Steps ? CornerMean::Steps : CornerMean::Numbers);
    blend_taps(site, taps, channel, [&](unsigned i) {
        Temp v = c.scratch();
        h.load(v, site.corner_value(i));
        return v;
    });
    h.bind(done);
}

template <typename F>
void each_used_channel(const TextureSite& site, F f) {
    for (unsigned channel = 0; channel < site.info->channel_count; ++channel)
        if (site.channels_used >> channel & 1)
            f(channel);
}

/// Words of a texel that hold used channels, as a mask.
unsigned used_words(const TextureSite& site) {
    unsigned words = 0;
    each_used_channel(
        site, [&](unsigned channel) { words |= 1U << channel_field(*site.info, channel).word; });
    return words;
}

/// Stores these words of a tap's texel at tap_word().
void keep_texel(const TextureSite& site, Vec texel, unsigned tap, unsigned words) {
    const TexelWords loaded = fetch_texel(site, texel);
    for (unsigned word = 0; words >> word != 0; ++word)
        if (words >> word & 1)
            site.c.h.store(site.tap_word(tap, word), loaded[word]);
}

/// Blends all channels of texels that are converted as a whole.
void blend_converted(const TextureSite& site, const Footprint& taps) {
    HostAssembler& h = site.c.h;
    for (unsigned i = 0; i < taps.count; ++i) {
        const Vec tap = taps.element[i];
        const TexelWords channels =
            has_one_word(site) ? looked_up_texel(site.c, *site.info, tap, site.channels_used)
                               : texel_channels(site, tap);
        each_used_channel(
            site, [&](unsigned channel) { h.store(site.tap_word(i, channel), channels[channel]); });
    }
    each_used_channel(site, [&](unsigned channel) {
        for (unsigned i = 0; i < taps.count; ++i)
            h.load(taps.element[i], site.tap_word(i, channel));
        blend_channel(site, taps, channel);
    });
}

/// Blends all channels, word by word: the taps become each word in turn.
void blend_words(const TextureSite& site, const Footprint& taps) {
    HostAssembler& h = site.c.h;
    if (converts_texels(site))
        return blend_converted(site, taps);
    if (has_one_word(site)) {
        each_used_channel(site, [&](unsigned channel) { blend_channel(site, taps, channel); });
        return;
    }
    const unsigned words = used_words(site);
    const bool several = (words & (words - 1)) != 0;
    const bool whole = fetches_texels(site, words);
    for (unsigned i = 0; i < taps.count && several; ++i) {
        if (whole)
            keep_texel(site, taps.element[i], i, words);
        else
            h.store(site.element(i), taps.element[i]);
    }
    for (unsigned word = 0; words >> word != 0; ++word) {
        if (!(words >> word & 1))
            continue;
        for (unsigned i = 0; i < taps.count; ++i) {
            const Vec tap = taps.element[i];
            if (several)
                h.load(tap, whole ? site.tap_word(i, word) : site.element(i));
            if (!whole)
                fetch_word(site, tap, tap, word);
        }
        each_used_channel(site, [&](unsigned channel) {
            if (channel_field(*site.info, channel).word == word)
                blend_channel(site, taps, channel);
        });
    }
}

/// Whether a filter of the format, or its border, can give a NaN.
bool can_be_nan(const TextureSite& site) {
    if (site.kind != TexelKind::Numbers || site.info->type != exec::ChannelType::Float)
        return false;
    return site.info->layout != exec::FormatLayout::SharedExponent || has_borders(site);
}

}  // namespace

void quiet_numbers(const TextureSite& site, Vec number) {
    if (!can_be_nan(site) || !site.c.shows_nans())
        return;
    F32 v(site.c, number);
    quiet(v);
}

void limit_reference(const TextureSite& site) {
    EmitContext& c = site.c;
    const bool is_unorm = site.info->type == exec::ChannelType::Unorm;
    if (!is_unorm && site.info->type != exec::ChannelType::Snorm)
        return;
    F32 v(c, f32(site.reference()));
    LaneMask number(c);
    F32 low(c, 0.0F);
    number = is_number(v);
    v = select(number, v, low);
    if (!is_unorm)
        low = -1.0F;
    v = min(max(v, low), 1.0F);
    c.h.store(site.reference(), v);
}

namespace {

/// 1 where the comparison of a tap passes, else 0.
Temp compared_tap(const TextureSite& site, const Footprint& taps, unsigned tap) {
    Temp v = site.c.scratch();
    compared(site, v, taps.element[tap], tap, site.c.pool(kOne));
    return v;
}

/// Computes the sum of a footprint again if it has corners.
void sum_shadow_corners(const TextureSite& site, const Footprint& taps, Vec sum) {
    HostAssembler& h = site.c.h;
    const Label done = h.new_label();
    jump_without_corners(site, done);
    average_taps(
        site, [&](unsigned tap) { return compared_tap(site, taps, tap); }, CornerMean::Steps);
    const Temp mean = compared_sum(site, taps, [&](Vec v, unsigned tap, Vec weight) {
        h.load(v, site.corner_value(tap));
        F32 product(site.c, v);
        product *= weight;
    });
    h.move(sum, mean);
    h.bind(done);
}

}  // namespace

Sums sample_shadow(const TextureSite& site) {
    EmitContext& c = site.c;
    Sums sums;
    if (site.filter == FilterChoice::Nearest) {
        const Temp held = nearest_element(site);
        if (has_one_word(site))
            fetch_word(site, held, held, 0);
        Temp v = c.scratch();
        compared(site, v, held, 0, c.constant(kOne));
        sums.channel[0] = std::move(v);
        return sums;
    }
    const Footprint taps = linear_taps(site);
    for (const Vec v : {Vec(taps.across), Vec(taps.down)})
        if (v.valid()) {
            F32 weight(c, v);
            weight = to_f32(s32(weight));
        }
    sums.channel[0] = compared_sum(site, taps, [&](Vec v, unsigned tap, Vec weight) {
        compared(site, v, taps.element[tap], tap, weight);
    });
    if (site.leaves_faces)
        sum_shadow_corners(site, taps, sums.channel[0]);
    return sums;
}

Sums sample_numbers(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    Sums sums;
    if (site.filter == FilterChoice::Nearest) {
        const Temp element = nearest_element(site);
        TexelWords texel;
        if (converts_texels(site)) {
            texel = texel_channels(site, element);
            each_used_channel(site, [&](unsigned channel) {
                sums.channel[channel] = converted(site, texel[channel], channel, 0, Nan::Quiet);
            });
            return sums;
        }
        if (fetches_texels(site, used_words(site)))
            texel = fetch_texel(site, element);
        each_used_channel(site, [&](unsigned channel) {
            const unsigned word = channel_field(*site.info, channel).word;
            if (!texel[word].valid()) {
                texel = {};  // channels come in the order of their words
                texel[word] = c.scratch();
                if (has_one_word(site))
                    fetch_near_word(site, texel[word], element);
                else
                    fetch_word(site, texel[word], element, word);
            }
            sums.channel[channel] = decoded(site, texel[word], channel, 0, Nan::Quiet);
        });
        return sums;
    }
    Footprint taps = linear_taps(site);
    for (const Vec v : {Vec(taps.across), Vec(taps.down)}) {
        if (!v.valid())
            continue;
        F32 weight(c, v);
        weight = to_f32(s32(weight));
        if (site.kind == TexelKind::Numbers)
            weight *= 1.0F / 256;
    }
    if (filters_quads(site))
        return filter_quads(site, std::move(taps));
    blend_words(site, taps);
    taps = {};
    each_used_channel(site, [&](unsigned channel) {
        sums.channel[channel] = c.scratch();
        h.load(sums.channel[channel], site.number(channel));
    });
    return sums;
}

namespace {

/// The tap of each result of a gather: x0y1, x1y1, x1y0, x0y0.
constexpr std::array<unsigned, 4> kGatherOrder = {2, 3, 1, 0};

/// Stores the requested results, which are values of taps, at number(result).
template <typename Tap>
void gather_taps(const TextureSite& site, const Tap& tap) {
    for (unsigned i = 0; i < kGatherOrder.size(); ++i) {
        if (!(site.message.write_mask >> i & 1))
            continue;
        const Temp v = tap(kGatherOrder[i]);
        site.c.h.store(site.number(i), v);
    }
}

/// Stores the results again if the footprint has corners.
void gather_corners(const TextureSite& site, const Footprint& taps, unsigned channel) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const bool shadow = site.kind == TexelKind::Shadow;
    const bool steps = !shadow && filters_steps(*site.info);
    const Label done = h.new_label();
    jump_without_corners(site, done);
    const auto value = [&](unsigned tap) {
        const Vec held = taps.element[tap];
        if (shadow)
            return compared_tap(site, taps, tap);
        return steps ? channel_steps(c, *site.info, channel_field(*site.info, channel), held)
                     : texel_value(site, held, channel, tap);
    };
    average_taps(site, value,
                 shadow || steps                  ? CornerMean::Steps
                 : has_integer_values(*site.info) ? CornerMean::OwnFace
                                                  : CornerMean::Numbers);
    gather_taps(site, [&](unsigned tap) {
        F32 v(c, f32(site.corner_value(tap)));
        if (steps)
            v *= channel_step(*site.info, channel);
        return v;
    });
    h.bind(done);
}

/// Loads the results into registers.
Sums gathered(const TextureSite& site) {
    Sums sums;
    for (unsigned i = 0; i < kGatherOrder.size(); ++i)
        if (site.message.write_mask >> i & 1) {
            sums.channel[i] = site.c.scratch();
            site.c.h.load(sums.channel[i], site.number(i));
        }
    return sums;
}

/// Results that are a constant instead of a channel.
Sums gathered_constant(const TextureSite& site, uint32_t value) {
    Sums sums;
    for (unsigned i = 0; i < kGatherOrder.size(); ++i)
        if (site.message.write_mask >> i & 1)
            sums.channel[i] = site.c.constant(value);
    return sums;
}

}  // namespace

Sums gather_texels(const TextureSite& site) {
    const ComponentSource source = component_source(site, site.message.fetch_component & 3);
    if (!source.channel)
        return gathered_constant(site, source.constant);
    const unsigned channel = *source.channel;
    const Footprint taps = linear_taps(site);
    gather_taps(site, [&](unsigned tap) {
        return site.kind == TexelKind::Shadow ? compared_tap(site, taps, tap)
                                              : texel_value(site, taps.element[tap], channel, tap);
    });
    if (site.leaves_faces)
        gather_corners(site, taps, channel);
    return gathered(site);
}

}  // namespace valkyr::jit
