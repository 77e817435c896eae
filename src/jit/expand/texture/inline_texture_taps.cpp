// Texture taps: locate texels, and turn filter sums into values.
// SPDX-License-Identifier: MIT
#include "jit/expand/format/channel_decode.hpp"
#include "jit/expand/texture/inline_texture.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

namespace valkyr::jit {

using exec::ChannelType;
using exec::FormatInfo;
using exec::FormatLayout;

namespace {

constexpr float kLinearShare = 0x1p-16F;

/// Element sizes are 2^n, or 3 * 2^n.
struct ElementScale {
    bool thrice;
    uint8_t shift;
};

ElementScale scale_of(const TextureSite& site) {
    const unsigned bytes = site.info->block_bytes;
    const bool thrice = bytes % 3 == 0;
    return {thrice, static_cast<uint8_t>(std::countr_zero(thrice ? bytes / 3 : bytes))};
}

}  // namespace

uint8_t unit_shift(const TextureSite& site) {
    return std::min<uint8_t>(scale_of(site).shift, 3);
}

void scale_element(const TextureSite& site, S32& element) {
    const ElementScale scale = scale_of(site);
    if (scale.thrice)
        element += element + element;
    if (scale.shift > 3)
        element <<= scale.shift - 3U;
}

namespace {

/// The units before each lane's slice; invalid if there is one slice.
S32 slice_start(const TextureSite& site) {
    if (!site.has_slices)
        return {};
    return {site.c, s32(site.slice()) * Operand::broadcast(slice_units())};
}

void add_slice_start(const TextureSite& site, S32& element) {
    if (const S32 start = slice_start(site); start.valid())
        element += start;
}

bool has_unorm_bytes(const FormatInfo& info) {
    return info.layout == FormatLayout::Array && info.type == ChannelType::Unorm && !info.srgb &&
           info.bits[0] == 8;
}

}  // namespace

bool filters_steps(const FormatInfo& info) {
    const bool normalized = info.type == ChannelType::Unorm || info.type == ChannelType::Snorm;
    return normalized && !info.srgb && info.layout != FormatLayout::DepthStencil &&
           std::all_of(std::begin(info.bits), std::end(info.bits),
                       [](uint8_t bits) { return bits <= 8; });
}

float channel_step(const FormatInfo& info, unsigned channel) {
    const unsigned bits = info.bits[channel];
    const bool is_signed = info.type == ChannelType::Snorm;
    return 1.0F / static_cast<float>((1U << (is_signed ? bits - 1 : bits)) - 1);
}

TexelKind texel_kind(const FormatInfo& info, bool shadow, bool gathers) {
    if (!shadow && !gathers && has_unorm_bytes(info))
        return TexelKind::Bytes;
    if (!channels_are_fields(info) || info.block_bytes > 16)
        return TexelKind::None;
    if (has_integer_values(info))
        return TexelKind::Numbers;  // integers are never filtered
    if (shadow)
        return info.swizzle[0] <= exec::Swizzle::W ? TexelKind::Shadow : TexelKind::None;
    return filters_steps(info) && !gathers ? TexelKind::Steps : TexelKind::Numbers;
}

namespace {

/// The element number of one axis.
S32 nearest_place(const TextureSite& site, unsigned axis) {
    const SharedValue& shared = site.c.message().axes[axis];
    if (shared.is_loaded())
        return {site.c, s32(site.shared_axis(axis, 0))};
    S32 texel = raw_texels(site, axis).first;
    place_first(site, axis, texel);
    if (shared.is_made())
        site.c.h.store(site.shared_axis(axis, 0), texel);
    return texel;
}

/// raw_texels() of an axis of a linear footprint.
AxisTexels raw_axis(const TextureSite& site, unsigned axis) {
    const SharedValue& shared = site.c.message().axes[axis];
    if (shared.is_loaded()) {
        AxisTexels texels;
        texels.first = S32(site.c, s32(site.shared_axis(axis, 0)));
        texels.weight = S32(site.c, s32(site.shared_axis(axis, 1)));
        return texels;
    }
    AxisTexels texels = raw_texels(site, axis);
    if (shared.is_made()) {
        site.c.h.store(site.shared_axis(axis, 0), texels.first);
        site.c.h.store(site.shared_axis(axis, 1), texels.weight);
    }
    return texels;
}

}  // namespace

S32 nearest_element(const TextureSite& site) {
    S32 element = nearest_place(site, 0);
    if (site.axes > 1)
        element += nearest_place(site, 1);
    scale_element(site, element);
    add_slice_start(site, element);
    return element;
}

FootprintAxes raw_axes(const TextureSite& site) {
    FootprintAxes axes;
    axes.x = raw_axis(site, 0);
    if (site.axes > 1)
        axes.y = raw_axis(site, 1);
    return axes;
}

void place_axes(const TextureSite& site, FootprintAxes& axes, Label outside_face) {
    place_both(site, 0, axes.x, outside_face);
    scale_element(site, axes.x.first);
    scale_element(site, axes.x.second);
    if (site.axes > 1) {
        place_both(site, 1, axes.y, outside_face);
        scale_element(site, axes.y.first);
        scale_element(site, axes.y.second);
    }
}

namespace {

void start_in_slice(const TextureSite& site, FootprintAxes& axes) {
    if (const S32 start = slice_start(site); start.valid()) {
        axes.x.first += start;
        axes.x.second += start;
    }
}

/// The placed axes of a slice in depth. Those of the far slice are the near one's.
FootprintAxes depth_axes(const TextureSite& site) {
    FootprintAxes axes;
    if (!site.is_far) {
        axes = raw_axes(site);
        place_axes(site, axes, {});
    }
    unsigned word = 0;
    for (AxisTexels* axis : {&axes.x, &axes.y})
        for (S32* texels : {&axis->first, &axis->second, &axis->weight}) {
            const Address place = site.near_axes(word++);
            if (site.is_far)
                *texels = S32(site.c, s32(place));
            else
                site.c.h.store(place, *texels);
        }
    return axes;
}

}  // namespace

namespace {

/// Turns the first texels into units within the slice, whose sums are then in x.
void place_in_slice(const TextureSite& site, FootprintAxes& axes) {
    S32& element = axes.x.first;
    place_first(site, 0, element);
    place_first(site, 1, axes.y.first);
    element += axes.y.first;
    scale_element(site, element);
}

}  // namespace

void place_first(const TextureSite& site, FootprintAxes& axes) {
    place_in_slice(site, axes);
    add_slice_start(site, axes.x.first);
}

FootprintAxes first_texels(const TextureSite& site, FootprintAxes raw) {
    place_first(site, raw);
    raw.y.first.reset();
    return raw;
}

// In depth, texels and weights of the far slice are the near one's.
FootprintAxes first_texels(const TextureSite& site) {
    if (site.coordinates < 3)
        return first_texels(site, raw_axes(site));
    FootprintAxes axes;
    if (!site.is_far) {
        axes = raw_axes(site);
        place_in_slice(site, axes);
        axes.y.first.reset();
    }
    unsigned word = 0;
    for (S32* kept : {&axes.x.first, &axes.x.weight, &axes.y.weight}) {
        const Address place = site.near_axes(word++);
        if (site.is_far)
            *kept = S32(site.c, s32(place));
        else
            site.c.h.store(place, *kept);
    }
    add_slice_start(site, axes.x.first);
    return axes;
}

namespace {

/// Combines the units of axes to those of the footprint's texels.
void combine_axes(const TextureSite& site, const FootprintAxes& axes, const Footprint& footprint) {
    for (unsigned i = 0; i < footprint.count; ++i) {
        S32 element(site.c, footprint.element[i]);
        element =
            (i % 2 == 0 ? axes.x.first : axes.x.second) + (i < 2 ? axes.y.first : axes.y.second);
    }
}

void fetch_words(const TextureSite& site, const Footprint& footprint) {
    for (unsigned i = 0; i < footprint.count; ++i)
        fetch_word(site, footprint.element[i], footprint.element[i], 0);
}

/// The taps of placed axes, in their registers.
Footprint take_axes(FootprintAxes axes) {
    Footprint taps;
    taps.across = std::move(axes.x.weight);
    if (!axes.y.first.valid()) {
        taps.count = 2;
        taps.element = {std::move(axes.x.first), std::move(axes.x.second), Temp{}, Temp{}};
        return taps;
    }
    taps.down = std::move(axes.y.weight);
    S32 corner = axes.x.first + axes.y.first;
    axes.y.first = axes.x.second + axes.y.first;
    axes.x.first += axes.y.second;
    axes.x.second += axes.y.second;
    taps.element = {std::move(corner), std::move(axes.y.first), std::move(axes.x.first),
                    std::move(axes.x.second)};
    return taps;
}

/// The footprint of placed axes.
Footprint placed_taps(const TextureSite& site, FootprintAxes axes, Taps taps) {
    start_in_slice(site, axes);
    Footprint footprint = take_axes(std::move(axes));
    if (taps == Taps::Words)
        fetch_words(site, footprint);
    return footprint;
}

/// The words of raw axes' texels, from a window if one has them.
Footprint window_words(const TextureSite& site, FootprintAxes axes, Label outside_face) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Label outside = h.new_label();
    const Label done = h.new_label();
    Footprint footprint;
    for (Temp& tap : footprint.element)
        tap = c.scratch();
    load_window(site, axes, footprint, outside);
    h.jump(done);
    h.bind(outside);
    place_axes(site, axes, outside_face);
    start_in_slice(site, axes);
    combine_axes(site, axes, footprint);
    fetch_words(site, footprint);
    h.bind(done);
    footprint.across = std::move(axes.x.weight);
    footprint.down = std::move(axes.y.weight);
    return footprint;
}

}  // namespace

