// Uniformity: finds registers that are equal in all lanes, and branches that never diverge.
// SPDX-License-Identifier: MIT
#include "jit/guest/uniformity.hpp"

#include "exec/entry_registers.hpp"

#include <algorithm>

namespace valkyr::jit {

using valhall::Instr;
using valhall::Source;
using valhall::SourceKind;

namespace {

bool is_lane_special(const Source& source) {
    return source.kind == SourceKind::Special && source.index == exec::kLaneId;
}

/// Whether lanes with equal sources get equal results. With messages they may not: a lane may be a
/// helper, or the result may depend on the pixel.
bool is_lanewise(const Instr& instr) {
    const valhall::OpInfo& info = valhall::op_info(instr.op);
    return info.has_dest && valhall::is_alu(info.unit) && !is_cross_lane(instr.op);
}

bool result_is_uniform(const Step& step, RegSet uniform) {
    if (step.doubles)
        return (step.access.reads - uniform).empty();
    if (!is_lanewise(step.instr) || !(step.access.reads - uniform).empty())
        return false;
    const size_t sources = valhall::op_info(step.instr.op).sources.size();
    return std::none_of(step.instr.src.begin(),
                        step.instr.src.begin() + static_cast<std::ptrdiff_t>(sources),
                        is_lane_special);
}

void pass_step(const Block& block, const Step& step, RegSet& uniform) {
    if (!block.partial && result_is_uniform(step, uniform))
        uniform |= step.access.writes;
    else
        uniform = uniform - step.access.writes;
}

RegSet after_block(const GuestProgram& program, const Block& block, RegSet uniform) {
    for (uint32_t k = block.first; k < block.first + block.count; ++k)
        pass_step(block, program.steps[k], uniform);
    return uniform;
}

/// The registers that are equal in all lanes where each block begins.
std::vector<RegSet> uniform_at_entries(const GuestProgram& program, Cancellation cancellation) {
    const RegSet all{~uint64_t{0}};
    std::vector<RegSet> entry(program.blocks.size(), all);
    entry[0] = all - RegSet{exec::lane_entry_registers(program.source->info.stage)};
    for (bool changed = true; changed && !cancellation.requested();) {
        changed = false;
        for (uint32_t b = 0; b < program.blocks.size(); ++b) {
            const RegSet out = after_block(program, program.blocks[b], entry[b]);
            program.each_successor(b, [&](uint32_t to) {
                const RegSet met = entry[to] & out;
                changed |= !(met == entry[to]);
                entry[to] = met;
            });
        }
    }
    return entry;
}

bool is_fetch(const Step& step) {
    return step.instr.op == valhall::Op::TEX_FETCH;
}

bool has_branch(const GuestProgram& program) {
    return std::any_of(program.blocks.begin(), program.blocks.end(), [](const Block& block) {
        return block.exit == Exit::Branch && block.uniform;
    });
}

}  // namespace

bool confirm_uniform_branches(GuestProgram& program, Cancellation cancellation) {
    if (!has_branch(program))
        return true;
    const std::vector<RegSet> entry = uniform_at_entries(program, cancellation);
    bool confirmed = true;
    for (uint32_t b = 0; b < program.blocks.size(); ++b) {
        Block& block = program.blocks[b];
        if (block.exit != Exit::Branch || !block.uniform)
            continue;
        const RegSet uniform = after_block(program, block, entry[b]);
        const Step& branch = program.last_step(block);
        block.uniform = !block.partial && (branch.access.reads - uniform).empty() &&
                        !is_lane_special(branch.instr.src[0]);
        confirmed &= block.uniform;
    }
    return confirmed;
}

void mark_same_operands(GuestProgram& program, Cancellation cancellation) {
    if (std::ranges::none_of(program.steps, is_fetch))
        return;
    const std::vector<RegSet> entry = uniform_at_entries(program, cancellation);
    if (cancellation.requested())
        return;
    for (uint32_t b = 0; b < program.blocks.size(); ++b) {
        const Block& block = program.blocks[b];
        if (block.partial)
            continue;
        RegSet uniform = entry[b];
        for (uint32_t k = block.first; k < block.first + block.count; ++k) {
            Step& step = program.steps[k];
            step.same_operands = is_fetch(step) && (step.access.reads - uniform).empty();
            pass_step(block, step, uniform);
        }
    }
}

}  // namespace valkyr::jit
