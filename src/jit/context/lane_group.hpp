// Lane group: names W lanes of the warp in memory operands.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// The lanes of one host register: a part in the current round, or any W lanes of the warp.
struct LaneGroup {
    unsigned first = 0;   ///< lane of the warp, or of the round
    Gp index = Gp::None;  ///< Gp::Half if `first` counts from the round
    unsigned part = 0;    ///< of the register file, in the body

    /// The lanes' words of an array of one word a lane.
    [[nodiscard]] Address of(Address words) const {
        words.offset += static_cast<int32_t>(first * 4);
        if (index != Gp::None)
            words.index = index;
        return words;
    }
};

/// The group's words of sample 0 in a plane of one word a pixel and sample, to which a member of
/// the call points.
LeasedAddress plane_place(EmitContext& c, const LaneGroup& group, size_t member, unsigned samples);

/// Part `p` of the current round.
inline LaneGroup group_of_part(const EmitContext& c, unsigned p) {
    return {p * c.h.traits().lanes, c.plan.rounds > 1 ? Gp::Half : Gp::None, p};
}
/// Calls f(LaneGroup) for every part of the current round.
template <typename F>
void each_group(EmitContext& c, F f) {
    for (unsigned p = 0; p < c.parts; ++p)
        f(group_of_part(c, p));
}
/// Calls f(LaneGroup) for every W lanes of the warp, or of both warps in step, in all rounds.
template <typename F>
void each_chunk(EmitContext& c, F f) {
    const unsigned lanes = c.h.traits().lanes;
    for (unsigned first = 0; first < exec::kLanes * c.plan.pixel_blocks; first += lanes)
        f(LaneGroup{first, Gp::None, 0});
}

}  // namespace valkyr::jit
