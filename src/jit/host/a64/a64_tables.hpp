// A64 tables: give every lane-vector operation its host instructions.
// SPDX-License-Identifier: MIT
#pragma once

#include <asmjit/arm/a64assembler.h>
#include <asmjit/core.h>
#include <cstdint>

namespace valkyr::jit {

/// How an instruction divides a 128-bit register.
enum class Shape : uint8_t { B16, H8, S4, D2 };

/// How the instructions of a row make up the operation.
enum class A64Form : uint8_t {
    Plain,          ///< inst d, a, b
    Exchanged,      ///< inst d, b, a
    ChooseLess,     ///< a < b ? a : b with the comparison `inst`
    ChooseGreater,  ///< a > b ? a : b
    High,           ///< upper halves of products of the lower (inst) and upper (upper) elements
    Negated,        ///< inst d, a, -b with integers
    ShiftLeft,      ///< by variable counts; for `inst`, negative counts shift right
    ShiftRight,
    Pack,   ///< inst narrows the first register, `upper` the second
    Bytes,  ///< sums of pairs of byte products
    Pairs,  ///< sums of pairs of 16-bit products
};

struct A64Binary {
    A64Form form;
    asmjit::InstId inst;
    asmjit::InstId upper;
    Shape shape;
};
struct A64Unary {
    asmjit::InstId inst;
    Shape shape;
};
struct A64Imm {
    asmjit::InstId inst;  ///< a shift; 0: a permutation
    Shape shape;
    uint8_t bits;   ///< of an element
    bool is_right;  ///< counts from 1 to `bits`, else from 0 to bits - 1
};

/// Rows by Binary, Unary and ImmOp.
inline constexpr A64Binary kA64Binary[] = {
#define VALKYR_BINARY(name, vex, evex, embeds, form, inst, upper, shape)                           \
    {A64Form::form, asmjit::a64::Inst::kId##inst, asmjit::a64::Inst::kId##upper, Shape::shape},
#include "jit/host/operations.inc"
};
inline constexpr A64Unary kA64Unary[] = {
#define VALKYR_UNARY(name, vex, evex, embeds, inst, shape)                                         \
    {asmjit::a64::Inst::kId##inst, Shape::shape},
#include "jit/host/operations.inc"
};
inline constexpr A64Imm kA64Immediate[] = {
#define VALKYR_IMMEDIATE(name, x86, inst, shape, bits, is_right)                                   \
    {asmjit::a64::Inst::kId##inst, Shape::shape, bits, is_right},
#include "jit/host/operations.inc"
};

}  // namespace valkyr::jit
