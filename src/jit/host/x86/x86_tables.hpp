// X86 tables: give every lane-vector operation its VEX and EVEX instructions.
// SPDX-License-Identifier: MIT
#pragma once

#include <asmjit/x86.h>

namespace valkyr::jit {

struct X86Operation {
    asmjit::InstId vex;
    asmjit::InstId evex;
    bool embeds32;  ///< the EVEX form takes a {1to16} operand
};

/// Rows by Binary, by Unary, and instructions by ImmOp.
inline constexpr X86Operation kX86Binary[] = {
#define VALKYR_BINARY(name, vex, evex, embeds, ...)                                                \
    {asmjit::x86::Inst::kId##vex, asmjit::x86::Inst::kId##evex, embeds},
#include "jit/host/operations.inc"
};
inline constexpr X86Operation kX86Unary[] = {
#define VALKYR_UNARY(name, vex, evex, embeds, ...)                                                 \
    {asmjit::x86::Inst::kId##vex, asmjit::x86::Inst::kId##evex, embeds},
#include "jit/host/operations.inc"
};
inline constexpr asmjit::InstId kX86Immediate[] = {
#define VALKYR_IMMEDIATE(name, inst, ...) asmjit::x86::Inst::kId##inst,
#include "jit/host/operations.inc"
};

}  // namespace valkyr::jit
