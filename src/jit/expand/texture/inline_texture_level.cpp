// Mip levels: visits the levels that the lanes of a message need, one after the other.
// SPDX-License-Identifier: MIT
#include "jit/expand/texture/inline_texture.hpp"

#include <cstddef>

namespace valkyr::jit {

using exec::Filter;
using exec::TextureDescriptor;
using exec::TextureLevel;

void enter_level(const TextureSite& site, bool zero) {
    static_assert(sizeof(TextureLevel) == 48);
    HostAssembler& h = site.c.h;
    const SharedValue& shared = site.c.message().level;
    if (shared.is_loaded()) {
        h.load64(site.at.level, site.shared_level());
        h.load64(site.at.texels, site.level_member(offsetof(TextureLevel, data)));
        return;
    }
    h.load8(site.at.level, {site.at.texture, offsetof(TextureDescriptor, first_level)});
    if (!zero)
        h.add64(site.at.level, site.at.level_number);
    h.load_address(site.at.level, {site.at.level, 0, site.at.level, 1});  // thrice
    h.shift_left64(site.at.level, 4);
    h.add64(site.at.level, site.at.texture);
    h.add64(site.at.level, static_cast<int32_t>(offsetof(TextureDescriptor, levels)));
    if (site.has_slices) {
        // The low word is enough: all plain slices together have less than 2^33 bytes, so if there
        // are several, each has less than 2^32.
        const Scalar units = site.c.scalar();
        h.load32(units, site.level_member(offsetof(TextureLevel, slice_bytes)));
        if (const uint8_t shift = unit_shift(site); shift != 0)
            h.shift_right32(units, shift);
        h.store32(slice_units(), units);
    }
    h.load64(site.at.texels, site.level_member(offsetof(TextureLevel, data)));
    if (shared.is_made())
        h.store64(site.shared_level(), site.at.level);
}

namespace {

/// The running lanes of the part.
void running_bits(const TextureSite& site, Gp lanes) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const uint32_t all = (1U << h.traits().lanes) - 1;
    if (!c.lanes_can_be_inactive()) {
        h.move(lanes, uint64_t{all});
        return;
    }
    h.move(lanes, Gp::Running);
    h.shift_right32(lanes, site.part * h.traits().lanes);
    h.and32(lanes, all);
}

}  // namespace

void keep_running(const TextureSite& site, Gp lanes) {
    EmitContext& c = site.c;
    if (!c.lanes_can_be_inactive())
        return;
    if (site.part != 0)
        c.h.shift_left64(lanes, site.part * c.h.traits().lanes);
    c.h.and32(lanes, Gp::Running);
}

void jump_unless_all(const TextureSite& site, Mask mask, Gp bits, Label target) {
    HostAssembler& h = site.c.h;
    if (site.c.lanes_can_be_inactive()) {
        h.mask_not(mask, mask);
        h.mask_bits(bits, mask);
        keep_running(site, bits);
        h.test32(bits);
    } else {
        h.mask_bits(bits, mask);
        h.compare32(bits, (1U << h.traits().lanes) - 1);
    }
    h.jump(Jump::NotEqual, target);
}

namespace {

Address level_guess(const TextureSite& site) {
    const uint32_t message = site.c.step->word_index % kLevelGuesses;
    return VALKYR_FRAME(level_guess).plus(static_cast<int32_t>(message * sizeof(uint32_t)));
}

/// Takes the lanes of the level in the frame's guess from those left.
void take_lanes(const TextureSite& site) {
    EmitContext& c = site.c;
    const Temp level = c.scratch();
    const TempMask same = c.scratch_mask();
    c.h.load(level, site.level());
    c.h.compare(IntCond::Equal, Element::B32, true, same, level,
                Operand::broadcast(level_guess(site)));
    c.h.mask_bits(site.at.level_lanes, same);
    c.h.and_not32(site.at.lanes_left, site.at.level_lanes, site.at.lanes_left);
}

/// Takes the level of the warp before, and jumps to `taken` if it is that of all running lanes. The
/// processor predicts the jump, so that texels are loaded before the level of detail is known.
void guess_level(const TextureSite& site, Label taken) {
    HostAssembler& h = site.c.h;
    take_lanes(site);
    h.load32(site.at.level_number, level_guess(site));
    h.test32(site.at.lanes_left);
    h.jump(Jump::Equal, taken);
    running_bits(site, site.at.lanes_left);
}

/// Takes the level of the first lane that is left.
void take_level(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Scalar lane = c.scalar();
    h.lowest_bit(lane, site.at.lanes_left);
    Address first = site.level();
    first.index = lane;
    first.shift = 2;
    h.load32(site.at.level_number, first);
    h.store32(level_guess(site), site.at.level_number);
    take_lanes(site);
}

}  // namespace

void visit_levels(const TextureSite& site, const std::function<void()>& visit) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Label next = h.new_label();
    const Label taken = h.new_label();
    const Label end = h.new_label();
    running_bits(site, site.at.lanes_left);
    if (c.parts > 1 && c.lanes_can_be_inactive()) {  // a part without running lanes has no level
        h.test32(site.at.lanes_left);
        h.jump(Jump::Equal, end);
    }
    guess_level(site, taken);
    h.bind(next);
    take_level(site);
    h.bind(taken);
    visit();
    h.test32(site.at.lanes_left);
    h.jump(Jump::NotEqual, next);
    h.bind(end);
}

