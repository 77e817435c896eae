// Frexp: splits binary32 numbers into mantissa and exponent.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// The range of the mantissa, as valkyr::valhall::arith::FrexpMode defines it.
enum class FrexpMode : uint8_t { Plain, Sqrt, Log };

/// Mantissa of normal numbers; other inputs give unspecified bits. d is not a.
void normal_mantissa(EmitContext& c, Vec d, Vec a, FrexpMode mode);
/// FREXPM. It normalises subnormals first, and keeps zero, infinity and NaN. d is not a.
void frexp_mantissa(EmitContext& c, Vec d, Vec a, FrexpMode mode);
/// FREXPE: 0 for zero, infinity and NaN. d is not a.
void frexp_exponent(EmitContext& c, Vec d, Vec a, FrexpMode mode);

}  // namespace valkyr::jit
