// Wide arithmetic: computes on binary64 and 64-bit integers for the interpreter.
// SPDX-License-Identifier: MIT
//
// IEEE binary64, round to nearest even; every NaN that is made is 0x7FF8000000000000.
#pragma once

#include <cstdint>

namespace valkyr::tgsi::arith {

inline constexpr uint64_t kNan64 = 0x7FF8000000000000;
inline constexpr uint64_t kAllOnes64 = UINT64_MAX;

uint64_t dadd(uint64_t a, uint64_t b);
uint64_t dmul(uint64_t a, uint64_t b);
uint64_t ddiv(uint64_t a, uint64_t b);
uint64_t dfma(uint64_t a, uint64_t b, uint64_t c);
uint64_t dmin(uint64_t a, uint64_t b);  ///< -0 < +0; a single NaN yields the other operand
uint64_t dmax(uint64_t a, uint64_t b);
uint64_t dsqrt(uint64_t a);
uint64_t drsq(uint64_t a);  ///< 1 / sqrt, rounded twice
uint64_t dtrunc(uint64_t a);
uint64_t dceil(uint64_t a);
uint64_t dfloor(uint64_t a);
uint64_t dround(uint64_t a);  ///< to nearest even
uint64_t dfrac(uint64_t a);   ///< a - floor(a)
uint64_t dsign(uint64_t a);   ///< 1, -1 or 0 (also for NaN)
uint64_t dldexp(uint64_t a, int32_t n);
/// Mantissa in [0.5, 1) and its exponent; zero, infinity and NaN give themselves and 0.
uint64_t dfrexp(uint64_t a, int32_t& exponent);
bool dless(uint64_t a, uint64_t b);
bool dgreater_equal(uint64_t a, uint64_t b);
bool dequal(uint64_t a, uint64_t b);

// Conversions; to integers they truncate and saturate, NaN gives 0.
uint64_t double_from_float(uint32_t a);
uint64_t double_from_int(int32_t a);
uint64_t double_from_uint(uint32_t a);
uint64_t double_from_int64(int64_t a);
uint64_t double_from_uint64(uint64_t a);
uint32_t double_to_float(uint64_t a);
int32_t double_to_int(uint64_t a);
uint32_t double_to_uint(uint64_t a);
int64_t double_to_int64(uint64_t a);
uint64_t double_to_uint64(uint64_t a);
uint32_t float_from_uint64(uint64_t a);
uint32_t float_from_int64(int64_t a);
/// Each half by itself: high = a / 2^32, low = a - high * 2^32, truncating and saturating.
uint64_t float_to_uint64(uint32_t a);
/// float_to_uint64 of |a|, negated for negative a.
uint64_t float_to_int64(uint32_t a);

uint64_t udiv64(uint64_t a, uint64_t b);  ///< by 0: ~0
uint64_t umod64(uint64_t a, uint64_t b);  ///< by 0: ~0
uint64_t idiv64(uint64_t a, uint64_t b);  ///< by 0: ~0
uint64_t imod64(uint64_t a, uint64_t b);  ///< by 0: ~0

}  // namespace valkyr::tgsi::arith