namespace {

/// Stores the lanes that filter linearly, when that depends on the level of detail.
void choose_linear_lanes(const TextureSite& site, Vec lod) {
    EmitContext& c = site.c;
    const Temp zero = c.constant(0);
    const TempMask linear = c.scratch_mask();
    const IntCond cond =
        site.sampler.mag_filter == Filter::Linear ? IntCond::LessEqual : IntCond::Greater;
    c.h.compare(cond, Element::B32, true, linear, lod, zero);
    c.h.mask_value(Element::B32, zero, linear, 0xFFFFFFFF);
    c.h.store(site.linear(), zero);
}

/// Level numbers and weights of all lanes; `lod` is overwritten.
void choose_levels(const TextureSite& site, S32& lod) {
    static_assert(offsetof(TextureDescriptor, level_count) % 4 == 3);
    EmitContext& c = site.c;
    const Operand level_count =
        Operand::broadcast({site.at.texture, offsetof(TextureDescriptor, level_count) - 3});
    S32 last(c, 0);
    if (!site.blends_levels)
        lod += 127;
    lod = max(lod, last);
    last = s32(u32(level_count) >> 24 << 8) + -256;
    lod = min(lod, last);
    if (site.blends_levels) {
        const S32 weight = lod & 0xFF;
        c.h.store(site.level_weight(), weight);
    }
    const U32 level = u32(lod) >> 8;
    c.h.store(site.level(), level);
}

template <typename F>
void each_channel(const Sums& sums, F f) {
    for (unsigned channel = 0; channel < 4; ++channel)
        if (sums.channel[channel].valid())
            f(channel, sums.channel[channel]);
}

/// Stores the sums of the lanes in `lanes`. It stores whole registers, because the host cannot
/// forward a masked store to a load.
void keep_sums(const TextureSite& site, const Sums& sums, Gp lanes) {
    EmitContext& c = site.c;
    const TempMask others = c.scratch_mask();
    c.h.mask_from_bits(others, lanes);
    c.h.mask_not(others, others);
    each_channel(sums, [&](unsigned channel, Vec v) {
        c.h.select(Element::B32, v, others, Operand::memory(site.sum(channel)), v);
        c.h.store(site.sum(channel), v);
    });
}

/// The filter's sums for the current level, over all probes.
Sums sample_filtered(const TextureSite& site, bool exact_sums) {
    return site.anisotropic ? sample_probes(site) : sample_level(site, exact_sums);
}

/// Stores which lanes blend two levels.
void keep_blended(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Temp weight = c.scratch();
    const TempMask some = c.scratch_mask();
    const Scalar blended = c.scalar();
    h.load(weight, site.level_weight());
    h.test_nonzero(some, weight);
    h.mask_bits(blended, some);
    h.store32(site.blended(), blended);
}

/// a + weight / 256 * (b - a) with the sums of the next level, where the weight is not 0.
void blend_next_level(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Label done = h.new_label();
    h.and32(site.at.level_lanes, site.blended());
    h.test32(site.at.level_lanes);
    h.jump(Jump::Equal, done);
    if (has_windows(site))
        h.store32(site.blended(), 0);
    h.add64(site.at.level_number, 1);
    enter_level(site, false);
    const Sums next = sample_filtered(site, true);
    F32 weight(c);
    F32 first(c);
    weight = to_f32(site.level_weight()) * (1.0F / 256);
    each_channel(next, [&](unsigned channel, Vec sum) {
        F32 v(c, sum);
        first = site.sum(channel);
        v = fma(v - first, weight, first);
        quiet_numbers(site, v);
    });
    first.reset();
    weight.reset();
    keep_sums(site, next, site.at.level_lanes);
    h.bind(done);
}

}  // namespace

void choose_level_of_detail(const TextureSite& site) {
    EmitContext& c = site.c;
    if (needs_lod(site)) {
        enter_level(site, true);
        S32 lod = fixed_lod(site, c.lanes_can_be_inactive());
        if (site.filter == FilterChoice::ByLane)
            choose_linear_lanes(site, lod);
        if (site.level_matters)
            choose_levels(site, lod);
    }
    for (unsigned axis = 0; axis < site.coordinates && !site.anisotropic; ++axis)
        fold_coordinate(site, axis);
    if (site.kind == TexelKind::Shadow)
        limit_reference(site);
}

Sums sample_levels(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    if (!site.level_matters) {
        enter_level(site, true);
        if (site.anisotropic)
            running_bits(site, site.at.level_lanes);
        return sample_filtered(site, false);
    }
    visit_levels(site, [&] {
        enter_level(site, false);
        if (site.blends_levels)
            keep_blended(site);
        keep_sums(site, sample_filtered(site, site.blends_levels), site.at.level_lanes);
        if (site.blends_levels)
            blend_next_level(site);
    });
    Sums sums;
    sums.biased = site.kind == TexelKind::Bytes && !site.blends_levels && !site.anisotropic &&
                  site.filter != FilterChoice::Nearest && site.coordinates < 3;
    for (unsigned channel = 0; channel < 4; ++channel)
        if (site.channels_used >> channel & 1) {
            sums.channel[channel] = c.scratch();
            h.load(sums.channel[channel], site.sum(channel));
        }
    return sums;
}

}  // namespace valkyr::jit
