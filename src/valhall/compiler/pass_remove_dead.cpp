// remove_dead: drops instructions whose results nobody reads, directly or through others.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/passes.hpp"
#include "valhall/compiler/ssa.hpp"

namespace valkyr::valhall::ir {

bool has_side_effects(const Inst& inst) {
    if (inst.def_count == 0)
        return true;
    if (inst.fixed != kNotFixed && inst.op != kPreload)
        return true;  // somebody outside the program reads this register
    switch (inst.op) {
    case Op::ATEST:
    case Op::ZS_EMIT:
    case Op::ATOM_RETURN_I32:
    case Op::ATOM_RETURN_I64:
    case Op::ATOM1_RETURN_I32:
    case Op::ATOM1_RETURN_I64: return true;
    default: return false;
    }
}

bool is_pure(const Inst& inst) {
    if (is_pseudo(inst.op) || inst.fixed != kNotFixed || has_side_effects(inst))
        return false;
    switch (inst.op) {
    case Op::CLPER_I32:
    case Op::WMASK: return false;  // these look at the running lanes
    case Op::LD_ATTR:
    case Op::LD_ATTR_IMM:
    case Op::LEA_BUF_IMM:
    case Op::LD_BUFFER_I32:
    case Op::LD_BUFFER_I64:
    case Op::LD_BUFFER_I96:
    case Op::LD_BUFFER_I128: return true;
    default: break;
    }
    const Unit unit = op_info(inst.op).unit;
    return is_alu(unit) || unit == Unit::Varying;
}

void remove_dead(Function& f) {
    const std::vector<uint32_t> def_of = find_definitions(f);
    std::vector<uint8_t> live(f.insts.size(), 0);
    std::vector<uint32_t> work;
    for (uint32_t i = 0; i < f.insts.size(); ++i) {
        if (has_side_effects(f.insts[i])) {
            live[i] = 1;
            work.push_back(i);
        }
    }
    while (!work.empty()) {
        const Inst& inst = f.insts[work.back()];
        work.pop_back();
        for_each_operand(f, inst, [&](const Operand& operand) {
            if (!operand.is_value() || live[def_of[operand.value]] != 0)
                return;
            live[def_of[operand.value]] = 1;
            work.push_back(def_of[operand.value]);
        });
    }
    uint32_t to = 0;
    for (Block& block : f.blocks) {
        const uint32_t first = to;
        for (uint32_t i = block.first; i < block.end; ++i) {
            if (live[i] != 0) {
                if (to != i)
                    f.insts[to] = f.insts[i];
                ++to;
            }
        }
        block.first = first;
        block.end = to;
    }
    f.insts.resize(to);
}

}  // namespace valkyr::valhall::ir