Footprint linear_taps(const TextureSite& site, FootprintAxes axes, Taps taps, Label outside_face) {
    if (taps == Taps::Words && has_windows(site))
        return window_words(site, std::move(axes), outside_face);
    place_axes(site, axes, outside_face);
    return placed_taps(site, std::move(axes), taps);
}

Footprint linear_taps(const TextureSite& site, Taps taps) {
    if (site.coordinates == 3)
        return placed_taps(site, depth_axes(site), taps);
    if (!site.leaves_faces)
        return linear_taps(site, raw_axes(site), taps);
    HostAssembler& h = site.c.h;
    const Label outside_face = h.new_label();
    const Label done = h.new_label();
    h.store32(site.corner_lanes(), 0);
    Footprint footprint = linear_taps(site, raw_axes(site), taps, outside_face);
    h.jump(done);
    h.bind(outside_face);
    filter_across_edges(site, footprint, taps);
    h.bind(done);
    return footprint;
}

void fetch_word(const TextureSite& site, Vec d, Vec texel, unsigned word) {
    site.c.gather(d, {site.at.texels, static_cast<int32_t>(4 * word), Gp::None, unit_shift(site)},
                  texel);
}

namespace {

/// Whether the message is a tap of several across and down, most of which lie across tiles.
bool is_one_of_many(const TextureSite& site) {
    const auto& axes = site.c.message().axes;
    return std::all_of(axes.begin(), axes.end(),
                       [](const SharedValue& axis) { return axis.place != SharedValue::kNone; });
}

/// Whether the texels of the pixels of a block may be those of one tile, 16 words of memory, and
/// whether it is worth a test.
bool can_share_tile(const TextureSite& site) {
    if (is_one_of_many(site) && !site.c.h.traits().loads_lanes)
        return false;
    return site.c.key.fragment && site.c.h.traits().lanes >= 8 &&
           site.info->block_bytes == sizeof(uint32_t) &&
           site.texture.kind != exec::TextureKind::Buffer;
}

/// Jumps if the texels of the running lanes are not in the tile of lane 0. at = its address.
void leave_tile(const TextureSite& site, Vec texel, Gp at, Label other_tiles) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    S32 tile(c, s32(texel) & ~(exec::kLanes - 1));
    const Temp first = c.scratch();
    h.broadcast_first(first, tile);
    const TempMask here = c.scratch_mask();
    h.compare(IntCond::Equal, Element::B32, true, here, tile, first);
    jump_unless_all(site, here, at, other_tiles);
    h.extract_first(at, first);
    h.shift_left64(at, unit_shift(site));
    h.add64(at, site.at.texels);
}

}  // namespace

