// Inline textures: decides which messages are expanded and orders the parts.
// SPDX-License-Identifier: MIT
#include "jit/expand/texture/inline_texture.hpp"

#include "base/float_bits.hpp"
#include "exec/handle.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/format/channel_decode.hpp"
#include "jit/expand/format/channel_encode.hpp"

#include <algorithm>
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

using float_bits::kOne;

// ---------------------------------------------------------------------------------------------
// Messages that are expanded

bool is_computed(LodMode mode) {
    return mode == LodMode::Computed || mode == LodMode::ComputedBias;
}
bool sends_lod(LodMode mode) {
    return mode == LodMode::Explicit || mode == LodMode::ComputedBias;
}

/// Messages whose operands this file understands.
bool is_plain_message(const TextureMessage& m) {
    const bool known_mode =
        m.lod_mode == LodMode::Zero || m.lod_mode == LodMode::Explicit || is_computed(m.lod_mode);
    return (m.op == TextureOp::Sample || m.op == TextureOp::Gather) && !m.integer_coordinates &&
           known_mode;
}

/// Fills in the coordinates of the message and the slices that they select from.
void choose_shape(TextureSite& site) {
    const TextureKind kind = site.texture.kind;
    constexpr std::array<unsigned, 4> coordinates = {1, 2, 3, 2};
    constexpr unsigned cube_dimension = 3;
    site.cube = site.message.dimension == cube_dimension;
    site.coordinates = coordinates[site.message.dimension & 3];
    site.axes = std::min(site.coordinates, 2U);
    const bool one_slice = kind == TextureKind::Tex1D || kind == TextureKind::Tex2D ||
                           kind == TextureKind::Rect || kind == TextureKind::Buffer;
    site.has_slices = !one_slice;
    site.anisotropic = site.sampler.max_anisotropy > 1 && site.coordinates == 2 && !site.cube &&
                       is_computed(site.message.lod_mode) && !has_integer_values(*site.info);
    site.leaves_faces =
        site.cube && site.sampler.seamless_cube && site.filter != FilterChoice::Nearest;
}

bool kind_fits(const TextureSite& site) {
    switch (site.texture.kind) {
    case TextureKind::Tex1D:
    case TextureKind::Tex1DArray: return site.message.dimension == 0;
    case TextureKind::Tex2D:
    case TextureKind::Rect:
    case TextureKind::Tex2DArray: return site.message.dimension == 1;
    case TextureKind::Tex3D: return site.message.dimension == 2 && !site.message.array;
    case TextureKind::Cube:
    case TextureKind::CubeArray: return site.cube;
    default: return false;
    }
}

bool state_is_expanded(const TextureSite& site) {
    if (!kind_fits(site) || !site.texture.plain_slices || site.kind == TexelKind::None)
        return false;
    return !site.gathers || site.coordinates == 2;
}

bool runs_fit(const TextureSite& site) {
    const TextureMessage& m = site.message;
    const auto results = static_cast<unsigned>(std::popcount(m.write_mask));
    const unsigned registers = m.half ? (results + 1) / 2 : results;
    const unsigned operands =
        site.coordinates + m.array + m.shadow + m.offset + (sends_lod(m.lod_mode) ? 1 : 0);
    return site.c.instr().staging[0].count == registers && m.staging_count >= operands;
}

