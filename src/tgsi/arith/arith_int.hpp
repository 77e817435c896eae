// Integer arithmetic: computes on 32-bit integers for the interpreter.
// SPDX-License-Identifier: MIT
//
// Shift counts are taken modulo 32; divisions never trap. Sources: tgsi.rst "Integer ISA", "Bitwise
// ISA"; docs/rules/tgsi.md fixes the cases that they leave open.
#pragma once

#include <cstdint>

namespace valkyr::tgsi::arith {

uint32_t shl(uint32_t a, uint32_t n);
uint32_t ushr(uint32_t a, uint32_t n);
uint32_t ishr(uint32_t a, uint32_t n);
uint32_t umul_hi(uint32_t a, uint32_t b);
uint32_t imul_hi(uint32_t a, uint32_t b);
uint32_t udiv(uint32_t a, uint32_t b);  ///< by 0: ~0
uint32_t umod(uint32_t a, uint32_t b);  ///< by 0: ~0
uint32_t idiv(uint32_t a, uint32_t b);  ///< by 0: -1 for a >= 0, else 1
uint32_t imod(uint32_t a, uint32_t b);  ///< sign of a; by 0 as idiv
uint32_t iabs(uint32_t a);
uint32_t isign(uint32_t a);
uint32_t ubfe(uint32_t value, uint32_t offset, uint32_t bits);
uint32_t ibfe(uint32_t value, uint32_t offset, uint32_t bits);
uint32_t bfi(uint32_t base, uint32_t insert, uint32_t offset, uint32_t bits);
uint32_t reverse_bits(uint32_t a);
uint32_t lowest_bit(uint32_t a);            ///< -1 for 0
uint32_t highest_bit(uint32_t a);           ///< -1 for 0
uint32_t highest_non_sign_bit(uint32_t a);  ///< -1 for 0 and -1

}  // namespace valkyr::tgsi::arith