void fetch_near_word(const TextureSite& site, Vec d, Vec texel) {
    if (!can_share_tile(site))
        return fetch_word(site, d, texel, 0);
    HostAssembler& h = site.c.h;
    const Label other_tiles = h.new_label();
    const Label done = h.new_label();
    {
        const Scalar at = site.c.scalar();
        leave_tile(site, texel, at, other_tiles);
        h.table16(d, texel, {at});
    }
    h.jump(done);
    h.bind(other_tiles);
    if (has_nearest_windows(site)) {
        const Label outside = h.new_label();
        load_nearest_window(site, d, texel, outside);
        h.jump(done);
        h.bind(outside);
    }
    fetch_word(site, d, texel, 0);
    h.bind(done);
}

bool fetches_texels(const TextureSite& site, unsigned words) {
    const unsigned bytes = site.info->block_bytes;
    return (words & (words - 1)) != 0 &&
           (bytes == 16 || (bytes == 8 && site.c.h.traits().loads_lanes));
}

namespace {

/// Fills the first `count` words of a texel by fetch(registers, address).
template <typename Fetch>
TexelWords fetched(const TextureSite& site, size_t count, Fetch fetch) {
    TexelWords words;
    std::array<Vec, 4> registers;
    for (size_t k = 0; k < count; ++k) {
        words[k] = site.c.scratch();
        registers[k] = words[k];
    }
    fetch(std::span<const Vec>(registers).first(count),
          Address{site.at.texels, 0, Gp::None, unit_shift(site)});
    return words;
}

}  // namespace

