// Inline LD_VAR*: expands interpolation.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/inline_varying.hpp"

#include "base/bits.hpp"
#include "exec/samples.hpp"
#include "jit/expand/fragment/inline_position.hpp"
#include "jit/expand/fragment/packed_quads.hpp"
#include "valhall/isa/messages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace valkyr::jit {

using exec::SampleMode;
using valhall::Mod;
using valhall::Op;

namespace {

constexpr uint32_t kBytesPerSlot = 16;
constexpr unsigned kMaxComponents = 4;

enum class SlotMode : uint8_t { Nothing, Flat, Linear, Perspective };

bool has_planes(const KernelSource& c) {
    return c.inline_messages && c.key.fragment && c.stage() == exec::Stage::Fragment;
}

/// How a slot is interpolated, as the environment's routine finds it at run time.
SlotMode slot_mode(const KernelSource& c, bool flat, uint32_t slot) {
    const exec::ProgramInfo& info = c.program.source->info;
    const exec::FragmentKey& key = *c.key.fragment;
    if (slot >= info.varying_slot_count || slot >= exec::kMaxVaryingSlots ||
        !(info.varyings[slot].written || (key.point_slots >> slot & 1) != 0))
        return SlotMode::Nothing;
    if (flat)
        return SlotMode::Flat;
    const bool linear = key.constant_w || (key.linear_slots >> slot & 1);
    return linear ? SlotMode::Linear : SlotMode::Perspective;
}

SlotMode component_mode(const KernelSource& c, const exec::VaryingMessage& m, unsigned index) {
    return slot_mode(c, m.flat, (m.offset + 4 * index) / kBytesPerSlot);
}

/// The place of a component of a message among the slots.
struct SlotComponent {
    uint32_t slot;
    unsigned component;
};
SlotComponent slot_component(const exec::VaryingMessage& m, unsigned index) {
    const uint32_t byte = m.offset + 4 * index;
    return {byte / kBytesPerSlot, byte % kBytesPerSlot / 4};
}

/// The plane of a component in memory.
PlaneWords component_plane(Gp slots, const SlotComponent& of) {
    const auto at = [&](size_t member) {
        return PlaneWord{{slots, static_cast<int32_t>(of.slot * sizeof(exec::SlotPlanes) + member +
                                                      size_t{4} * of.component)},
                         {}};
    };
    return {at(offsetof(exec::SlotPlanes, a)), at(offsetof(exec::SlotPlanes, cx)),
            at(offsetof(exec::SlotPlanes, cy))};
}

/// The plane of a component among rows.
PlaneWords component_plane(const SlotRows& rows, unsigned component) {
    const auto of = [&](Vec row) { return PlaneWord{{}, row, component}; };
    return {of(rows.a), of(rows.cx), of(rows.cy)};
}

bool reads_mode(const KernelSource& c, const exec::VaryingMessage& m, SlotMode mode) {
    for (unsigned i = 0; i < m.components; ++i)
        if (component_mode(c, m, i) == mode)
            return true;
    return false;
}

/// Whether a message evaluates at the centre. In single-sampled draws all do, except at explicit
/// offsets.
bool at_centre(const KernelSource& c, SampleMode mode) {
    return mode == SampleMode::Center || (mode != SampleMode::Explicit && !samples_spread(c));
}

/// A table of the samples' coordinates in pixels; sample k is at (k + shift) modulo 16.
Address sample_table(EmitContext& c, uint8_t exec::SamplePosition::*axis, unsigned shift) {
    const auto positions = exec::sample_positions(c.key.fragment->samples);
    std::array<uint32_t, exec::kMaxSamples> words;
    for (unsigned k = 0; k < words.size(); ++k)
        words[(k + shift) % words.size()] =
            as_bits(static_cast<float>(positions[k % positions.size()].*axis) / 16);
    return c.h.pool_words(words);
}

/// The positions of samples; the low four bits of `index` are sample number + shift.
Point numbered_sample(EmitContext& c, const LaneGroup& group, Vec index, unsigned shift) {
    F32 x(c);
    F32 y(c);
    c.h.table16(x, index, sample_table(c, &exec::SamplePosition::x, shift));
    c.h.table16(y, index, sample_table(c, &exec::SamplePosition::y, shift));
    return point_inside(group, std::move(x), std::move(y));
}

/// The lowest covered sample, or the centre if all samples or none are covered.
Point centroid_point(EmitContext& c, const LaneGroup& group, Vec position) {
    const uint32_t all = (1U << c.key.fragment->samples) - 1;
    U32 coverage(c, u32(position) & all);
    // The exponent of the lowest bit is its number + 127.
    const U32 index = u32(to_f32((0 - coverage) & coverage)) >> 23;
    Point at = numbered_sample(c, group, index, 127);
    LaneMask centre(c);
    coverage += -1;
    centre = coverage >= all - 1;
    at.dx = select(centre, group.of(VALKYR_FRAME(centre_dx)), at.dx);
    at.dy = select(centre, group.of(VALKYR_FRAME(centre_dy)), at.dy);
    return at;
}

/// The point at an explicit offset: two signed 8.8 numbers, in pixels from the corner.
Point explicit_point(EmitContext& c, const LaneGroup& group, Vec position) {
    constexpr float unit = 1.0F / 256;
    F32 x(c, to_f32(s32(position) << 16 >> 16) * unit);
    F32 y(c, to_f32(s32(position) >> 16) * unit);
    return point_inside(group, std::move(x), std::move(y));
}

/// The point at which a message of this mode evaluates. Its first source is the position operand.
Point evaluation_point(EmitContext& c, const LaneGroup& group, SampleMode mode) {
    if (at_centre(c, mode))
        return centre_point(c, group);
    Temp position = c.word(0);
    Point at;
    if (mode == SampleMode::Explicit) {
        at = explicit_point(c, group, position);
    } else if (mode == SampleMode::Centroid) {
        at = centroid_point(c, group, position);
    } else {
        const U32 sample(c, u32(position) >> 16);
        at = numbered_sample(c, group, sample, 0);
    }
    c.done_with(position);
    return at;
}

/// Evaluates the components of one message for one part.
class VaryingLoad {
public:
    VaryingLoad(EmitContext& context, const LaneGroup& group, const exec::VaryingMessage& message)
        : c(context)
        , group_(group)
        , message_(message) {
        const bool perspective = reads_mode(c, message, SlotMode::Perspective);
        if (perspective || reads_mode(c, message, SlotMode::Linear))
            at_ = evaluation_point(c, group, message.sample);
        if (perspective)
            reciprocal_q();
    }

