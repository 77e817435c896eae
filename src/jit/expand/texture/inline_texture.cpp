// Inline textures: emits the parts of an expansion in order.
// SPDX-License-Identifier: MIT
#include "jit/expand/texture/inline_texture.hpp"

#include "base/check.hpp"
#include "base/float_bits.hpp"
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
// Operands and levels

/// The offset word where it is a constant; it comes behind coordinates, layer and reference.
std::optional<uint32_t> constant_offset(const EmitContext& c, const TextureState& state) {
    const TextureMessage& m = state.message;
    if (!m.offset)
        return std::nullopt;
    const unsigned index = state.coordinates + m.array + m.shadow;
    return c.regs.constant(staging_register(c, index, 1));
}

/// Stores the operands of the part where the expansion keeps them.
void stage_operands(const TextureSite& site) {
    EmitContext& c = site.c;
    const valhall::Staging& run = c.instr().staging[1];
    unsigned next = 0;
    const auto stage = [&](Address place) {
        const unsigned index = next++;
        Temp v;
        if (site.indexed) {  // the operands are staged for the routine already
            v = c.scratch();
            c.h.load(v, c.lanes_at(staged_array(VALKYR_FRAME(in), index), site.part));
        } else {
            v = c.regs.use(register_behind(run.base, index), site.part);
        }
        c.h.store(place, v);
        c.done_with(v);
    };
    for (unsigned axis = 0; axis < site.coordinates; ++axis) {
        if (c.message().loads_axis(axis))
            ++next;
        else
            stage(site.coordinate(axis));
    }
    if (site.message.array)
        stage(site.slice());
    if (site.message.shadow)
        stage(site.reference());
    if (site.message.op == TextureOp::Fetch && reads_first_level(site))
        next += site.message.offset;  // nothing reads a constant word
    else if (site.message.offset)
        stage(site.message.op == TextureOp::Fetch ? site.fetch_operand() : site.offset_word());
    if (sends_lod(site.message.lod_mode))
        stage(site.lod_operand());
}

void load_texture_base(const TextureSite& site) {
    HostAssembler& h = site.c.h;
    const Gp texture = site.at.texture;
    if (site.c.message().level.is_loaded() && !uses_footprints(site))
        return;
    if (site.indexed) {
        h.load64(texture, site.texture_pointer());
        return;
    }
    h.load64(texture, {Gp::Call, 0});
    h.load64(texture, {texture, static_cast<int32_t>(offsetof(exec::DrawContext, tables) +
                                                     offsetof(exec::ResourceTables, textures))});
    if (site.texture_offset != 0)
        h.add64(texture, site.texture_offset);
}

/// Chooses slices by layers and faces; those of 3D textures depend on the level.
void choose_slices(const TextureSite& site) {
    if (site.cube)
        unpack_face(site);
    if (!site.has_slices || site.coordinates == 3)
        return;
    F32 layer;
    if (site.message.array)
        layer = F32(site.c, f32(site.slice()));
    choose_slice(site, std::move(layer));
}

// ---------------------------------------------------------------------------------------------
// Results

/// A component of the result: borrows the channel's register, or is a new one with a constant.
Temp component(const TextureSite& site, const Sums& sums, unsigned k) {
    const ComponentSource source = component_source(site, k);
    const Vec v = source.channel ? Vec(sums.channel[*source.channel]) : Vec{};
    return v.valid() ? Temp(v) : site.c.constant(source.constant);
}

/// Converts v to a 16-bit result. Filters of steps give no NaN.
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

/// Calls f(index, value) for each register of the result.
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

/// Whether all components are numbers of at most 1, which have a sign for snorm formats only.
bool has_unit_results(const TextureSite& site) {
    if (site.message.half)
        return false;
    const exec::ChannelType type = site.info->type;
    return site.kind == TexelKind::Shadow ||
           ((type == exec::ChannelType::Unorm || type == exec::ChannelType::Snorm) &&
            !has_borders(site));
}

void write_result(const TextureSite& site, unsigned index, Vec v) {
    EmitContext& c = site.c;
    const bool unit = has_unit_results(site);
    const bool is_signed = site.info->type == exec::ChannelType::Snorm;
    const auto r = register_behind(c.instr().staging[0].base, index);
    c.regs.define(r, site.part, v);
    c.regs.set_facts(r, site.part,
                     {.number = unit ? FloatFacts::within(1, !is_signed) : FloatFacts{},
                      .quiet = unit || site.kind != TexelKind::Numbers});
}

