// Texture messages as host code: what is expanded, and the order of its parts.
// SPDX-License-Identifier: MIT
#include "jit/inline_texture.hpp"

#include "jit/message.hpp"

#include <bit>
#include <cstddef>

namespace valkyr::jit {

using exec::Filter;
using exec::LodMode;
using exec::MipFilter;
using exec::Swizzle;
using exec::TextureDescriptor;
using exec::TextureKind;
using exec::TextureLevel;
using exec::TextureMessage;
using exec::TextureOp;

namespace {

constexpr uint32_t kSamplerTable = 3;
constexpr uint32_t kTextureTable = 4;
constexpr uint32_t kOne = 0x3F800000;

// ---------------------------------------------------------------------------------------------
// What is expanded

bool is_computed(LodMode mode) {
    return mode == LodMode::Computed || mode == LodMode::ComputedBias;
}
bool sends_lod(LodMode mode) {
    return mode == LodMode::Explicit || mode == LodMode::ComputedBias;
}

/// Takes the state of the two units from a key.
template <typename Key>
bool take_units(TextureSite& site, const Key* key) {
    const uint32_t texture = site.message.texture & 0xFFFFFF;
    const uint32_t sampler = site.message.sampler & 0xFFFFFF;
    if (key == nullptr || site.message.texture >> 24 != kTextureTable ||
        site.message.sampler >> 24 != kSamplerTable || texture >= key->texture_units ||
        sampler >= key->sampler_units)
        return false;
    site.texture = key->textures[texture];
    site.sampler = key->samplers[sampler];
    site.texture_offset = static_cast<int32_t>(texture * sizeof(TextureDescriptor));
    site.sampler_offset = static_cast<int32_t>(sampler * sizeof(exec::SamplerDescriptor));
    return true;
}

/// Messages whose operands this file understands.
bool is_plain_message(const TextureMessage& m) {
    const bool known_mode =
        m.lod_mode == LodMode::Zero || m.lod_mode == LodMode::Explicit || is_computed(m.lod_mode);
    return m.op == TextureOp::Sample && m.dimension <= 1 && !m.array && !m.offset &&
           !m.integer_coordinates && known_mode;
}

bool kind_fits(const TextureSite& site) {
    const TextureKind kind = site.texture.kind;
    return site.message.dimension == 0 ? kind == TextureKind::Tex1D
                                       : kind == TextureKind::Tex2D || kind == TextureKind::Rect;
}

bool state_is_expanded(const TextureSite& site) {
    const bool anisotropic = site.sampler.max_anisotropy > 1 && site.message.dimension == 1 &&
                             is_computed(site.message.lod_mode);
    if (anisotropic || !kind_fits(site) || site.kind == TexelKind::None)
        return false;
    if (site.message.half && site.kind == TexelKind::Numbers)
        return false;  // NaNs as 16-bit floats
    for (unsigned axis = 0; axis <= site.message.dimension; ++axis)
        if (!wraps_inline(site.wrap(axis)))
            return false;
    return true;
}

bool runs_fit(const EmitContext& c, const TextureMessage& m) {
    const auto results = static_cast<unsigned>(std::popcount(m.write_mask));
    const unsigned registers = m.half ? (results + 1) / 2 : results;
    return c.instr().staging[0].count == registers &&
           m.staging_count >=
               m.dimension + 1U + (m.shadow ? 1 : 0) + (sends_lod(m.lod_mode) ? 1 : 0);
}

void choose_filter(TextureSite& site) {
    const exec::SamplerKey& s = site.sampler;
    site.level_matters = s.mip_filter != MipFilter::None && !site.texture.single_level;
    site.blends_levels = site.level_matters && s.mip_filter == MipFilter::Linear;
    if (s.min_filter != s.mag_filter)
        site.filter = FilterChoice::ByLane;
    else
        site.filter = s.min_filter == Filter::Linear ? FilterChoice::Linear : FilterChoice::Nearest;
    for (unsigned k = 0; k < 4; ++k)
        if ((site.message.write_mask >> k & 1) && site.texture.swizzle[k] <= Swizzle::W)
            site.channels_used |= 1U << static_cast<unsigned>(site.texture.swizzle[k]);
    site.channels_used &= (1U << site.info->channel_count) - 1;
    if (site.kind == TexelKind::Shadow)
        site.channels_used = 1;
}

// ---------------------------------------------------------------------------------------------
// Operands and levels

void stage_operands(const TextureSite& site) {
    EmitContext& c = site.c;
    const valhall::Staging& run = c.instr().staging[1];
    const auto stage = [&](unsigned index, Address place) {
        const Vec v =
            c.regs.use(static_cast<Reg>((run.base + index) % exec::kRegisters), site.part);
        c.h.store(place, v);
        c.done_with(v);
    };
    unsigned count = site.message.dimension + 1U;
    for (unsigned axis = 0; axis < count; ++axis)
        stage(axis, site.coordinate(axis));
    if (site.message.shadow)
        stage(count++, site.reference());
    if (sends_lod(site.message.lod_mode) && needs_lod(site))
        stage(count, site.lod_operand());
}

void load_texture_base(const TextureSite& site) {
    HostAssembler& h = site.c.h;
    h.load64(kTextureBase, {Gp::Call, 0});
    h.load64(kTextureBase,
             {kTextureBase, static_cast<int32_t>(offsetof(exec::DrawContext, tables) +
                                                 offsetof(exec::ResourceTables, textures))});
    h.add64(kTextureBase, site.texture_offset);
}

/// kLevelBase and kTexels of a level of the view: number 0, or that in kLevelNumber.
void enter_level(const TextureSite& site, bool zero) {
    static_assert(sizeof(TextureLevel) == 32);
    HostAssembler& h = site.c.h;
    h.load16(kLevelBase, {kTextureBase, offsetof(TextureDescriptor, first_level)});
    h.and32(kLevelBase, 0xFF);
    if (!zero)
        h.add64(kLevelBase, kLevelNumber);
    h.shift_left64(kLevelBase, 5);
    h.add64(kLevelBase, kTextureBase);
    h.add64(kLevelBase, static_cast<int32_t>(offsetof(TextureDescriptor, levels)));
    h.load64(kTexels, level_member(offsetof(TextureLevel, data)));
}

/// Which lanes filter linearly, when that depends on the level of detail.
void choose_linear_lanes(const TextureSite& site, Vec lod) {
    EmitContext& c = site.c;
    const Vec zero = c.constant(0);
    const Mask linear = c.scratch_mask();
    const IntCond cond =
        site.sampler.mag_filter == Filter::Linear ? IntCond::LessEqual : IntCond::Greater;
    c.h.compare(cond, Element::B32, true, linear, lod, zero);
    c.h.mask_value(Element::B32, zero, linear, 0xFFFFFFFF);
    c.h.store(site.linear(), zero);
    c.release(linear);
    c.release(zero);
}

/// Level numbers and weights of all lanes; `lod` is used up.
void choose_levels(const TextureSite& site, Vec lod) {
    static_assert(offsetof(TextureDescriptor, level_count) % 4 == 3);
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Vec last = c.constant(0);
    if (!site.blends_levels)
        h.op(Binary::AddI32, lod, lod, c.pool(127));
    h.op(Binary::MaxS32, lod, lod, last);
    h.move(last, Operand::broadcast({kTextureBase, offsetof(TextureDescriptor, level_count) - 3}));
    h.op(ImmOp::Shr32, last, last, 24);
    h.op(ImmOp::Shl32, last, last, 8);
    h.op(Binary::AddI32, last, last, c.pool(static_cast<uint32_t>(-256)));
    h.op(Binary::MinS32, lod, lod, last);
    if (site.blends_levels) {
        h.op(Binary::And, last, lod, c.pool(0xFF));
        h.store(site.level_weight(), last);
    }
    h.op(ImmOp::Shr32, lod, lod, 8);
    h.store(site.level(), lod);
    c.release(last);
}

/// Also folds the coordinates, whose differences the level of detail needs first.
void choose_level_of_detail(const TextureSite& site) {
    EmitContext& c = site.c;
    if (needs_lod(site)) {
        enter_level(site, true);
        const Vec lod = fixed_lod(site, c.lanes_can_be_inactive());
        if (site.filter == FilterChoice::ByLane)
            choose_linear_lanes(site, lod);
        if (site.level_matters)
            choose_levels(site, lod);
        c.release(lod);
    }
    for (unsigned axis = 0; axis <= site.message.dimension; ++axis)
        fold_coordinate(site, axis);
    if (site.kind == TexelKind::Shadow)
        limit_reference(site);
}

// ---------------------------------------------------------------------------------------------
// One level after the other

template <typename F>
void each_channel(const Sums& sums, F f) {
    for (unsigned channel = 0; channel < 4; ++channel)
        if (sums.channel[channel].valid())
            f(channel, sums.channel[channel]);
}

/// kLevelNumber and kLevelLanes of the next level, whose lanes are no longer left.
void take_level(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Vec level = c.scratch();
    const Mask same = c.scratch_mask();
    h.lowest_bit(kTemporary, kLanesLeft);
    Address first = site.level();
    first.index = kTemporary;
    first.shift = 2;
    h.load32(kLevelNumber, first);
    h.store32(VALKYR_FRAME(spare), kLevelNumber);
    h.load(level, site.level());
    h.compare(IntCond::Equal, Element::B32, true, same, level,
              Operand::broadcast(VALKYR_FRAME(spare)));
    h.mask_bits(kLevelLanes, same);
    h.and_not32(kLanesLeft, kLevelLanes, kLanesLeft);
    c.release(same);
    c.release(level);
}

/// Stores the sums of the lanes in `lanes`.
void keep_sums(const TextureSite& site, const Sums& sums, Gp lanes) {
    EmitContext& c = site.c;
    const Mask mask = c.scratch_mask();
    c.h.mask_from_bits(mask, lanes);
    each_channel(sums, [&](unsigned channel, Vec v) {
        c.h.store_masked(site.sum(channel), mask, v);
        c.release(v);
    });
    c.release(mask);
}

/// a + weight / 256 * (b - a) with the sums of the next level, where the weight is not 0.
void blend_next_level(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const Label done = h.new_label();
    {
        const Vec weight = c.scratch();
        const Mask some = c.scratch_mask();
        h.load(weight, site.level_weight());
        h.test_nonzero(some, weight);
        h.mask_bits(kTemporary, some);
        c.release(some);
        c.release(weight);
    }
    h.and32(kLevelLanes, kTemporary);
    h.test32(kLevelLanes);
    h.jump(Jump::Equal, done);
    h.add64(kLevelNumber, 1);
    enter_level(site, false);
    const Sums next = sample_level(site, true);
    const Vec weight = c.scratch();
    const Vec first = c.scratch();
    h.load(weight, site.level_weight());
    h.op(Unary::S32ToF32, weight, weight);
    h.op(Binary::MulF32, weight, weight, c.pool(0x3B800000));  // 1/256
    each_channel(next, [&](unsigned channel, Vec v) {
        h.load(first, site.sum(channel));
        h.op(Binary::SubF32, v, v, first);
        h.fma(v, v, weight, first, false, false);
        if (site.kind == TexelKind::Numbers)
            quiet_numbers(site, v);
    });
    c.release(first);
    c.release(weight);
    keep_sums(site, next, kLevelLanes);
    h.bind(done);
}

Sums sample_levels(const TextureSite& site) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    if (!site.level_matters) {
        enter_level(site, true);
        return sample_level(site, false);
    }
    const Label next = h.new_label();
    if (c.lanes_can_be_inactive()) {
        h.move(kLanesLeft, Gp::Running);
        h.shift_right32(kLanesLeft, site.part * h.traits().lanes);
        h.and32(kLanesLeft, (1U << h.traits().lanes) - 1);
    } else {
        h.move(kLanesLeft, (uint64_t{1} << h.traits().lanes) - 1);
    }
    // A part without running lanes has nothing to take a level from.
    const Label end = h.new_label();
    if (c.lanes_can_be_inactive() && c.parts > 1) {
        h.test32(kLanesLeft);
        h.jump(Jump::Equal, end);
    }
    h.bind(next);
    take_level(site);
    enter_level(site, false);
    keep_sums(site, sample_level(site, site.blends_levels), kLevelLanes);
    if (site.blends_levels)
        blend_next_level(site);
    h.test32(kLanesLeft);
    h.jump(Jump::NotEqual, next);
    h.bind(end);
    Sums sums;
    sums.biased = site.kind == TexelKind::Bytes && !site.blends_levels &&
                  site.filter != FilterChoice::Nearest;
    for (unsigned channel = 0; channel < 4; ++channel)
        if (site.channels_used >> channel & 1) {
            sums.channel[channel] = c.scratch();
            h.load(sums.channel[channel], site.sum(channel));
        }
    return sums;
}

// ---------------------------------------------------------------------------------------------
// Results

/// A component of the result: a channel's register, or a new one with a constant.
Vec component(const TextureSite& site, const Sums& sums, unsigned k) {
    Swizzle s = site.texture.swizzle[k];
    if (site.kind == TexelKind::Shadow && s <= Swizzle::W)  // r, r, r, 1
        s = s == Swizzle::W ? Swizzle::One : Swizzle::X;
    if (s <= Swizzle::W) {
        const Vec v = sums.channel[static_cast<unsigned>(s)];
        return v.valid() ? v : site.c.constant(0);
    }
    return site.c.constant(s == Swizzle::One ? kOne : 0);
}

void write_results(const TextureSite& site, const Sums& sums) {
    EmitContext& c = site.c;
    const valhall::Staging& run = c.instr().staging[0];
    unsigned count = 0;
    Vec low;
    const auto define = [&](unsigned index, Vec v) {
        const auto r = static_cast<Reg>((run.base + index) % exec::kRegisters);
        c.regs.define(r, site.part, v);
        if (site.kind != TexelKind::Numbers)
            c.regs.set_quiet(r);
    };
    for (unsigned k = 0; k < 4; ++k) {
        if (!(site.message.write_mask >> k & 1))
            continue;
        const Vec v = component(site, sums, k);
        const unsigned index = count++;
        if (!site.message.half) {
            define(index, v);
            continue;
        }
        const Vec half = c.scratch();
        c.h.f32_to_f16(half, v, Rounding::Nearest);
        if (index % 2 == 1)
            c.pack_halves(half, low, half);
        low = half;
        if (index % 2 == 1 ||
            count == static_cast<unsigned>(std::popcount(site.message.write_mask)))
            define(index / 2, half);
    }
}

}  // namespace

bool expand_texture(EmitContext& c, const TextureMessage& message) {
    TextureSite site{.c = c, .message = message};
    const bool known =
        c.key.fragment ? take_units(site, c.key.fragment) : take_units(site, c.key.vertex);
    if (!c.inline_messages || !known || !is_plain_message(message) || !runs_fit(c, message))
        return false;
    site.info = &exec::format_info(site.texture.format);
    site.kind = texel_kind(*site.info, message.shadow && site.sampler.compare_enable);
    if (!state_is_expanded(site))
        return false;
    choose_filter(site);
    for (site.part = 0; site.part < c.parts; ++site.part) {
        stage_operands(site);
        make_room(c, kTextureTemporaries);
        load_texture_base(site);
        choose_level_of_detail(site);
        Sums sums = sample_levels(site);
        finish_sums(site, sums);
        write_results(site, sums);
        c.regs.end_part();
    }
    return true;
}

}  // namespace valkyr::jit
