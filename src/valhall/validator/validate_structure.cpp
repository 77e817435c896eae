// Structure rules: check the shape of a program, V1, V3, V4 and V5.
// SPDX-License-Identifier: MIT
#include "exec/entry_registers.hpp"
#include "exec/specials.hpp"
#include "valhall/validator/validate_p.hpp"

#include <set>

namespace valkyr::valhall {

namespace {

/// BRANCHZI as the second instruction of the epilogue of a BLEND.
bool is_epilogue_call(const ValidatedProgram& p, uint32_t word) {
    if (word < 2 || p.instrs[word - 2].op != Op::BLEND)
        return false;
    const Source& target = p.instrs[word].src[1];
    return target.kind == SourceKind::Special && target.index >= exec::kBlendDescriptor0 &&
           target.index < exec::kBlendDescriptor0 + exec::kMaxRenderTargets && target.word == 1;
}

/// BRANCHZI r48, r48: the return of a blend shader.
bool is_return(const ValidatedProgram& p, const Instr& instr) {
    return p.stage() == exec::Stage::Blend && instr.src[1].kind == SourceKind::Register &&
           instr.src[1].index == exec::kLinkRegister;
}

/// Words that conditional branches with a condition in a register may go to.
std::set<uint32_t> divergent_targets(const ValidatedProgram& p) {
    std::set<uint32_t> targets;
    for (uint32_t word = 0; word < p.size(); ++word) {
        const auto target = branch_target(p.instrs[word], word);
        if (target && *target >= 0 && *target < p.size() && may_diverge(p.instrs[word]))
            targets.insert(static_cast<uint32_t>(*target));
    }
    return targets;
}

}  // namespace

void check_ends(const ValidatedProgram& p, RuleReport& report) {
    if (p.size() == 0)
        return report.add(0, "the program has no instruction");
    uint32_t last_reachable = 0;
    for (uint32_t word = 0; word < p.size(); ++word)
        if (p.graph.reachable(word))
            last_reachable = word;
    const Instr& last = p.instrs[p.size() - 1];
    const bool runs_out = last.flow != Flow::end && !is_unconditional(last) &&
                          last.op != Op::BRANCHZI && p.graph.reachable(p.size() - 1);
    if (runs_out)
        report.add(p.size() - 1, "execution runs past the last instruction without .end");
    if (last_reachable + 1 < p.size())
        report.add(last_reachable + 1, "instructions after the last one that can be reached");
}

void check_branch_targets(const ValidatedProgram& p, RuleReport& report) {
    for (uint32_t word = 0; word < p.size(); ++word) {
        const Instr& instr = p.instrs[word];
        const auto target = branch_target(instr, word);
        if (target && (*target < 0 || *target >= p.size()))
            report.add(word, instr,
                       "target " + std::to_string(*target) + " is outside of the program, 0.." +
                           std::to_string(p.size() - 1));
        if (instr.op == Op::BRANCHZI && !is_epilogue_call(p, word) && !is_return(p, instr))
            report.add(word, instr, "allowed only after BLEND and to return from a blend shader");
    }
}

void check_reconverge(const ValidatedProgram& p, RuleReport& report) {
    const std::set<uint32_t> targets = divergent_targets(p);
    for (const BasicBlock& block : p.graph.blocks()) {
        const Instr& last = p.instrs[block.last];
        if (last.op == Op::BRANCHZ && (last.flow == Flow::end || last.flow == Flow::discard))
            report.add(block.last, last, "a branch cannot end lanes");
        if (!block.reachable || last.flow == Flow::reconverge)
            continue;
        if (may_diverge(last))
            report.add(block.last, last, "a branch that may diverge needs .reconverge");
        else if (last.flow != Flow::end && !is_unconditional(last) &&
                 targets.contains(block.last + 1))
            report.add(block.last, last,
                       "needs .reconverge: the next instruction is the target of a branch that "
                       "may diverge");
    }
}

void check_reducible(const ValidatedProgram& p, RuleReport& report) {
    const auto& blocks = p.graph.blocks();
    for (uint32_t number = 0; number < blocks.size(); ++number) {
        if (!blocks[number].reachable)
            continue;
        for (const uint32_t next : blocks[number].successors)
            if (next <= number && !p.graph.dominates(next, number))
                report.add(blocks[number].last, p.instrs[blocks[number].last],
                           "jumps back to word " + std::to_string(blocks[next].first) +
                               ", which other paths into the loop go around");
    }
}

}  // namespace valkyr::valhall
