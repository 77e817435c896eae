// Flow emitters: end lanes (DISCARD); the body emits the jumps of branches.
// SPDX-License-Identifier: MIT
#include "jit/emit/emitter.hpp"
#include "jit/emit/float_compare.hpp"

namespace valkyr::jit {

VALKYR_EMIT(NOP) {}
VALKYR_EMIT(BRANCHZ) {}
VALKYR_EMIT(BRANCHZI) {}
// Messages are synchronous. If lanes may have to wait, the body ends the block here.
VALKYR_EMIT(BARRIER) {}

// A discarded lane becomes a helper. When all lanes are helpers, the warp has no further effect.
VALKYR_EMIT(DISCARD_F32) {
    HostAssembler& h = c.h;
    Scalar discarded;
    each_part(c, [&] {
        const Temp a = c.f32(0);
        const Temp b = c.f32(1);
        const TempMask m = c.scratch_mask();
        compare_f32(c, m, a, b);
        c.collect_bits(discarded, m);
    });
    h.and32(discarded, Gp::Running);
    const Scalar live = c.scalar();
    h.load32(live, VALKYR_FRAME(live));
    h.and_not32(live, discarded, live);
    h.store32(VALKYR_FRAME(live), live);
    if (c.stage() == exec::Stage::Fragment) {
        h.test32(live);
        h.jump(Jump::Equal, c.warp_end);
    }
}

}  // namespace valkyr::jit
