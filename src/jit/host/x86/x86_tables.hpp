// X86 tables: give every lane-vector operation its VEX and EVEX instructions.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/host/lane_vector.hpp"

#include <asmjit/x86.h>

namespace valkyr::jit {

struct X86Binary {
    Binary op;
    asmjit::InstId vex;  ///< 0: no AVX2 instruction
    asmjit::InstId evex;
    bool embeds32;  ///< the EVEX form takes a {1to16} operand
};
struct X86Unary {
    Unary op;
    asmjit::InstId vex;
    asmjit::InstId evex;
    bool embeds32;
};
struct X86Imm {
    ImmOp op;
    asmjit::InstId inst;
};

const X86Binary& x86_binary(Binary op);
const X86Unary& x86_unary(Unary op);
const X86Imm& x86_imm(ImmOp op);

}  // namespace valkyr::jit
