// The function around a body: the loops over the warps of a call and what they preload.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/guest/flow_analysis.hpp"

namespace valkyr::jit {

/// Host registers a value: more than one if the warp cannot be run a part at a time, because its
/// lanes see each other beyond the lanes of a register (docs in README.md).
unsigned parts_for(const GuestProgram& program, const HostTraits& traits);

/// Whether the lanes that start must be known exactly: uncovered quads could be seen or could loop
/// for ever.
bool needs_exact_start(const GuestProgram& program);

/// Whether the emitter of an instruction may call a routine.
bool may_call(const KernelSource& source, const valhall::Instr& instr);

/// Host registers that a fragment program can spare for the whole loop over blocks: it has one
/// block and calls nothing.
unsigned invariant_registers(const EmitContext& c);

/// Whether a program has one block and calls nothing.
bool is_straight(const KernelSource& source);

/// Emits the whole function, entry to return.
void emit_kernel(EmitContext& c, const FlowFacts& facts);

// One a stage.
void emit_vertex_kernel(EmitContext& c, const FlowFacts& facts);
void emit_fragment_kernel(EmitContext& c, const FlowFacts& facts);
void emit_compute_kernel(EmitContext& c, const FlowFacts& facts);

// Shared by the stages.

/// Runs `body` for every pass of a warp: sets Gp::Half, then body(pass label for its end).
template <typename F>
void for_each_pass(EmitContext& c, F body);
/// Defines an entry register as the word at `word`, the same in all lanes.
void preload_uniform(EmitContext& c, Reg r, Address word);
/// Defines all entry registers that have no preload as 0.
void preload_zero(EmitContext& c, RegSet registers);

template <typename F>
void for_each_pass(EmitContext& c, F body) {
    HostAssembler& h = c.h;
    c.warp_end = h.new_label();
    if (c.passes == 1) {
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
