// Special functions: reciprocals, exponential, logarithm, table look-ups, cube-map helpers.
// SPDX-License-Identifier: MIT
//
// For each of these the algorithm is the definition, not the mathematical function: the same f32
// operations in the same order with fused FMA (docs/rules/isa-notes.md "Special functions").
#pragma once

#include "valhall/arith/arith_half.hpp"
#include "valhall/arith/arith_tables.hpp"

#include <cstdint>

namespace valkyr::valhall::arith {

/// FRCP.f32: one IEEE division.
float frcp(float x);
/// FRSQ.f32: RN(1 / RN(sqrt(x))); -0 gives -inf, negative gives NaN.
float frsq(float x);
/// FRCP.f16 and FRSQ.f16: computed by frcp() and frsq(), then rounded to binary16.
uint16_t hrcp(uint16_t x);
uint16_t hrsq(uint16_t x);
/// FRCP_APPROX: 1 / FREXPM(x) rounded to 17 significant bits.
float frcp_approx(float x);
/// FRSQ_APPROX: FRSQ(FREXPM.sqrt(x)) rounded to 17 significant bits.
float frsq_approx(float x);

/// FEXP: 2^(fixed / 2^24), fixed signed 8.24; `scaled` is the same number as a float times 2^24
/// and settles overflow and NaN. Results below 2^-126 are 0. Error at most 0.985 ulp.
float fexp(uint32_t fixed, float scaled);
/// FLOGD: log2(m) / (m - 1) for the mantissa m of x in [0.75, 1.5). Error at most 0.902 ulp.
float flogd(float x);
/// FLOG_TABLE, reduction: 1/m at the midpoint of one of 16 mantissa intervals, rounded to five
/// bits; 1.0 for zero, infinity and NaN.
float flog_table(float x);

inline float fsin_table(uint32_t k) {
    return as_float(kSinTable[k & 63]);
}
inline float fcos_table(uint32_t k) {
    return as_float(kCosTable[k & 63]);
}
inline float fexp_table(uint32_t k) {
    return as_float(kExp2Table[k & 15]);
}

/// CUBEFACE1: the largest magnitude M; NaN if any is NaN, 1.0 for infinity, 2.0 below 2^-126.
float cube_face1(float x, float y, float z);
/// CUBEFACE2: face << 29 (0 +X, 1 -X, 2 +Y, 3 -Y, 4 +Z, 5 -Z), bit 16 set if M is infinite.
uint32_t cube_face2(float x, float y, float z);
/// CUBE_SSEL and CUBE_TSEL: the s and t coordinate of a face word; with bit 16 set, infinite
/// values become +-1 and finite ones +-0. Faces 6 and 7 select as 4 and 5.
float cube_s(float z, float x, uint32_t face_word);
float cube_t(float y, float z, uint32_t face_word);

}  // namespace valkyr::valhall::arith
