// The instruction functions of the interpreter, by topic; interpret_table.cpp assigns them to Ops.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/arith/arith_exponent.hpp"
#include "valhall/arith/arith_integer.hpp"
#include "valhall/interpreter/interpret.hpp"

#include <cstdint>

namespace valkyr::valhall::interpret {

// clang-format off

// interpret_flow.cpp
void nop(Machine& m, const Instr& i);
void branchz(Machine& m, const Instr& i);
void branchzi(Machine& m, const Instr& i);
void discard(Machine& m, const Instr& i);
void barrier(Machine& m, const Instr& i);
void rejected(Machine& m, const Instr& i);

// interpret_float.cpp
void fadd_f32(Machine& m, const Instr& i);
void fadd_v2f16(Machine& m, const Instr& i);
void fadd_imm_f32(Machine& m, const Instr& i);
void fadd_imm_v2f16(Machine& m, const Instr& i);
void fma_f32(Machine& m, const Instr& i);
void fma_v2f16(Machine& m, const Instr& i);
void fmin_f32(Machine& m, const Instr& i);
void fmin_v2f16(Machine& m, const Instr& i);
void fmax_f32(Machine& m, const Instr& i);
void fmax_v2f16(Machine& m, const Instr& i);
void fround_f32(Machine& m, const Instr& i);
void fround_v2f16(Machine& m, const Instr& i);
void frexpm_f32(Machine& m, const Instr& i);
void frexpm_v2f16(Machine& m, const Instr& i);
void frexpe_f32(Machine& m, const Instr& i);
void frexpe_v2f16(Machine& m, const Instr& i);
void ldexp_f32(Machine& m, const Instr& i);
void ldexp_v2f16(Machine& m, const Instr& i);
template <arith::ZeroProduct zero_product> void fma_rscale(Machine& m, const Instr& i);
void fadd_lscale(Machine& m, const Instr& i);

// interpret_special.cpp
void frcp_f32(Machine& m, const Instr& i);
void frcp_f16(Machine& m, const Instr& i);
void frsq_f32(Machine& m, const Instr& i);
void frsq_f16(Machine& m, const Instr& i);
void frcp_approx(Machine& m, const Instr& i);
void frsq_approx(Machine& m, const Instr& i);
void fexp(Machine& m, const Instr& i);
void flogd(Machine& m, const Instr& i);
void flog_table(Machine& m, const Instr& i);
void fexp_table(Machine& m, const Instr& i);
void fsin_table(Machine& m, const Instr& i);
void fcos_table(Machine& m, const Instr& i);
void fsincos_offset(Machine& m, const Instr& i);
void fpclass_f32(Machine& m, const Instr& i);
void fpclass_f16(Machine& m, const Instr& i);
void cubeface1(Machine& m, const Instr& i);
void cubeface2(Machine& m, const Instr& i);
void cube_ssel(Machine& m, const Instr& i);
void cube_tsel(Machine& m, const Instr& i);

// interpret_convert.cpp: T is the integer type
template <typename T> void integer_to_f32(Machine& m, const Instr& i);     ///< S32/U32_TO_F32
template <typename T> void integer_to_v2f16(Machine& m, const Instr& i);   ///< V2x16_TO_V2F16
template <typename T> void half_integer_to_32(Machine& m, const Instr& i); ///< x16_TO_x32
template <typename T> void half_integer_to_f32(Machine& m, const Instr& i);
template <typename T> void byte_to_32(Machine& m, const Instr& i);         ///< x8_TO_x32
template <typename T> void byte_to_f32(Machine& m, const Instr& i);
template <typename T> void bytes_to_v2_16(Machine& m, const Instr& i);     ///< V2x8_TO_V2x16
template <typename T> void bytes_to_v2f16(Machine& m, const Instr& i);
template <typename T> void f32_to_integer(Machine& m, const Instr& i);     ///< F32_TO_x32
template <typename T> void f16_to_integer(Machine& m, const Instr& i);     ///< F16_TO_x32
template <typename T> void v2f16_to_integer(Machine& m, const Instr& i);   ///< V2F16_TO_V2x16
void f16_to_f32(Machine& m, const Instr& i);
void v2f32_to_v2f16(Machine& m, const Instr& i);
void mov(Machine& m, const Instr& i);
void mkvec_v2i16(Machine& m, const Instr& i);
void mkvec_v2i8(Machine& m, const Instr& i);

// interpret_integer.cpp: T is the lane type
template <typename T> void iadd(Machine& m, const Instr& i);
template <typename T> void isub(Machine& m, const Instr& i);
template <typename T> void iadd_imm(Machine& m, const Instr& i);
template <typename T> void imul(Machine& m, const Instr& i);
void imuld(Machine& m, const Instr& i);
template <typename T> void hadd(Machine& m, const Instr& i);
template <typename T> void iabs(Machine& m, const Instr& i);
template <typename T> void idp(Machine& m, const Instr& i);
template <typename T> void shaddx(Machine& m, const Instr& i);
void seg_add(Machine& m, const Instr& i);
template <typename T> void clz(Machine& m, const Instr& i);
void popcount(Machine& m, const Instr& i);
void bitrev(Machine& m, const Instr& i);
void not_old_i32(Machine& m, const Instr& i);
void not_old_i64(Machine& m, const Instr& i);

// interpret_shift.cpp: U is the lane type
enum class Logic : uint8_t { And, Or, Xor };
enum class Direction : uint8_t { Left, Right };
template <typename U, Direction direction, Logic logic> void shift_logic(Machine& m, const Instr& i);

// interpret_select.cpp
void fcmp_f32(Machine& m, const Instr& i);
void fcmp_v2f16(Machine& m, const Instr& i);
void csel_f32(Machine& m, const Instr& i);
void csel_v2f16(Machine& m, const Instr& i);
template <typename T> void icmp(Machine& m, const Instr& i);
template <typename T> void csel(Machine& m, const Instr& i);
template <typename U> void mux(Machine& m, const Instr& i);

// interpret_lanes.cpp
template <typename U> void clper(Machine& m, const Instr& i);
void wmask(Machine& m, const Instr& i);

// interpret_memory.cpp
template <unsigned bits> void load(Machine& m, const Instr& i);
template <unsigned bits> void store(Machine& m, const Instr& i);
template <unsigned bits> void ld_buffer(Machine& m, const Instr& i);
void lea_buf_imm(Machine& m, const Instr& i);

// interpret_atomic.cpp: U is uint32_t or uint64_t
template <typename U> void atom(Machine& m, const Instr& i);
template <typename U> void atom_return(Machine& m, const Instr& i);
template <typename U> void atom1_return(Machine& m, const Instr& i);

// interpret_input.cpp: attributes and varyings
void ld_attr_imm(Machine& m, const Instr& i);
void ld_attr(Machine& m, const Instr& i);
void lea_attr_imm(Machine& m, const Instr& i);
void lea_attr(Machine& m, const Instr& i);
void ld_var_buf_imm(Machine& m, const Instr& i);
void ld_var_buf(Machine& m, const Instr& i);
void ld_var_imm(Machine& m, const Instr& i);
void ld_var(Machine& m, const Instr& i);
void ld_var_flat_imm(Machine& m, const Instr& i);
void ld_var_flat(Machine& m, const Instr& i);
void ld_var_special(Machine& m, const Instr& i);

// interpret_texture.cpp: textures and images
void tex_single(Machine& m, const Instr& i);
void tex_fetch(Machine& m, const Instr& i);
void tex_gather(Machine& m, const Instr& i);
void var_tex_buf_single(Machine& m, const Instr& i);
void var_tex_buf_gather(Machine& m, const Instr& i);
void var_tex_single(Machine& m, const Instr& i);
void var_tex_gather(Machine& m, const Instr& i);
void ld_tex_imm(Machine& m, const Instr& i);
void ld_tex(Machine& m, const Instr& i);
void lea_tex_imm(Machine& m, const Instr& i);
void lea_tex(Machine& m, const Instr& i);
void st_cvt(Machine& m, const Instr& i);

// interpret_fragment.cpp: end of fragment
void atest(Machine& m, const Instr& i);
void zs_emit(Machine& m, const Instr& i);
void blend(Machine& m, const Instr& i);
void ld_tile(Machine& m, const Instr& i);
void st_tile(Machine& m, const Instr& i);

// clang-format on

}  // namespace valkyr::valhall::interpret
