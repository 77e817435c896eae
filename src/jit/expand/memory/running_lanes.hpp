// Running lanes: finds the running lanes of a part, and tests whether their words agree.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// The lanes of the part that run, as bits from 0 on.
Scalar running_lanes(EmitContext& c);

/// The lanes of the part that run, as a mask.
TempMask running_mask(EmitContext& c);
/// The lanes of the part that execute a STORE, as bits from 0 on. Helpers do so only if it is
/// forced.
Scalar storing_lanes(EmitContext& c);

/// Jumps if the mask has a running lane of the part.
void jump_if_any(EmitContext& c, Mask mask, Label label);
/// Jumps if it has none.
void jump_unless_any(EmitContext& c, Mask mask, Label label);

/// The word of all running lanes of the part. Jumps if their words differ, or if no lane runs.
/// copy  the words, stored in the frame
Scalar first_running(EmitContext& c, Vec words, Address copy, Label differ);

/// Emits a loop over the lanes of the part in `lanes`, in ascending order, and destroys `lanes`.
/// f(Gp lane) emits the code of one lane.
template <typename F>
void each_lane(EmitContext& c, Gp lanes, F f) {
    HostAssembler& h = c.h;
    const Scalar lane = c.scalar();
    const Label next = h.new_label();
    const Label done = h.new_label();
    h.bind(next);
    h.test32(lanes);
    h.jump(Jump::Equal, done);
    h.lowest_bit(lane, lanes);
    f(Gp(lane));
    {
        const Scalar less = c.scalar();
        h.move(less, lanes);
        h.add32(less, -1);
        h.and32(lanes, less);
    }
    h.jump(next);
    h.bind(done);
}

}  // namespace valkyr::jit