void choose_filter(TextureSite& site) {
    const exec::SamplerKey& s = site.sampler;
    const bool filters = !has_integer_values(*site.info);
    site.level_matters =
        s.mip_filter != MipFilter::None && !site.texture.single_level && !site.gathers;
    site.blends_levels = site.level_matters && s.mip_filter == MipFilter::Linear && filters;
    if (site.gathers)
        site.filter = FilterChoice::Linear;
    else if (!filters)
        site.filter = FilterChoice::Nearest;
    else if (s.min_filter != s.mag_filter)
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

/// Finds the offset word where it is a constant; it comes behind coordinates, layer and reference.
void find_offset(TextureSite& site) {
    const TextureMessage& m = site.message;
    if (!m.offset || m.op == TextureOp::Fetch)
        return;
    const unsigned index = site.coordinates + m.array + m.shadow;
    const unsigned base = site.c.instr().staging[1].base;
    site.known_offset = site.c.regs.constant(static_cast<Reg>((base + index) % exec::kRegisters));
}

/// Puts the operands of the part where the expansion keeps them.
void stage_operands(const TextureSite& site) {
    EmitContext& c = site.c;
    const valhall::Staging& run = c.instr().staging[1];
    unsigned next = 0;
    const auto stage = [&](Address place) {
        const unsigned index = next++;
        Temp v;
        if (site.indexed) {  // registers were saved for the routine
            v = c.scratch();
            c.h.load(v, c.lanes_at(staged_array(VALKYR_FRAME(in), index), site.part));
        } else {
            v = c.regs.use(static_cast<Reg>((run.base + index) % exec::kRegisters), site.part);
        }
        c.h.store(place, v);
        c.done_with(v);
    };
    for (unsigned axis = 0; axis < site.coordinates; ++axis)
        stage(site.coordinate(axis));
    if (site.message.array)
        stage(site.slice());
    if (site.message.shadow)
        stage(site.reference());
    if (site.message.offset)
        stage(site.message.op == TextureOp::Fetch ? site.lod_operand() : site.offset_word());
    if (sends_lod(site.message.lod_mode))
        stage(site.lod_operand());
}

void load_texture_base(const TextureSite& site) {
    HostAssembler& h = site.c.h;
    const Gp texture = site.at.texture;
    if (site.indexed) {
        h.load64(texture, site.texture_pointer());
        return;
    }
    h.load64(texture, {Gp::Call, 0});
    h.load64(texture, {texture, static_cast<int32_t>(offsetof(exec::DrawContext, tables) +
                                                     offsetof(exec::ResourceTables, textures))});
    h.add64(texture, site.texture_offset);
}

/// Slices of layers and faces; those of 3D textures depend on the level.
void choose_slices(const TextureSite& site) {
    EmitContext& c = site.c;
    if (site.cube)
        unpack_face(site);
    if (!site.has_slices || site.coordinates == 3)
        return;
    Temp layer;
    if (site.message.array) {
        layer = c.scratch();
        c.h.load(layer, site.slice());
    }
    choose_slice(site, layer);
}

// ---------------------------------------------------------------------------------------------
// Results

/// A component of the result: a channel's register, which stays the channel's, or a new one with a
/// constant.
Temp component(const TextureSite& site, const Sums& sums, unsigned k) {
    const ComponentSource source = component_source(site, k);
    const Vec v = source.channel ? Vec(sums.channel[*source.channel]) : Vec{};
    return v.valid() ? Temp(v) : site.c.constant(source.constant);
}

/// v as a 16-bit result. What filters of steps give is no NaN.
void narrow(const TextureSite& site, Vec v) {
    constexpr uint8_t as_format = 1;
    constexpr uint8_t as_signed = 3;
    const uint8_t type = site.message.register_type;
    const bool is_signed =
        type == as_format ? site.info->type == exec::ChannelType::Sint : type == as_signed;
    if (site.kind == TexelKind::Numbers)
        narrow_component(site.c, *site.info, is_signed, v);
    else
        site.c.h.f32_to_f16(v, v, Rounding::Nearest);
}

/// Calls f(index, register) with the values of the result's registers.
template <typename F>
void each_result(const TextureSite& site, const Sums& sums, F f) {
    EmitContext& c = site.c;
    const auto results = static_cast<unsigned>(std::popcount(site.message.write_mask));
    unsigned count = 0;
    Temp low;
    for (unsigned k = 0; k < 4; ++k) {
        if (!(site.message.write_mask >> k & 1))
            continue;
        const Temp v = site.gathers ? Temp(Vec(sums.channel[k])) : component(site, sums, k);
        const unsigned index = count++;
        if (!site.message.half) {
            f(index, v);
            continue;
        }
        Temp half = c.scratch();
        c.h.move(half, v);
        narrow(site, half);
        if (index % 2 == 1)
            c.pack_halves(half, low, half);
        if (index % 2 == 1 || count == results)
            f(index / 2, half);
        low = std::move(half);
    }
}

void write_results(const TextureSite& site, const Sums& sums) {
    EmitContext& c = site.c;
    const valhall::Staging& run = c.instr().staging[0];
    each_result(site, sums, [&](unsigned index, Vec v) {
        const auto r = static_cast<Reg>((run.base + index) % exec::kRegisters);
        c.regs.define(r, site.part, v);
        if (site.kind != TexelKind::Numbers)
            c.regs.set_quiet(r, site.part);
    });
}

Sums sample_part(const TextureSite& site) {
    load_texture_base(site);
    choose_slices(site);
    prepare_border(site);
    choose_level_of_detail(site);
    if (site.gathers) {
        enter_level(site, true);
        return gather_texels(site);
    }
    Sums sums = sample_levels(site);
    finish_sums(site, sums);
    if (site.anisotropic)
        finish_probes(site, sums);
    return sums;
}

}  // namespace

