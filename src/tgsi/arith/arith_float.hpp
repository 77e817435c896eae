// Float arithmetic: computes on binary32 and binary16 bit patterns for the interpreter.
// SPDX-License-Identifier: MIT
//
// Clear before fast, and independent of the Valhall side, which must give the same bits
// (docs/rules/tgsi.md lists which operations are defined to the bit and which within an error
// bound). Every NaN that is made here is 0x7FC00000. Round to nearest even; subnormals are kept
// unless a comment says otherwise.
#pragma once

#include "base/float_bits.hpp"

#include <cstdint>

namespace valkyr::tgsi::arith {

inline constexpr uint32_t kNan = float_bits::kQuietNan;
inline constexpr uint32_t kOne = float_bits::kOne;
inline constexpr uint32_t kNegZero = float_bits::kSign;
inline constexpr uint32_t kAllOnes = 0xFFFFFFFF;

using float_bits::is_nan;
bool is_subnormal(uint32_t a);

// Exactly rounded.
uint32_t add(uint32_t a, uint32_t b);
uint32_t mul(uint32_t a, uint32_t b);
uint32_t fma(uint32_t a, uint32_t b, uint32_t c);  ///< fused
/// a * b + c where a zero factor makes the product +0, even against infinity and NaN.
uint32_t fma_zero_wins(uint32_t a, uint32_t b, uint32_t c);
/// minNum and maxNum with -0 < +0: a single NaN operand yields the other one.
uint32_t min(uint32_t a, uint32_t b);
uint32_t max(uint32_t a, uint32_t b);
/// min(max(a, lo), hi): a NaN becomes lo.
uint32_t clamp(uint32_t a, uint32_t lo, uint32_t hi);
uint32_t saturate(uint32_t a);
uint32_t floor(uint32_t a);
uint32_t ceil(uint32_t a);
uint32_t trunc(uint32_t a);
uint32_t round_even(uint32_t a);
/// a * 2^n, rounded once.
uint32_t ldexp(uint32_t a, int32_t n);

// Comparisons as C++ has them: false on NaN, but for not_equal.
bool less(uint32_t a, uint32_t b);
bool greater_equal(uint32_t a, uint32_t b);
bool equal(uint32_t a, uint32_t b);

/// 1/a, rounded once.
uint32_t rcp(uint32_t a);

// Within an error bound: computed in double and rounded once.
uint32_t rsq(uint32_t a);
uint32_t sqrt(uint32_t a);  ///< -0 gives -0
uint32_t div(uint32_t a, uint32_t b);
uint32_t exp2(uint32_t a);  ///< results below 2^-126 become 0
uint32_t log2(uint32_t a);
/// exp2(b * log2(a)): NaN for a < 0, but 1 for b = 0 and for a = 1.
uint32_t pow(uint32_t a, uint32_t b);
uint32_t sin(uint32_t a);
uint32_t cos(uint32_t a);

// Conversions. To integers: saturating, NaN gives 0.
enum class Round : uint8_t { Zero, Even, Down };
int32_t to_int(uint32_t a, Round mode);
uint32_t to_uint(uint32_t a, Round mode);
uint32_t from_int(int32_t a);
uint32_t from_uint(uint32_t a);
uint16_t to_half(uint32_t a);  ///< NaN gives 0x7E00
uint32_t from_half(uint16_t a);

}  // namespace valkyr::tgsi::arith
