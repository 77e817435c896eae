// Emitters: emit one instruction each; the table finds them by Op.
// SPDX-License-Identifier: MIT
//
// emit<Op::X> is specialised once, in the emit_*.cpp of its topic; a missing one is a link error.
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Emits the current instruction of the context. Emitters of ALU instructions except CLPER and
/// WMASK emit its current part, all others all parts.
template <valhall::Op op>
void emit(EmitContext& c);

using Emitter = void (*)(EmitContext&);
Emitter emitter_of(valhall::Op op);

/// Emits the current part of a step that computes with host doubles (Step::doubles).
void emit_double(EmitContext& c);

/// Whether a step is a comparison whose only reader is the branch after it, which ends the block.
/// Its emitter can then leave the result as lane bits (EmitContext::branch_bits).
bool feeds_branch(const GuestProgram& program, const Block& block, uint32_t step);

/// Whether the emitter of the instruction computes one part at a time.
bool emits_by_part(valhall::Op op);

}  // namespace valkyr::jit

/// Opens the specialisation for one instruction: VALKYR_EMIT(FMA_F32) { ... } with the context c.
#define VALKYR_EMIT(op)                                                                            \
    template <>                                                                                    \
    void emit<valhall::Op::op>([[maybe_unused]] EmitContext & c)
/// Specialises for one instruction by a call of a function that several instructions share.
#define VALKYR_EMIT_AS(op, call)                                                                   \
    VALKYR_EMIT(op) {                                                                              \
        call;                                                                                      \
    }
