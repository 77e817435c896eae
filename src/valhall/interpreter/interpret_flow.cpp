// Flow control: NOP, branches, DISCARD, BARRIER.
// SPDX-License-Identifier: MIT
#include "valhall/arith/arith_float.hpp"
#include "valhall/interpreter/interpret.hpp"

#include <atomic>

namespace valkyr::valhall::interpret {

namespace {

/// Running lanes whose tested value takes the branch.
uint16_t taken_lanes(const Machine& m, const Instr& i) {
    const Lanes value = word(m, i.src[0]);
    uint32_t mask = 0xFFFFFFFF;
    if (i.src[0].selector == static_cast<uint8_t>(Combine::h0))
        mask = 0x0000FFFF;
    else if (i.src[0].selector == static_cast<uint8_t>(Combine::h1))
        mask = 0xFFFF0000;
    const bool wanted = i.mod(Mod::eq) != 0;
    uint16_t taken = 0;
    for (unsigned l = 0; l < kLanes; ++l)
        taken |= static_cast<uint16_t>((m.runs(l) && ((value.v[l] & mask) == 0) == wanted ? 1U : 0U)
                                       << l);
    return taken;
}

void jump(Machine& m, uint16_t lanes, uint32_t target) {
    for (unsigned l = 0; l < kLanes; ++l)
        if (lanes >> l & 1)
            m.state.pc[l] = target;
}

void rejected(Machine& m, const Instr&) {
    m.fault = "instruction has no defined meaning";
}

}  // namespace

VALKYR_INTERPRET(NOP) {}

VALKYR_INTERPRET(BRANCHZ) {
    m.regroup = true;
    const auto target = static_cast<uint32_t>(int64_t{m.word_index} + 1 + i.imm[0]);
    jump(m, taken_lanes(m, i), target);
}

VALKYR_INTERPRET(BRANCHZI) {
    m.regroup = true;
    const uint16_t taken = taken_lanes(m, i);
    const Lanes target = word(m, i.src[1]);
    for (unsigned l = 0; l < kLanes; ++l) {
        if (m.runs(l) && target.v[l] != target.v[m.first_lane()])
            m.fault = "BRANCHZI target is not the same in all running lanes";
        if (m.runs(l) && target.v[l] % 8 != 0)
            m.fault = "BRANCHZI target is not the address of an instruction";
    }
    jump(m, taken, target.v[m.first_lane()] / 8);
}

VALKYR_INTERPRET(DISCARD_F32) {
    const Lanes a = f32(m, i.src[0]);
    const Lanes b = f32(m, i.src[1]);
    const auto condition = i.get<Condition>(Mod::cmp);
    for (unsigned l = 0; l < kLanes; ++l)
        if (m.runs(l) && arith::compare(condition, as_float(a.v[l]), as_float(b.v[l])))
            m.state.live = static_cast<uint16_t>(m.state.live & ~(1U << l));
}

VALKYR_INTERPRET(BARRIER) {
    // One thread runs all warps of a group, so the lanes have to wait, but no memory access has to.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    m.state.parked |= m.state.running;
    m.regroup = true;
}

VALKYR_INTERPRET_AS(FMA_RSCALE_SCALE16_F32, rejected(m, i))
VALKYR_INTERPRET_AS(FATAN_ASSIST_F32, rejected(m, i))
VALKYR_INTERPRET_AS(TEX_DUAL, rejected(m, i))
VALKYR_INTERPRET_AS(VAR_TEX_BUF_DUAL, rejected(m, i))
VALKYR_INTERPRET_AS(VAR_TEX_DUAL, rejected(m, i))
VALKYR_INTERPRET_AS(VAR_TEX_BUF_GRADIENT, rejected(m, i))
VALKYR_INTERPRET_AS(VAR_TEX_GRADIENT, rejected(m, i))

}  // namespace valkyr::valhall::interpret
