// Pass trim_results: makes texture messages return no components that nothing reads at either end.
// SPDX-License-Identifier: MIT
//
// Mesa's clients write all four components of a texture instruction, whatever the shader reads. A
// component less is a register less, and nothing to decode and filter.
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/ir/ssa.hpp"
#include "valhall/compiler/passes/passes.hpp"

#include <bit>

namespace valkyr::valhall::ir {
namespace {

/// Whether each bit of the write mask is a result of one register.
bool has_component_results(const Inst& inst) {
    return !is_pseudo(inst.op) && inst.fixed == kNotFixed && inst.def_count > 1 &&
           mod_field(inst.op, Mod::write_mask).size != 0 &&
           get_mod_as<RegisterWidth>(inst, Mod::register_width) == RegisterWidth::n32 &&
           std::popcount(get_mod(inst, Mod::write_mask)) == inst.def_count;
}

/// Results are numbered in order, so only the first and the last ones can go.
void trim(Inst& inst, const ValueInfo& info) {
    uint32_t mask = get_mod(inst, Mod::write_mask);
    while (inst.def_count > 1 && info.uses[inst.def + inst.def_count - 1] == 0) {
        mask &= ~std::bit_floor(mask);
        --inst.def_count;
    }
    while (inst.def_count > 1 && info.uses[inst.def] == 0) {
        mask &= mask - 1;
        ++inst.def;
        --inst.def_count;
    }
    set_mod(inst, Mod::write_mask, mask);
}

}  // namespace

void trim_results(Function& f) {
    const ValueInfo info(f);
    for (Inst& inst : f.insts)
        if (has_component_results(inst))
            trim(inst, info);
}

}  // namespace valkyr::valhall::ir