    /// A temporary with the value of a component.
    /// slots  the primitive's, unless quads are packed
    Temp component(Gp slots, unsigned index) {
        const SlotMode mode = component_mode(c, message_, index);
        if (mode == SlotMode::Nothing)
            return c.constant(0);
        const PlaneWords plane = find_plane(slots, index, mode);
        Temp v = c.scratch();
        if (mode == SlotMode::Flat) {
            load_word(c, v, plane.a);
            return v;
        }
        if (mode == SlotMode::Linear)
            linear_value(c, v, plane, at_);
        else
            perspective_value(c, v, plane, at_, reciprocal_q_);
        c.canonicalise(v);
        return v;
    }

private:
    PlaneWords find_plane(Gp slots, unsigned index, SlotMode mode) {
        const SlotComponent of = slot_component(message_, index);
        if (!c.packs_quads())
            return component_plane(slots, of);
        if (!rows_.a.valid() || rows_slot_ != of.slot) {
            rows_ = slot_rows(c, group_, of.slot, mode == SlotMode::Flat);
            rows_slot_ = of.slot;
        }
        return component_plane(rows_, of.component);
    }

    void reciprocal_q() {
        reciprocal_q_ = c.scratch();
        if (at_centre(c, message_.sample))
            c.h.load(reciprocal_q_, group_.of(VALKYR_FRAME(reciprocal_q)));
        else
            reciprocal_q_at(c, group_, reciprocal_q_, at_);
    }

    EmitContext& c;
    const LaneGroup& group_;
    const exec::VaryingMessage& message_;
    Point at_;
    Temp reciprocal_q_;
    SlotRows rows_;  ///< of packed quads: those of the slot
    uint32_t rows_slot_ = 0;
};

/// The planes of the primitive that LD_VAR_SPECIAL reads, by its index.
struct SpecialPlanes {
    unsigned count = 0;
    std::array<size_t, 2> planes{};
};
SpecialPlanes special_planes(int64_t index) {
    switch (index) {
    case 0:
        return {2,
                {offsetof(exec::PrimitiveSetup, point_s), offsetof(exec::PrimitiveSetup, point_t)}};
    case 2: return {1, {offsetof(exec::PrimitiveSetup, q)}};
    case 3: return {1, {offsetof(exec::PrimitiveSetup, z)}};
    default: return {};
    }
}

void add_point_needs(const KernelSource& c, SampleMode mode, PositionNeeds& needs) {
    needs.centre |= at_centre(c, mode) || mode == SampleMode::Centroid;
    needs.corner |= !at_centre(c, mode);
}

}  // namespace

