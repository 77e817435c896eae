// Evaluation: computes an ALU instruction for one lane, with the functions of the interpreter.
// SPDX-License-Identifier: MIT
#include "valhall/interpreter/evaluate.hpp"

#include "valhall/interpreter/interpret_table.hpp"
#include "valhall/isa/executable.hpp"

namespace valkyr::valhall {

namespace {

bool reads_outside(const Instr& instr, size_t sources) {
    for (size_t k = 0; k < sources; ++k)
        if (instr.src[k].kind == SourceKind::Uniform || instr.src[k].kind == SourceKind::Special)
            return true;
    return false;
}

}  // namespace

std::optional<uint32_t> evaluate(const Instr& instr, const FirstRegisters& registers) {
    const OpInfo& info = op_info(instr.op);
    if (!is_alu(info.unit) || !info.effects.empty() || !info.has_dest ||
        reads_outside(instr, info.sources.size()) || !reject_reason(instr).empty())
        return std::nullopt;
    WarpState state;
    for (size_t k = 0; k < registers.size(); ++k)
        state.r[k].v[0] = registers[k];
    state.alive = state.live = state.running = 1;
    exec::Warp warp;
    const interpret::CallContext call;
    interpret::Machine machine{state, warp, call};
    interpret::function_of(instr.op)(machine, instr);
    return state.r[instr.dest.reg].v[0];
}

}  // namespace valkyr::valhall
