// Resumption: emits code that saves a warp which waits at a BARRIER, and code that goes on with it.
// SPDX-License-Identifier: MIT
//
// If all lanes of a warp that have not ended come to a BARRIER together, the warp is saved there:
// the values that are read later go from their homes to WaitingWarp::registers, and its state is
// the number of the BARRIER plus 1. A warp that has waited before saves and loads only what
// find_barrier_values() names. Elsewhere the running lanes are parked (a mask in the frame
// for each such BARRIER) and others go on. When no lane runs any more, a warp with parked lanes is
// saved in the state kApart. When it goes on, the parked lanes wait at their resume points, and the
// first of these picks its lanes up, as after a branch.
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/barrier_values.hpp"

#include <vector>

namespace valkyr::jit {

class Resumption {
public:
    /// WaitingWarp::state of a warp whose lanes may wait at several BARRIERs.
    static constexpr uint32_t kApart = 0;

    /// end  goes back to run_groups()
    Resumption(EmitContext& context, Label end);

    /// Where code goes when no lane runs any more.
    [[nodiscard]] Label no_lanes() const { return no_lanes_; }

    /// Emits code for the start of a warp.
    void start();
    /// Emits code for running lanes that come to the BARRIER at the end of block b, after
    /// end_block(). Where others may go on meanwhile, no lane runs after this code; else it leaves.
    void wait_behind(uint32_t b);
    /// Emits the code behind the last block, which falls through to the end.
    /// resume   label of the code that goes on with a warp
    /// entries  labels of the blocks
    void
    finish(Label resume, const std::vector<Label>& entries, const std::vector<unsigned>& joins);

private:
    [[nodiscard]] bool needed() const { return !points_.empty(); }
    [[nodiscard]] Address parked(size_t point) const;
    [[nodiscard]] size_t point_behind(uint32_t b) const;
    void save(uint32_t state, RegSet registers);
    void save_together(size_t point);
    void load(RegSet registers);
    void stop_apart();
    void go_on_together(size_t point, const std::vector<Label>& entries);
    void go_on_apart(const std::vector<Label>& entries, const std::vector<unsigned>& joins);

    EmitContext& c;
    HostAssembler& h;
    Label end_;
    Label no_lanes_;
    const std::vector<ResumePoint>& points_;
    const BarrierValues values_;
    std::vector<unsigned> masks_;  ///< by point: number of its mask in the frame; together: none
    RegSet apart_;                 ///< live at the points where lanes may be parked apart
    unsigned apart_count_ = 0;
};

}  // namespace valkyr::jit
