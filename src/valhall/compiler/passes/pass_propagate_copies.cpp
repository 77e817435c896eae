// Pass propagate_copies: makes uses of a copy read the original.
// SPDX-License-Identifier: MIT
//
// A phi whose inputs are all one value is a copy, too.
#include "valhall/compiler/ir/ssa.hpp"
#include "valhall/compiler/passes/passes.hpp"

namespace valkyr::valhall::ir {
namespace {

bool is_plain(const Operand& operand) {
    return operand.flags == 0 && operand.selector == kDefaultSelector;
}

/// The one operand that all inputs equal, the phi itself excepted; kind None if they differ.
Operand only_input(const Function& f, const Inst& phi, const Replacements& known) {
    Operand only;
    for (Operand input : f.staging(phi)) {
        known.apply(input);
        if (input.is_value() && input.value == phi.def)
            continue;
        if (only.kind != OperandKind::None && !(only == input))
            return {};
        only = input;
    }
    return only;
}

}  // namespace

void propagate_copies(Function& f) {
    if (!f.may_have(Op::MOV_I32) && !f.may_have(kPhi))
        return;
    Replacements copies(f);
    for (const Inst& inst : f.insts) {
        if (inst.fixed != kNotFixed)
            continue;
        if (inst.op == Op::MOV_I32 && inst.src[0].is_value() && is_plain(inst.src[0])) {
            copies.set(inst.def, inst.src[0]);
        } else if (inst.op == kPhi) {
            // A literal could not replace it in sources that only take registers.
            const Operand only = only_input(f, inst, copies);
            if (only.is_value() && is_plain(only))
                copies.set(inst.def, only);
        }
    }
    copies.apply(f);
}

}  // namespace valkyr::valhall::ir
