// Inline TEX_FETCH: loads one texel by integer coordinates (docs/rules/sampling.md).
// SPDX-License-Identifier: MIT
//
// With several levels, the words of texels go to the frame level by level, zeros for texels
// outside. Channels are decoded once, at the end.
#include "jit/expand/format/channel_decode.hpp"
#include "jit/expand/texture/inline_texture.hpp"

#include <bit>
#include <cstddef>
#include <optional>

namespace valkyr::jit {

using exec::TextureDescriptor;
using exec::TextureLevel;

namespace {

unsigned word_count(const TextureSite& site) {
    return (site.info->block_bytes + 3U) / 4;
}

/// The signed byte of an offset word that is added to a coordinate.
constexpr int32_t offset_byte(uint32_t word, unsigned axis) {
    return static_cast<int8_t>(word >> 8 * axis);
}

/// Adds the signed bytes of a constant offset word to the coordinates.
void apply_known_offsets(const TextureSite& site) {
    for (unsigned axis = 0; axis < site.coordinates; ++axis) {
        const int32_t offset = offset_byte(*site.known_offset, axis);
        if (offset == 0 || site.c.message().loads_axis(axis))
            continue;
        const Address coordinate = site.coordinate(axis);
        S32 moved(site.c, offset);
        moved += coordinate;
        site.c.h.store(coordinate, moved);
    }
}

/// Adds the signed bytes of the offset word to the coordinates and stores the levels, its top byte.
void apply_offsets(const TextureSite& site) {
    HostAssembler& h = site.c.h;
    const Address word = site.fetch_operand();
    for (unsigned axis = 0; axis < site.coordinates; ++axis) {
        const Address coordinate = site.coordinate(axis);
        const S32 moved(site.c, (s32(word) << (24 - 8 * axis) >> 24) + coordinate);
        h.store(coordinate, moved);
    }
    const U32 level(site.c, u32(word) >> 24);
    h.store(site.level(), level);
}

/// Chooses slices: clamps layers, not depths.
void choose_fetch_slice(const TextureSite& site) {
    EmitContext& c = site.c;
    S32 slice(c, 0);
    if (site.coordinates == 3) {
        slice = site.coordinate(2);
    } else {
        if (site.message.array) {
            S32 last(c);
            slice = max(slice, site.slice());
            last_layer(site, last);
            slice = min(slice, last);
        }
        slice += Operand::broadcast({site.at.texture, offsetof(TextureDescriptor, first_layer)});
    }
    c.h.store(site.slice(), slice);
}

/// outside = outside or the numbers at `place` are not below the size.
void check_size(const TextureSite& site, Mask outside, Address place, size_t size, bool first) {
    EmitContext& c = site.c;
    const Temp v = c.scratch();
    const TempMask other = first ? TempMask() : c.scratch_mask();
    const Mask beyond = first ? outside : other;
    c.h.load(v, place);
    c.h.compare(IntCond::GreaterEqual, Element::B32, false, beyond, v,
                Operand::broadcast(site.level_member(size)));
    if (!first)
        c.h.mask_or(outside, outside, beyond);
}

/// The number of the sample in all pixels, if it is a constant.
std::optional<uint32_t> known_sample(const TextureSite& site) {
    if (!site.message.offset)
        return 0;
    return site.known_offset ? std::optional(*site.known_offset >> 16 & 0xFF) : std::nullopt;
}

/// A new temporary with the numbers of the samples in the pixels.
S32 sample_index(const TextureSite& site) {
    if (const auto sample = known_sample(site))
        return {site.c, static_cast<int32_t>(*sample)};
    return {site.c, s32(u32(site.fetch_operand()) >> 16 & 0xFF)};
}

/// outside = outside or there are no such samples.
void check_samples(const TextureSite& site, Mask outside) {
    EmitContext& c = site.c;
    const auto known = known_sample(site);
    if (known && *known < site.texture.samples)
        return;
    const Temp sample = sample_index(site);
    const TempMask beyond = c.scratch_mask();
    c.h.compare(IntCond::GreaterEqual, Element::B32, false, beyond, sample,
                c.pool(site.texture.samples));
    c.h.mask_or(outside, outside, beyond);
}

/// Converts the element of a pixel, or the share of an axis in it, to that of its first sample.
void spread_samples(const TextureSite& site, S32& element) {
    static_assert(exec::kLanes == 1U << 4);
    S32 in_tile(site.c);
    in_tile = element & (exec::kLanes - 1);
    element -= in_tile;
    if (std::has_single_bit(unsigned{site.texture.samples}))
        element <<= std::countr_zero(unsigned{site.texture.samples});
    else
        element *= site.texture.samples;
    element += in_tile;
}

/// Moves from the first sample of a pixel to the one that is wanted; lanes that are outside keep 0.
void add_sample(const TextureSite& site, S32& element, Mask outside) {
    const auto known = known_sample(site);
    if (known == 0U)
        return;
    S32 sample(site.c);
    if (known)
        sample = static_cast<int32_t>(*known << 4);
    else
        sample = sample_index(site) << 4;
    sample = unless(outside, sample);
    element += sample;
}

/// The words of the texel of lane 0 in all lanes.
TexelWords load_same_texel(const TextureSite& site, const S32& element) {
    HostAssembler& h = site.c.h;
    const Scalar at = site.c.scalar();
    h.extract_first(at, element);
    h.shift_left64(at, unit_shift(site));
    h.add64(at, site.at.texels);
    TexelWords texel;
    for (unsigned k = 0; k < word_count(site); ++k) {
        texel[k] = site.c.scratch();
        h.move(texel[k], Operand::broadcast({at, static_cast<int32_t>(4 * k)}));
    }
    return texel;
}

/// The words of texels.
TexelWords load_texel(const TextureSite& site, const S32& element) {
    if (site.c.step->same_operands)
        return load_same_texel(site, element);
    const unsigned count = word_count(site);
    if (fetches_texels(site, (1U << count) - 1))
        return fetch_texel(site, element);
    TexelWords texel;
    for (unsigned k = 0; k < count; ++k) {
        texel[k] = site.c.scratch();
        if (count == 1)
            fetch_near_word(site, texel[k], element);
        else
            fetch_word(site, texel[k], element, k);
    }
    return texel;
}

/// The share of one axis in the element number of a texel; -1 outside.
S32 axis_place(const TextureSite& site, unsigned axis) {
    EmitContext& c = site.c;
    const SharedValue& shared = c.message().axes[axis];
    if (shared.is_loaded())
        return {c, s32(site.shared_axis(axis, 0))};
    const TempMask outside = c.scratch_mask();
    check_size(site, outside, site.coordinate(axis),
               axis == 0 ? offsetof(TextureLevel, width) : offsetof(TextureLevel, height), true);
    S32 place(c, s32(site.coordinate(axis)));
    if (axis == 0)
        spread_x(place);
    else
        spread_y(site, place);
    if (has_samples(site))
        spread_samples(site, place);
    c.h.select(Element::B32, place, outside, c.pool(~0U), place);
    if (shared.is_made())
        c.h.store(site.shared_axis(axis, 0), place);
    return place;
}

/// Does place_texel() for axes that other messages share.
S32 place_by_axes(const TextureSite& site, Mask outside) {
    EmitContext& c = site.c;
    S32 element = axis_place(site, 0);
    {
        const S32 y = axis_place(site, 1);
        const S32 either(c, element | y);
        c.h.compare(IntCond::Less, Element::B32, true, outside, either, c.constant(0));
        element += y;
    }
    if (has_samples(site))
        check_samples(site, outside);
    element = unless(outside, element);
    if (has_samples(site))
        add_sample(site, element, outside);
    scale_element(site, element);
    return element;
}

/// The elements of texels of the current level; where there is none, 0 and outside.
S32 place_texel(const TextureSite& site, Mask outside) {
    EmitContext& c = site.c;
    const auto shares = [&](unsigned axis) {
        const SharedValue& shared = c.message().axes[axis];
        return shared.is_loaded() || shared.is_made();
    };
    if (shares(0) || shares(1))
        return place_by_axes(site, outside);
    check_size(site, outside, site.coordinate(0), offsetof(TextureLevel, width), true);
    if (site.axes > 1)
        check_size(site, outside, site.coordinate(1), offsetof(TextureLevel, height), false);
    if (site.has_slices)
        check_size(site, outside, site.slice(), offsetof(TextureLevel, depth), false);
    if (has_samples(site))
        check_samples(site, outside);
    S32 element(c, s32(site.coordinate(0)));
    element = unless(outside, element);
    if (site.texture.kind != exec::TextureKind::Buffer)
        spread_x(element);
    if (site.axes > 1) {
        S32 y(c, s32(site.coordinate(1)));
        y = unless(outside, y);
        spread_y(site, y);
        element += y;
    }
    if (has_samples(site)) {
        spread_samples(site, element);
        add_sample(site, element, outside);
    }
    scale_element(site, element);
    if (site.has_slices) {
        S32 slice(c, s32(site.slice()));
        slice = unless(outside, slice);
        element += slice * Operand::broadcast(slice_units());
    }
    return element;
}

/// The words of texels of the one level; 0 outside.
TexelWords fetch_only_level(const TextureSite& site) {
    EmitContext& c = site.c;
    enter_level(site, true);
    const TempMask outside = c.scratch_mask();
    TexelWords texel = load_texel(site, place_texel(site, outside));
    for (const Temp& word : texel)
        if (word.valid())
            c.h.clear_lanes(word, outside, word);
    return texel;
}

/// Stores the words of the current level's texels in its lanes.
void fetch_level(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const TempMask inside = c.scratch_mask();
    const TempMask outside = c.scratch_mask();
    const S32 element = place_texel(site, outside);
    h.mask_from_bits(inside, site.at.level_lanes);
    h.mask_and_not(inside, outside, inside);
    const TexelWords texel = load_texel(site, element);
    for (unsigned k = 0; k < word_count(site); ++k)
        h.store_masked(site.texel_word(k), inside, texel[k]);
}

/// Stores the words of texels of all levels; 0 outside.
void fetch_levels(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    Temp zero = c.constant(0);
    for (unsigned k = 0; k < word_count(site); ++k)
        h.store(site.texel_word(k), zero);
    zero.reset();
    visit_levels(site, [&] {
        const Label skip = h.new_label();
        Scalar count = c.scalar();
        h.load8(count, {site.at.texture, offsetof(TextureDescriptor, level_count)});
        h.compare64(site.at.level_number, count);
        count.reset();
        h.jump(Jump::AboveEqual, skip);
        enter_level(site, false);
        fetch_level(site);
        h.bind(skip);
    });
}

}  // namespace

bool reads_first_level(const TextureSite& site) {
    return !site.message.offset || (site.known_offset && *site.known_offset >> 24 == 0);
}

bool has_samples(const TextureState& site) {
    return site.texture.kind == exec::TextureKind::Tex2DMs ||
           site.texture.kind == exec::TextureKind::Tex2DMsArray;
}

bool shares_fetched_axes(const TextureState& state) {
    return state.coordinates == 2 && !state.has_slices;
}

bool fetch_is_expanded(const TextureState& site) {
    return channels_are_fields(*site.info) && site.info->block_bytes <= 16;
}

Sums fetch_texels(const TextureSite& site) {
    EmitContext& c = site.c;
    const bool one_level = reads_first_level(site);
    if (site.known_offset && one_level)
        apply_known_offsets(site);
    else if (site.message.offset)
        apply_offsets(site);
    if (site.has_slices)
        choose_fetch_slice(site);
    TexelWords texel;
    if (one_level)
        texel = fetch_only_level(site);
    else
        fetch_levels(site);
    Sums sums;
    for (unsigned channel = 0; channel < site.info->channel_count; ++channel) {
        if (!(site.channels_used >> channel & 1))
            continue;
        const ChannelField field = channel_field(*site.info, channel);
        Temp& word = texel[field.word];
        if (!word.valid()) {
            texel = {};  // channels come in the order of their words
            word = c.scratch();
            c.h.load(word, site.texel_word(field.word));
        }
        sums.channel[channel] = channel_value(c, *site.info, field, word);
    }
    return sums;
}

}  // namespace valkyr::jit
