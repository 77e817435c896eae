// Special-function instructions: reciprocals, FEXP, FLOGD, tables, FPCLASS, cube-map helpers.
// SPDX-License-Identifier: MIT
#include "valhall/arith/arith_special.hpp"
#include "valhall/interpreter/interpret.hpp"

namespace valkyr::valhall::interpret {

namespace {

template <auto operation>
void f32_unary(Machine& m, const Instr& i) {
    write(m, i.dest,
          map(f32(m, i.src[0]), [](uint32_t x) { return as_bits(operation(as_float(x))); }));
}

/// One half in, one half out.
template <auto operation>
void f16_unary(Machine& m, const Instr& i) {
    write_half(m, i.dest, map(f16(m, i.src[0]), [](uint32_t x) {
                   return uint32_t{operation(static_cast<uint16_t>(x))};
               }));
}

template <auto operation>
void table_lookup(Machine& m, const Instr& i) {
    write(m, i.dest, map(word(m, i.src[0]), [](uint32_t x) { return as_bits(operation(x)); }));
}

template <auto operation>
void cube_select(Machine& m, const Instr& i) {
    const Lanes a = f32_plain(m, i.src[0]);
    const Lanes b = f32_plain(m, i.src[1]);
    const Lanes face = word(m, i.src[2]);
    write(m, i.dest, each([&](unsigned l) {
              return as_bits(operation(as_float(a.v[l]), as_float(b.v[l]), face.v[l]));
          }));
}

}  // namespace

VALKYR_INTERPRET_AS(FRCP_F32, f32_unary<arith::frcp>(m, i))
VALKYR_INTERPRET_AS(FRCP_F16, f16_unary<arith::hrcp>(m, i))
VALKYR_INTERPRET_AS(FRSQ_F32, f32_unary<arith::frsq>(m, i))
VALKYR_INTERPRET_AS(FRSQ_F16, f16_unary<arith::hrsq>(m, i))
VALKYR_INTERPRET_AS(FRCP_APPROX_F32, f32_unary<arith::frcp_approx>(m, i))
VALKYR_INTERPRET_AS(FRSQ_APPROX_F32, f32_unary<arith::frsq_approx>(m, i))
VALKYR_INTERPRET_AS(FLOGD_F32, f32_unary<arith::flogd>(m, i))
VALKYR_INTERPRET_AS(FLOG_TABLE_F32, f32_unary<arith::flog_table>(m, i))
VALKYR_INTERPRET_AS(FEXP_TABLE_U4, table_lookup<arith::fexp_table>(m, i))
VALKYR_INTERPRET_AS(FSIN_TABLE_U6, table_lookup<arith::fsin_table>(m, i))
VALKYR_INTERPRET_AS(FCOS_TABLE_U6, table_lookup<arith::fcos_table>(m, i))

VALKYR_INTERPRET(FSINCOS_OFFSET_U6) {
    write(m, i.dest, Lanes{});  // the adopted correction of the table angle is +0
}

VALKYR_INTERPRET(FEXP_F32) {
    const Lanes fixed = word(m, i.src[0]);
    const Lanes scaled = f32_plain(m, i.src[1]);
    write(m, i.dest, each([&](unsigned l) {
              return as_bits(arith::fexp(fixed.v[l], as_float(scaled.v[l])));
          }));
}

VALKYR_INTERPRET(FPCLASS_F32) {
    write(m, i.dest,
          map(f32(m, i.src[0]), [](uint32_t x) { return arith::classify(arith::kBinary32, x); }));
}

VALKYR_INTERPRET(FPCLASS_F16) {
    write(m, i.dest,
          map(f16(m, i.src[0]), [](uint32_t x) { return arith::classify(arith::kBinary16, x); }));
}

VALKYR_INTERPRET(CUBEFACE1) {
    const Lanes x = f32_plain(m, i.src[0]);
    const Lanes y = f32_plain(m, i.src[1]);
    const Lanes z = f32_plain(m, i.src[2]);
    write(m, i.dest, each([&](unsigned l) {
              return as_bits(
                  arith::cube_face1(as_float(x.v[l]), as_float(y.v[l]), as_float(z.v[l])));
          }));
}

VALKYR_INTERPRET(CUBEFACE2) {
    const Lanes x = f32_plain(m, i.src[0]);
    const Lanes y = f32_plain(m, i.src[1]);
    const Lanes z = f32_plain(m, i.src[2]);
    write(m, i.dest, each([&](unsigned l) {
              return arith::cube_face2(as_float(x.v[l]), as_float(y.v[l]), as_float(z.v[l]));
          }));
}

VALKYR_INTERPRET_AS(CUBE_SSEL, cube_select<arith::cube_s>(m, i))
VALKYR_INTERPRET_AS(CUBE_TSEL, cube_select<arith::cube_t>(m, i))

}  // namespace valkyr::valhall::interpret