std::optional<exec::VaryingMessage> known_varying(const valhall::Instr& instr,
                                                  std::optional<uint32_t> offset) {
    if (!valhall::reads_indexed_varying(instr.op))
        return valhall::immediate_varying(instr);
    return offset ? std::optional(valhall::buffer_varying(instr, *offset)) : std::nullopt;
}

MessageChoice choose_varying(const MessageSource& m) {
    const bool indexed = valhall::reads_indexed_varying(m.instr().op);
    MessageChoice choice{Expansion::Routine, indexed ? m.known_word(1) : std::nullopt};
    const auto message = known_varying(m.instr(), choice.known);
    if (has_planes(m) && message && !message->half && !message->source_half &&
        m.instr().staging[0].count == std::min<unsigned>(message->components, kMaxComponents))
        choice.expansion = Expansion::Varying;
    return choice;
}

MessageChoice choose_varying_special(const MessageSource& m) {
    const unsigned planes = special_planes(m.instr().imm[0]).count;
    const bool fits = m.instr().staging[0].count == std::max(planes, 1U);
    return {has_planes(m) && fits ? Expansion::VaryingSpecial : Expansion::Routine};
}

void add_varying_needs(const KernelSource& c, const Step& step, PositionNeeds& needs) {
    if (step.message.expansion == Expansion::VaryingSpecial)
        add_point_needs(c, step.instr.get<SampleMode>(Mod::sample), needs);
    if (step.message.expansion != Expansion::Varying)
        return;
    const exec::VaryingMessage message = *known_varying(step.instr, step.message.known);
    add_point_needs(c, message.sample, needs);
    needs.reciprocal_q |=
        at_centre(c, message.sample) && reads_mode(c, message, SlotMode::Perspective);
}

bool reads_position(const KernelSource& c, const Step& step) {
    if (step.message.expansion == Expansion::VaryingSpecial)
        return special_planes(step.instr.imm[0]).count != 0 &&
               !at_centre(c, step.instr.get<SampleMode>(Mod::sample));
    const exec::VaryingMessage message = *known_varying(step.instr, step.message.known);
    return !at_centre(c, message.sample) && (reads_mode(c, message, SlotMode::Perspective) ||
                                             reads_mode(c, message, SlotMode::Linear));
}

void expand_varying(EmitContext& c) {
    const exec::VaryingMessage message = *known_varying(c.instr(), c.message().known);
    const unsigned count = c.instr().staging[0].count;
    Scalar slots;
    if (!c.packs_quads())
        slots = c.load64({Gp::Primitive, offsetof(exec::PrimitiveSetup, slots)});
    expand_parts(c, [&] {
        const LaneGroup group = group_of_part(c, c.part);
        VaryingLoad load(c, group, message);
        for (unsigned i = 0; i < count; ++i) {
            const auto r = staging_register(c, i);
            c.regs.define(r, c.part, load.component(slots, i));
            c.regs.set_facts(r, c.part, {.quiet = !message.flat});
        }
    });
}

void expand_varying_special(EmitContext& c) {
    const SpecialPlanes special = special_planes(c.instr().imm[0]);
    expand_parts(c, [&] {
        if (special.count == 0)
            c.regs.define(staging_register(c, 0), c.part, c.constant(0));
        else {
            const LaneGroup group = group_of_part(c, c.part);
            const Point at = evaluation_point(c, group, c.instr().get<SampleMode>(Mod::sample));
            for (unsigned i = 0; i < special.count; ++i) {
                const Temp v = c.scratch();
                const PrimitivePlane plane(c, group, special.planes[i]);
                linear_value(c, v, plane.words(), at);
                c.canonicalise(v);
                c.regs.define(staging_register(c, i), c.part, v);
            }
        }
    });
}

}  // namespace valkyr::jit
