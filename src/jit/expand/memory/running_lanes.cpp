// Running lanes: finds the running lanes of a part, and tests whether their words agree.
// SPDX-License-Identifier: MIT
#include "jit/expand/memory/running_lanes.hpp"

namespace valkyr::jit {

namespace {

/// Extracts the bits of the part from the bits of a round.
void take_part(EmitContext& c, Gp lanes) {
    if (c.parts == 1)
        return;
    if (c.part != 0)
        c.h.shift_right32(lanes, c.part * c.h.traits().lanes);
    c.h.and32(lanes, (1U << c.h.traits().lanes) - 1);
}

/// Compares the running lanes of the part in the mask with none.
void test_running(EmitContext& c, Mask mask) {
    const Scalar bits = c.scalar();
    c.h.mask_bits(bits, mask);
    if (!c.lanes_can_be_inactive()) {
        c.h.test32(bits);
    } else if (c.parts == 1) {
        c.h.test32(bits, Gp::Running);
    } else {
        const Scalar lanes = running_lanes(c);
        c.h.test32(bits, lanes);
    }
}

}  // namespace

Scalar running_lanes(EmitContext& c) {
    Scalar lanes = c.scalar();
    c.h.move(lanes, Gp::Running);
    take_part(c, lanes);
    return lanes;
}

TempMask running_mask(EmitContext& c) {
    TempMask mask = c.scratch_mask();
    const Scalar lanes = running_lanes(c);
    c.h.mask_from_bits(mask, lanes);
    return mask;
}

Scalar storing_lanes(EmitContext& c) {
    Scalar lanes = c.scalar();
    c.h.move(lanes, Gp::Running);
    if (c.instr().get<valhall::MemoryAccess>(valhall::Mod::memory_access) !=
        valhall::MemoryAccess::force)
        c.h.and32(lanes, VALKYR_FRAME(live));
    take_part(c, lanes);
    return lanes;
}

void jump_if_any(EmitContext& c, Mask mask, Label label) {
    test_running(c, mask);
    c.h.jump(Jump::NotEqual, label);
}

void jump_unless_any(EmitContext& c, Mask mask, Label label) {
    test_running(c, mask);
    c.h.jump(Jump::Equal, label);
}

Scalar first_running(EmitContext& c, Vec words, Address copy, Label differ) {
    HostAssembler& h = c.h;
    Scalar first = c.scalar();
    Scalar lanes;
    if (c.lanes_can_be_inactive()) {
        lanes = running_lanes(c);
        h.test32(lanes);
        h.jump(Jump::Equal, differ);
    }
    Address same = copy;
    // Where lanes may wait, the value of lane 0 may be stale.
    if (lanes.valid() && (c.block == nullptr || c.block->partial)) {
        h.lowest_bit(first, lanes);
        h.load32(first, {copy.base, copy.offset, first, 2});
        same = VALKYR_FRAME(spare);
        h.store32(same, first);
    } else {
        h.load32(first, copy);
    }
    const TempMask equal = c.scratch_mask();
    h.compare(IntCond::Equal, Element::B32, true, equal, words, Operand::broadcast(same));
    const Scalar bits = c.scalar();
    h.mask_bits(bits, equal);
    if (lanes.valid()) {
        h.and_not32(bits, bits, lanes);
        h.test32(bits);
    } else {
        h.compare32(bits, (1U << h.traits().lanes) - 1);
    }
    h.jump(Jump::NotEqual, differ);
    return first;
}

}  // namespace valkyr::jit
