// Planning: makes all decisions about a kernel that precede the emission of code.
// SPDX-License-Identifier: MIT
#include "jit/kernel/plan_kernel.hpp"

#include "exec/entry_registers.hpp"
#include "jit/expand/fragment/inline_position.hpp"
#include "jit/expand/texture/texture_state.hpp"
#include "jit/kernel/block_pairs.hpp"
#include "jit/kernel/loop_latency.hpp"
#include "jit/kernel/packed_tile.hpp"
#include "jit/kernel/straight.hpp"
#include "valhall/arith/arith_lanes.hpp"

#include <algorithm>

namespace valkyr::jit {

using valhall::Effect;
using valhall::Op;

namespace {

unsigned subgroup_of(const valhall::Instr& instr) {
    return valhall::arith::subgroup_lanes(instr.get<valhall::SubgroupSize>(valhall::Mod::subgroup));
}

/// Effects that other lanes of the warp can observe; in lockstep their order is lane order.
constexpr valhall::Effects kSharedEffects =
    Effect::atomic | Effect::image_store | Effect::tile_store | Effect::barrier;

/// Whether the warp cannot run in rounds, because lanes of different registers interact.
bool runs_whole(const GuestProgram& program, const HostTraits& traits) {
    bool loads = false;
    bool stores = false;
    bool shared = false;
    for (const Step& step : program.steps) {
        const valhall::Effects effects = valhall::op_info(step.instr.op).effects;
        if (effects.empty())
            continue;
        shared |= effects.any(kSharedEffects);
        shared |= effects.any(Effect::lanes) && subgroup_of(step.instr) > traits.lanes;
        loads |= effects.any(Effect::load);
        stores |= effects.any(Effect::store);
    }
    // Stores without loads may run in rounds if they go to vertex records, which do not overlap.
    // With loads, a lane could read another lane's store too early or too late, unless it only
    // reads records of other stages and thread-local storage.
    const exec::ProgramInfo& info = program.source->info;
    const bool apart = info.stage == exec::Stage::Geometry
                           ? !info.has_side_effects
                           : !loads && info.stage == exec::Stage::Vertex;
    return shared || (stores && !apart);
}

/// The code of a texture message, roughly: 1 for one level, 6 for one whose texels are looked up
/// channel by channel.
unsigned code_of_texture(const KernelSource& source, const Step& step, const HostTraits& traits) {
    const auto state = known_texture(source, step.instr, texture_message(step.instr, step.message));
    if (!state)
        return 1;
    const bool looks_up = state->info->srgb && !traits.permutes_tables;
    return (state->blends_levels ? 2 : 1) * (looks_up ? 6 : 1);
}

/// Whether two halves of a warp in step make texture messages faster: where one waits for a level
/// of detail or texels, the other goes on. More code than this does not fit into the caches of
/// instructions, which costs more.
bool textures_wait(const KernelSource& source, const HostTraits& traits) {
    constexpr unsigned most = 10;
    unsigned code = 0;
    for (const Step& step : source.program.steps)
        if (step.message.expansion == Expansion::Texture)
            code += code_of_texture(source, step, traits);
    return source.key.fragment != nullptr && code != 0 && code <= most;
}

/// Host registers a value. Two halves of a warp in step hide the latency of loops and textures,
/// even if values must be spilled.
unsigned parts_for(const KernelSource& source, const HostTraits& traits) {
    const GuestProgram& program = source.program;
    const unsigned most = exec::kLanes / traits.lanes;
    if (most == 1)
        return 1;
    const bool waits =
        most == 2 && (loops_wait(program) || line_waits(program) || textures_wait(source, traits));
    return waits || runs_whole(program, traits) ? most : 1;
}

/// The most guest registers that are live at once in a program of one block.
unsigned most_live(const GuestProgram& program) {
    RegSet live;
    unsigned most = 0;
    for (size_t k = program.steps.size(); k-- > 0;) {
        const Access& access = program.steps[k].access;
        live = (live - access.writes) | access.reads;
        most = std::max(most, (live | access.writes).size());
    }
    return most;
}

/// Host registers that can hold values over the whole loop of a call. Only programs with one basic
/// block and without calls have them.
unsigned invariant_registers(const KernelPlan& plan, const HostTraits& traits) {
    constexpr unsigned most = 12;
    constexpr unsigned wide_working_set = 14;
    constexpr unsigned narrow_working_set = 10;
    if (plan.parts != 1 || !plan.homes.in_registers.empty() || !is_straight(plan.program))
        return 0;
    // Where constants cost instructions, the values that stay are worth more than room.
    const bool wide = traits.vectors >= 24 && traits.folds_broadcast;
    const unsigned used = most_live(plan.program) + (wide ? wide_working_set : narrow_working_set);
    return traits.vectors > used ? std::min(traits.vectors - used, most) : 0;
}

/// Host registers that hold an image strip. Only programs with one basic block have them, because
/// others have homes in registers.
unsigned strip_registers(const KernelPlan& plan, const HostTraits& traits) {
    if (!traits.permutes_pairs || plan.parts != 1 || !plan.homes.in_registers.empty() ||
        plan.program.blocks.size() != 1 || plan.stage() == exec::Stage::Fragment)
        return 0;
    unsigned components = 0;
    for (const Step& step : plan.program.steps)
        if (step.message.strip == Strip::Begins)
            components = std::max<unsigned>(components, step.instr.staging[0].count);
    return components * kStripRows;
}

/// Longer programs have no second loop: the code would become too large.
constexpr size_t kMostQuadSteps = 400;

/// Whether a step of a fragment program may run with packed quads: if it reads or writes pixels,
/// or depends on the primitive or the place of the warp, then only in host code. Handles that are
/// computed may differ between primitives, but an indexed texture takes the one of the first lane.
bool packs_quads(const Step& step) {
    switch (step.message.expansion) {
    case Expansion::VaryingSpecial:
    case Expansion::Atest:
    case Expansion::AtestTests:
    case Expansion::ZsEmit:
    case Expansion::Texture: return true;
    default: return !may_call(step);
    }
}

/// The kind of calls with several primitives that the kernel takes. They exclude stencil tests,
/// because the faces of primitives, and so their stencil operations, may differ. With packed quads,
/// number and face of the primitive, which other code takes as equal in all lanes, cannot be read.
exec::Batching find_batching(const KernelPlan& plan, size_t most_block_steps) {
    const FragmentPlan& f = plan.fragment;
    const exec::FragmentKey* key = plan.key.fragment;
    if (!key || !f.inline_tests || !f.plain_coverage || f.needs.corner ||
        (f.early && !f.inline_early) || key->zs.stencil_test() || plan.program.starts_partial ||
        plan.pixel_blocks != 1)
        return exec::Batching::None;
    const size_t steps = plan.program.steps.size();
    if (steps <= most_block_steps && is_straight(plan.program))
        return exec::Batching::Blocks;
    const bool by_primitive = plan.entry_live.has(exec::kPrimitiveIdRegister) ||
                              plan.entry_live.has(exec::kPrimitiveFlagsRegister);
    const bool packs = steps <= kMostQuadSteps && plan.program.blocks.size() == 1 &&
                       !by_primitive && can_pack_pixels(*key) &&
                       std::ranges::all_of(plan.program.steps, packs_quads);
    return packs ? exec::Batching::Quads : exec::Batching::None;
}

FragmentPlan plan_fragment(const KernelPlan& plan) {
    const exec::FragmentKey* key = plan.key.fragment;
    FragmentPlan f;
    f.samples = key && key->samples > 1 ? key->samples : 1;
    f.needs = position_needs(plan);
    f.early = key && key->zs.early;
    f.inline_tests = expands_fragment(plan);
    f.inline_early = f.early && f.inline_tests;
    f.plain_coverage = f.samples == 1 && !(key && key->per_sample);
    f.locates_warp = f.early && !f.inline_early;
    return f;
}

bool is_strict(const KernelKey& key) {
    return (key.vertex && key.vertex->strict_nan) || (key.fragment && key.fragment->strict_nan) ||
           key.strict_nan;
}

}  // namespace

KernelPlan plan_kernel(const KernelSource& source,
                       const FlowFacts& facts,
                       const HostTraits& traits,
                       const RecompileOptions& options) {
    KernelPlan plan(source);
    plan.entry_live = facts.entry_live;
    const bool paired = shades_pairs(source, traits);
    plan.parts = paired ? kMaxBlocks : parts_for(source, traits);
    plan.rounds = std::max(1U, exec::kLanes / (traits.lanes * plan.parts));
    plan.pixel_blocks = std::max(1U, traits.lanes * plan.parts / exec::kLanes);
    if (source.cancellation.requested())
        return plan;
    plan.homes = assign_homes(source.program, traits, plan.parts);
    if (source.cancellation.requested())
        return plan;
    plan.strict_nan = is_strict(source.key);
    plan.strip_rows = strip_registers(plan, traits);
    const exec::Stage stage = source.stage();
    if (stage == exec::Stage::Fragment || stage == exec::Stage::Blend) {
        plan.fragment = plan_fragment(plan);
        if (!options.listing)
            plan.fragment.batching = find_batching(plan, options.most_block_steps);
        plan.invariants = invariant_registers(plan, traits);
    }
    return plan;
}

}  // namespace valkyr::jit
