// Trimming: drops operands that no expansion reads, and moves that then have no reader.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/trim.hpp"

#include "exec/entry_registers.hpp"
#include "jit/expand/fragment/blend_color.hpp"
#include "jit/expand/fragment/inline_position.hpp"
#include "jit/expand/fragment/inline_varying.hpp"

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

bool is_inline_blend(const Step& step) {
    return step.instr.op == Op::BLEND && step.message.expansion != Expansion::Routine;
}

/// Whether a step is a BLEND that reads coverage in one operand only and can take the live lanes
/// instead.
bool blends_live_lanes(const Step& step) {
    return is_inline_blend(step) && is_coverage(step.instr.src[1]) &&
           !RegSet::run(step.instr.staging[0].base, step.instr.staging[0].count).has(kCoverage);
}

bool passes_coverage(const Step& step) {
    return step.message.expansion == Expansion::AtestPass;
}

/// Whether no step changes r60, and only messages read it that can take its value from elsewhere.
bool keeps_entry_coverage(const KernelSource& source) {
    if (!expands_fragment(source) || source.key.fragment->samples != 1 ||
        source.key.fragment->per_sample)
        return false;
    return std::ranges::all_of(source.program.steps, [](const Step& step) {
        return !(step.access.reads | step.access.writes).has(kCoverage) ||
               blends_live_lanes(step) || passes_coverage(step);
    });
}

bool is_inline_varying(const Step& step) {
    return step.message.expansion == Expansion::Varying ||
           step.message.expansion == Expansion::VaryingSpecial;
}

/// Whether a step does nothing if no step reads its result: moves of constants and uniforms, what
/// the lane operands of CLPERs are made with, and addresses of records.
bool makes_plain_word(const Instr& instr) {
    if (instr.flow == valhall::Flow::end)
        return false;
    switch (instr.op) {
    case Op::MOV_I32: return instr.src[0].kind != SourceKind::Register;
    case Op::IADD_U32:
    case Op::LSHIFT_AND_I32:
    case Op::IADD_IMM_I32:
    case Op::IMUL_I32:
    case Op::LSHIFT_OR_I32:
    case Op::LEA_BUF_IMM: return true;
    default: return false;
    }
}

/// CLPER with known lanes does not read its lane operand.
void trim_lanes(Step& step) {
    const Source& data = step.instr.src[0];
    step.access.reads = data.kind == SourceKind::Register ? RegSet::one(data.index) : RegSet{};
}

/// Records of a geometry program whose place is known are found without their address.
void trim_record_address(Step& step) {
    const valhall::Staging& data = step.instr.staging[0];
    if (step.message.expansion == Expansion::InputRow)
        step.access.reads = {};
    else if (step.message.expansion == Expansion::EmittedRow ||
             step.message.expansion == Expansion::EmittedElement)
        step.access.reads = RegSet::run(data.base, data.count);
}

}  // namespace

void trim_accesses(GuestProgram& program, const KernelSource& source) {
    for (Step& step : program.steps) {
        if (is_inline_varying(step) && !reads_position(source, step))
            step.access.reads = {};
        if (step.quad_lanes)
            trim_lanes(step);
        trim_record_address(step);
    }
    program.entry_coverage = keeps_entry_coverage(source);
    for (Step& step : program.steps) {
        if (program.entry_coverage && passes_coverage(step))
            step.access = {};
        if (!is_inline_blend(step))
            continue;
        if (program.entry_coverage)
            step.access.reads = step.access.reads - RegSet::one(kCoverage);
        const exec::BlendKey& key = source.key.fragment->blend[*blend_target(step.instr)];
        if (step.message.expansion == Expansion::BlendConstant && !key.reads_second_color())
            step.access.reads = step.access.reads - RegSet::run(step.instr.staging[0].base,
                                                                step.instr.staging[0].count);
    }
}

void mark_dead_steps(GuestProgram& program) {
    for (const Block& block : program.blocks) {
        RegSet live = block.live_out;
        for (uint32_t k = block.first + block.count; k-- > block.first;) {
            Step& step = program.steps[k];
            bool read = false;
            step.access.writes.each([&](Reg r) { read |= live.has(r); });
            step.dead = !read && makes_plain_word(step.instr);
            if (!step.dead)
                live = (live - step.access.writes) | step.access.reads;
        }
    }
}

}  // namespace valkyr::jit