TexelWords fetch_texel(const TextureSite& site, Vec texel) {
    return fetched(site, site.info->block_bytes / sizeof(uint32_t),
                   [&](std::span<const Vec> words, Address place) {
                       site.c.h.gather_words(words, place, texel);
                   });
}

TexelWords fetch_halves(const TextureSite& site, Vec texel) {
    return fetched(site, 4, [&](std::span<const Vec> channels, Address place) {
        site.c.h.gather_halves(channels, place, texel);
    });
}

namespace {

Sums sample_slice(const TextureSite& site, bool exact_sums) {
    switch (site.kind) {
    case TexelKind::Shadow: return sample_shadow(site);
    case TexelKind::Steps:
    case TexelKind::Numbers: return sample_numbers(site);
    default: break;
    }
    Sums sums = sample_bytes(site);
    if (exact_sums && sums.biased) {
        for (const Temp& sum : sums.channel)
            if (sum.valid()) {
                F32 v(site.c, sum);
                v += 0x1p23F;
            }
        sums.biased = false;
    }
    return sums;
}

/// Chooses the two slices of a footprint in depth.
void choose_slices(const TextureSite& site) {
    HostAssembler& h = site.c.h;
    const AxisTexels z = axis_texels(site, 2);
    h.store(site.slice(), z.first);
    if (!z.second.valid())
        return;
    h.store(site.far_slice(), z.second);
    const F32 weight = to_f32(z.weight) * (1.0F / 256);
    h.store(site.slice_weight(), weight);
}

/// v = the near slice's value where lanes do not filter.
void keep_nearest(const TextureSite& site, F32& v, const F32& near) {
    EmitContext& c = site.c;
    const Temp mask = c.scratch();
    const TempMask linear = c.scratch_mask();
    c.h.load(mask, site.linear());
    c.h.sign_mask(linear, mask);
    v = select(linear, v, near);
}

/// Blends the current slice with the far one.
void blend_far_slice(const TextureSite& site, Sums& sums) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    for (unsigned channel = 0; channel < 4; ++channel)
        if (Temp v = std::move(sums.channel[channel]); v.valid())
            h.store(site.near_slice(channel), v);
    Temp far = c.scratch();
    h.load(far, site.far_slice());
    h.store(site.slice(), far);
    if (has_border(site, 2)) {
        h.load(far, site.outside(2, 1));
        h.store(site.outside(2, 0), far);
    }
    far.reset();
    sums = sample_slice(site.of_far_slice(), true);
    F32 near(c);
    const F32 weight(c, f32(site.slice_weight()));
    for (unsigned channel = 0; channel < 4; ++channel)
        if (sums.channel[channel].valid()) {
            F32 v(c, sums.channel[channel]);
            near = site.near_slice(channel);
            v = fma(v - near, weight, near);
            quiet_numbers(site, v);
            if (site.kind == TexelKind::Numbers && site.filter == FilterChoice::ByLane)
                keep_nearest(site, v, near);
        }
}

}  // namespace

Sums sample_level(const TextureSite& site, bool exact_sums) {
    if (site.coordinates < 3)
        return sample_slice(site, exact_sums);
    choose_slices(site);
    const bool two = site.filter != FilterChoice::Nearest;
    Sums sums = sample_slice(site, exact_sums || two);
    if (two)
        blend_far_slice(site, sums);
    return sums;
}

namespace {

/// The reciprocal of the sum of the weights: 256 in 1D, 256^2 in 2D. In 1D, sums of shadows and
/// bytes are scaled as in 2D.
float share_of(const TextureSite& site) {
    if (site.filter == FilterChoice::Nearest)
        return 1;
    return site.kind == TexelKind::Steps && site.axes == 1 ? 0x1p-8F : kLinearShare;
}

}  // namespace

// With N = n + 2^23 and a factor f: N f = n f + 2^23 f, and 2^23 f is exact.
void finish_sums(const TextureSite& site, Sums& sums) {
    if (site.kind == TexelKind::Numbers)
        return;
    float factor = 0;
    F32 f(site.c);
    for (unsigned channel = 0; channel < 4; ++channel) {
        if (!sums.channel[channel].valid())
            continue;
        F32 v(site.c, sums.channel[channel]);
        const float own = (site.kind == TexelKind::Shadow ? 1 : channel_step(*site.info, channel)) *
                          share_of(site);
        if (own != std::exchange(factor, own))
            f = factor;
        if (sums.biased)
            v = fma(v, f, factor * 0x1p23F);
        else
            v *= f;
    }
}

}  // namespace valkyr::jit