ComponentSource component_source(const TextureSite& site, unsigned component) {
    Swizzle s = site.texture.swizzle[component];
    if (site.kind == TexelKind::Shadow && s <= Swizzle::W)  // r, r, r, 1
        s = s == Swizzle::W ? Swizzle::One : Swizzle::X;
    const auto channel = static_cast<unsigned>(s);
    if (channel < site.info->channel_count)
        return {channel, 0};
    const uint32_t one = has_integer_values(*site.info) ? 1 : kOne;
    return {std::nullopt, s == Swizzle::One ? one : 0};
}

Scalar load_samplers(const TextureSite& site) {
    if (site.indexed)
        return site.c.load64(site.sampler_pointer());
    Scalar table = site.c.load64({Gp::Call, 0});
    site.c.h.load64(table, {table, static_cast<int32_t>(offsetof(exec::DrawContext, tables) +
                                                        offsetof(exec::ResourceTables, samplers))});
    return table;
}

namespace {

bool fetch_fits(const TextureSite& site) {
    const bool cube_layers =
        site.message.dimension == 1 &&
        (site.texture.kind == TextureKind::Cube || site.texture.kind == TextureKind::CubeArray);
    const bool buffer = site.texture.kind == TextureKind::Buffer && site.message.dimension == 0 &&
                        !site.message.array;
    const bool samples = has_samples(site) && site.message.dimension == 1;
    return !site.cube && !site.message.shadow && site.texture.plain_slices &&
           (kind_fits(site) || cube_layers || buffer || samples) && fetch_is_expanded(site) &&
           runs_fit(site);
}

/// Decides about the message with the state of its units; false: it is not expanded.
bool prepare(TextureSite& site) {
    const TextureMessage& message = site.message;
    const bool fetches = message.op == TextureOp::Fetch;
    if (!fetches && !is_plain_message(message))
        return false;
    site.info = &exec::format_info(site.texture.format);
    site.gathers = message.op == TextureOp::Gather;
    if (site.gathers || fetches)
        site.message.lod_mode = LodMode::Zero;
    site.kind = fetches ? TexelKind::Numbers
                        : texel_kind(*site.info, message.shadow && site.sampler.compare_enable,
                                     site.gathers);
    choose_filter(site);
    choose_shape(site);
    return fetches ? fetch_fits(site) : state_is_expanded(site) && runs_fit(site);
}

Sums part_sums(const TextureSite& site) {
    if (site.message.op != TextureOp::Fetch)
        return sample_part(site);
    load_texture_base(site);
    return fetch_texels(site);
}

}  // namespace

bool expand_texture(EmitContext& c, const TextureMessage& message) {
    if (!c.inline_messages)
        return false;
    TextureSite site{.c = c, .message = message};
    if (!take_units(site) || !prepare(site))
        return false;
    find_offset(site);
    for (site.part = 0; site.part < c.parts; ++site.part) {
        stage_operands(site);
        make_room(c, kTextureTemporaries);
        write_results(site, part_sums(site));
        c.regs.end_part();
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Handles of run time

namespace {

/// The results of the part into the arrays that the routine writes.
void store_results(const TextureSite& site, const Sums& sums) {
    EmitContext& c = site.c;
    each_result(site, sums, [&](unsigned index, Vec v) {
        c.h.store(c.lanes_at(staged_array(VALKYR_FRAME(out), index), site.part), v);
    });
}

}  // namespace

bool expand_indexed_texture(EmitContext& c,
                            const TextureMessage& message,
                            Address place,
                            const CallTextureRoutine& routine) {
    if (!c.inline_messages)
        return false;
    TextureSite site{.c = c, .message = message};
    const UnitRun run = take_run(site);
    if (run.count == 0 || !prepare(site))
        return false;
    find_offset(site);
    site.at = {};
    const Label other = c.h.new_label();
    const Label done = c.h.new_label();
    c.regs.before_call();
    find_descriptors(site, run, place, other);
    site.at = lease_scalars(c);
    for (site.part = 0; site.part < c.parts; ++site.part) {
        make_room(c, kTextureTemporaries);
        stage_operands(site);
        store_results(site, part_sums(site));
        c.regs.end_part();
    }
    site.at = {};  // the routine destroys them
    c.h.jump(done);
    c.h.bind(other);
    routine();
    c.h.bind(done);
    c.after_call();
    receive_run(c, c.instr().staging[0], VALKYR_FRAME(out));
    return true;
}

}  // namespace valkyr::jit
