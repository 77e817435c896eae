// Special-function instructions: reciprocals, FEXP, FLOGD, tables, FPCLASS, cube-map helpers.
// SPDX-License-Identifier: MIT
#include "valhall/arith/arith_special.hpp"
#include "valhall/interpreter/interpret_ops.hpp"

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

void frcp_f32(Machine& m, const Instr& i) {
    f32_unary<arith::frcp>(m, i);
}
void frcp_f16(Machine& m, const Instr& i) {
    f16_unary<arith::hrcp>(m, i);
}
void frsq_f32(Machine& m, const Instr& i) {
    f32_unary<arith::frsq>(m, i);
}
void frsq_f16(Machine& m, const Instr& i) {
    f16_unary<arith::hrsq>(m, i);
}
void frcp_approx(Machine& m, const Instr& i) {
    f32_unary<arith::frcp_approx>(m, i);
}
void frsq_approx(Machine& m, const Instr& i) {
    f32_unary<arith::frsq_approx>(m, i);
}
void flogd(Machine& m, const Instr& i) {
    f32_unary<arith::flogd>(m, i);
}
void flog_table(Machine& m, const Instr& i) {
    f32_unary<arith::flog_table>(m, i);
}
void fexp_table(Machine& m, const Instr& i) {
    table_lookup<arith::fexp_table>(m, i);
}
void fsin_table(Machine& m, const Instr& i) {
    table_lookup<arith::fsin_table>(m, i);
}
void fcos_table(Machine& m, const Instr& i) {
    table_lookup<arith::fcos_table>(m, i);
}

void fsincos_offset(Machine& m, const Instr& i) {
    write(m, i.dest, Lanes{});  // the adopted correction of the table angle is +0
}

void fexp(Machine& m, const Instr& i) {
    const Lanes fixed = word(m, i.src[0]);
    const Lanes scaled = f32_plain(m, i.src[1]);
    write(m, i.dest, each([&](unsigned l) {
              return as_bits(arith::fexp(fixed.v[l], as_float(scaled.v[l])));
          }));
}

void fpclass_f32(Machine& m, const Instr& i) {
    write(m, i.dest,
          map(f32(m, i.src[0]), [](uint32_t x) { return arith::classify(arith::kBinary32, x); }));
}

void fpclass_f16(Machine& m, const Instr& i) {
    write(m, i.dest,
          map(f16(m, i.src[0]), [](uint32_t x) { return arith::classify(arith::kBinary16, x); }));
}

void cubeface1(Machine& m, const Instr& i) {
    const Lanes x = f32_plain(m, i.src[0]);
    const Lanes y = f32_plain(m, i.src[1]);
    const Lanes z = f32_plain(m, i.src[2]);
    write(m, i.dest, each([&](unsigned l) {
              return as_bits(
                  arith::cube_face1(as_float(x.v[l]), as_float(y.v[l]), as_float(z.v[l])));
          }));
}

void cubeface2(Machine& m, const Instr& i) {
    const Lanes x = f32_plain(m, i.src[0]);
    const Lanes y = f32_plain(m, i.src[1]);
    const Lanes z = f32_plain(m, i.src[2]);
    write(m, i.dest, each([&](unsigned l) {
              return arith::cube_face2(as_float(x.v[l]), as_float(y.v[l]), as_float(z.v[l]));
          }));
}

void cube_ssel(Machine& m, const Instr& i) {
    cube_select<arith::cube_s>(m, i);
}
void cube_tsel(Machine& m, const Instr& i) {
    cube_select<arith::cube_t>(m, i);
}

}  // namespace valkyr::valhall::interpret
