// Kernels: emit the function around a body, with its loops over warps and its preloads.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Emits the whole function, entry to return.
void emit_kernel(EmitContext& c);

// One function a stage.
void emit_vertex_kernel(EmitContext& c);
void emit_geometry_kernel(EmitContext& c);
void emit_fragment_kernel(EmitContext& c);
void emit_compute_kernel(EmitContext& c);

// All stages use these.

/// Runs body() for every round of a warp, with Gp::Half set and c.warp_end at the end of the round.
template <typename F>
void for_each_round(EmitContext& c, F body);
/// Defines an entry register as the word at `word` in all lanes.
void preload_uniform(EmitContext& c, Reg r, Address word);
/// Defines all entry registers that have no preload as 0.
void preload_zero(EmitContext& c, RegSet registers);

template <typename F>
void for_each_round(EmitContext& c, F body) {
    HostAssembler& h = c.h;
    c.warp_end = h.new_label();
    if (c.plan.rounds == 1) {
        body();
        h.bind(c.warp_end);
        return;
    }
    const Label next = h.new_label();
    h.move(Gp::Half, uint64_t{0});
    h.bind(next);
    h.store32(VALKYR_FRAME(half), Gp::Half);
    body();
    h.bind(c.warp_end);
    h.load32(Gp::Half, VALKYR_FRAME(half));
    h.add64(Gp::Half, static_cast<int32_t>(c.h.traits().lanes * c.parts * 4));
    h.compare32(Gp::Half, sizeof(exec::Lanes));
    h.jump(Jump::Below, next);
}

}  // namespace valkyr::jit