void write_results(const TextureSite& site, const Sums& sums) {
    each_result(site, sums, [&](unsigned index, Vec v) { write_result(site, index, v); });
}

/// Whether the results of part 0 are those of all parts. A message that makes places of axes for
/// others makes those of each part.
bool repeats_results(const EmitContext& c) {
    const auto& axes = c.message().axes;
    return c.step->same_operands &&
           std::ranges::none_of(axes, [](const SharedValue& axis) { return axis.is_made(); });
}

void repeat_results(const TextureSite& site) {
    EmitContext& c = site.c;
    const auto components = static_cast<unsigned>(std::popcount(site.message.write_mask));
    const unsigned registers = site.message.half ? (components + 1) / 2 : components;
    for (unsigned index = 0; index < registers; ++index) {
        const Temp v = c.scratch();
        c.h.move(v, c.regs.use(register_behind(c.instr().staging[0].base, index), 0));
        write_result(site, index, v);
    }
}

/// Computes what the part is sampled by, up to the level of detail.
void prepare_part(const TextureSite& site) {
    load_texture_base(site);
    if (site.message.op == TextureOp::Fetch)
        return;
    choose_slices(site);
    prepare_border(site);
    choose_level_of_detail(site);
}

Sums sample_part(const TextureSite& site) {
    if (site.message.op == TextureOp::Fetch)
        return fetch_texels(site);
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

void expand_texture(EmitContext& c) {
    const auto state = known_texture(c, c.instr(), texture_message(c.instr(), c.message()));
    VALKYR_CHECK(state);
    const std::optional<uint32_t> offset = constant_offset(c, *state);
    const TextureScalars scalars = lease_scalars(c);
    const auto each_part = [&](auto emit) {
        for (unsigned part = 0; part < c.parts; ++part) {
            const TextureSite site(c, *state, offset, scalars, part);
            emit(site);
            c.regs.end_part();
        }
    };
    const auto prepare = [&](const TextureSite& site) {
        stage_operands(site);
        make_room(c, kTextureTemporaries);
        prepare_part(site);
    };
    const bool repeats = repeats_results(c);
    const bool all_first = !repeats && prepares_parts(c);
    if (all_first)
        each_part(prepare);
    each_part([&](const TextureSite& site) {
        if (repeats && site.part != 0)
            return repeat_results(site);
        if (all_first)
            make_room(c, kTextureTemporaries);
        else
            prepare(site);
        write_results(site, sample_part(site));
    });
}

// ---------------------------------------------------------------------------------------------
// Run-time handles

namespace {

/// Stores the results of the part in the arrays that the routine writes, too.
void store_results(const TextureSite& site, const Sums& sums) {
    EmitContext& c = site.c;
    each_result(site, sums, [&](unsigned index, Vec v) {
        c.h.store(c.lanes_at(staged_array(VALKYR_FRAME(out), index), site.part), v);
    });
}

/// The same of all parts. Scalars are leased here only, as end the leases: the routine destroys the
/// registers.
void store_parts(EmitContext& c, const TextureState& state, std::optional<uint32_t> offset) {
    const TextureScalars scalars = lease_scalars(c);
    for (unsigned part = 0; part < c.parts; ++part) {
        const TextureSite site(c, state, offset, scalars, part);
        make_room(c, kTextureTemporaries);
        stage_operands(site);
        prepare_part(site);
        store_results(site, sample_part(site));
        c.regs.end_part();
    }
}

}  // namespace

void expand_indexed_texture(EmitContext& c, Address place, const CallTextureRoutine& routine) {
    const auto known = indexed_texture(c, c.instr(), texture_message(c.instr(), c.message()));
    VALKYR_CHECK(known);
    const std::optional<uint32_t> offset = constant_offset(c, known->state);
    const Label other = c.h.new_label();
    const Label done = c.h.new_label();
    c.regs.before_call();
    find_descriptors(c, TexturePlaces(known->state), known->run, place, other);
    store_parts(c, known->state, offset);
    c.h.jump(done);
    c.h.bind(other);
    routine();
    c.h.bind(done);
    c.after_call();
    receive_run(c, c.instr().staging[0], VALKYR_FRAME(out));
}

}  // namespace valkyr::jit
