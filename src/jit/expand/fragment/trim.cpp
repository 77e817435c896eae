// Trimming: drops operands that no expansion reads, and moves that then have no reader.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/trim.hpp"

#include "exec/entry_registers.hpp"
#include "exec/specials.hpp"
#include "jit/expand/fragment/blend_choice.hpp"
#include "jit/expand/fragment/blend_color.hpp"
#include "jit/expand/fragment/inline_blend_constant.hpp"
#include "jit/expand/fragment/inline_depth.hpp"
#include "jit/expand/fragment/inline_position.hpp"

#include <algorithm>

namespace valkyr::jit {

using valhall::Instr;
using valhall::Op;
using valhall::Source;
using valhall::SourceKind;

namespace {

constexpr Reg kCoverage = exec::kCoverageRegister;

bool is_coverage(const Source& source) {
    return source.kind == SourceKind::Register && source.index == kCoverage;
}

/// A BLEND that asks for coverage in one operand only, and takes the live lanes instead.
bool blends_live_lanes(const KernelSource& source, const Instr& instr) {
    return instr.op == Op::BLEND && expands_blend(source, instr) && is_coverage(instr.src[1]) &&
           !RegSet::run(instr.staging[0].base, instr.staging[0].count).has(kCoverage);
}

/// Whether r60 is in every step what the kernel starts with, and only messages that know it by
/// other means ask for it.
bool keeps_entry_coverage(const KernelSource& source) {
    if (!expands_fragment(source) || source.key.fragment->samples != 1 ||
        source.key.fragment->per_sample)
        return false;
    return std::all_of(
        source.program.steps.begin(), source.program.steps.end(), [&](const Step& step) {
            return !(step.access.reads | step.access.writes).has(kCoverage) ||
                   blends_live_lanes(source, step.instr) || passes_coverage(source, step.instr);
        });
}

bool is_plain_move(const Instr& instr) {
    return instr.op == Op::MOV_I32 && instr.flow != valhall::Flow::end &&
           instr.src[0].kind != SourceKind::Register;
}

}  // namespace

bool passes_coverage(const KernelSource& source, const Instr& atest) {
    if (atest.op != Op::ATEST || !expands_depth_test(source) || tests_in_atest(source))
        return false;
    const exec::FragmentKey& key = *source.key.fragment;
    const Source& datum = atest.src[2];
    return key.alpha_func == exec::CompareFunc::Always && !key.alpha_to_coverage &&
           datum.kind == SourceKind::Special && datum.index == exec::kAtestDatum &&
           is_coverage(atest.src[0]) && atest.staging[0].base == kCoverage &&
           atest.staging[0].count == 1;
}

void trim_accesses(GuestProgram& program, const KernelSource& source) {
    program.entry_coverage = keeps_entry_coverage(source);
    for (Step& step : program.steps) {
        if (program.entry_coverage && passes_coverage(source, step.instr))
            step.access = {};
        if (step.instr.op != Op::BLEND || !expands_blend(source, step.instr))
            continue;
        if (program.entry_coverage)
            step.access.reads = step.access.reads - RegSet::one(kCoverage);
        const unsigned target = *blend_target(step.instr);
        const exec::BlendKey& key = source.key.fragment->blend[target];
        if (has_constant_color(source, target) && !key.reads_second_color())
            step.access.reads = step.access.reads - RegSet::run(step.instr.staging[0].base,
                                                                step.instr.staging[0].count);
    }
}

void mark_dead_moves(GuestProgram& program) {
    for (const Block& block : program.blocks) {
        RegSet live = block.live_out;
        for (uint32_t k = block.first + block.count; k-- > block.first;) {
            Step& step = program.steps[k];
            bool read = false;
            step.access.writes.each([&](Reg r) { read |= live.has(r); });
            step.dead = !read && is_plain_move(step.instr);
            live = (live - step.access.writes) | step.access.reads;
        }
    }
}

}  // namespace valkyr::jit
