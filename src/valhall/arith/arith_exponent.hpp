// Exponent tools: FREXPM, FREXPE, LDEXP, FMA_RSCALE*, FADD_LSCALE.
// SPDX-License-Identifier: MIT
//
// A finite nonzero x = s * 2^e * m with 1 <= m < 2; subnormals are normalised first.
#pragma once

#include "valhall/arith/arith_half.hpp"

#include <cstdint>

namespace valkyr::valhall::arith {

/// Mantissa range of FREXPM and FREXPE.
enum class FrexpMode : uint8_t {
    Plain,  ///< mantissa in [0.5, 1)
    Sqrt,   ///< mantissa in [0.25, 1), even exponent: x = M * 4^E
    Log,    ///< mantissa in [0.75, 1.5)
};

/// FREXPM on the bits of a number: mantissa with the sign kept; 0 and infinity are returned as
/// they are, NaN as the quiet NaN.
uint32_t frexp_mantissa(const BinaryFormat& format, uint32_t bits, FrexpMode mode);

/// FREXPE: the exponent that belongs to frexp_mantissa; 0 for zero, infinity and NaN.
int32_t frexp_exponent(const BinaryFormat& format, uint32_t bits, FrexpMode mode);

/// LDEXP: x * 2^exponent with one rounding; zero and infinity pass.
uint32_t ldexp(const BinaryFormat& format, uint32_t bits, int32_t exponent, RoundMode mode);

/// Value that FMA_RSCALE* puts in place of a product with a zero factor.
enum class ZeroProduct : uint8_t {
    Multiply,  ///< FMA_RSCALE: as IEEE says
    Zero,      ///< FMA_RSCALE_N: +0, even against infinity and NaN
    Left,      ///< FMA_RSCALE_LEFT: the first factor
};

/// (a * b + c) * 2^scale, the exact value rounded once to nearest even.
float fma_rscale(float a, float b, float c, int32_t scale, ZeroProduct zero_product);

/// FADD_LSCALE: a + L(b), where L(b) is b scaled to a magnitude in [0.75, 1.5); zero, subnormals,
/// infinity and NaN are not scaled.
float fadd_lscale(float a, float b);

}  // namespace valkyr::valhall::arith
