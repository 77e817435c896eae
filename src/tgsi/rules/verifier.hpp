// TGSI verifier: checks the rules below on a parsed shader, and names each breach with its place.
// SPDX-License-Identifier: MIT
//
// Rules (sources: tgsi.rst; the shape of texts: docs/rules/tgsi.md):
//
// Flow
//   F1  IF, UIF, ELSE, ENDIF, BGNLOOP, ENDLOOP, SWITCH, CASE, DEFAULT, ENDSWITCH, BGNSUB and ENDSUB
//       are balanced; BRK stands in a loop or SWITCH, CONT in a loop; one DEFAULT a SWITCH
//   F2  there is exactly one END; behind it there are only subroutines; the main program does not
//       run into a subroutine
//   F3  the label of CAL is the number of a BGNSUB; no subroutine calls itself, directly or not
//   F4  opcodes stand in the stages that have them
// Declarations
//   D1  registers are declared once (but for components of one register, by usage masks, and for
//       declarations that agree)
//   D2  array ids are unique in their file
//   D3  fragment inputs, fragment outputs and system values have a semantic that fits them; no two
//       registers of a file have the same semantic and index
//   D4  "[]" belongs to inputs of GEOM, TESS_CTRL, TESS_EVAL and to outputs of TESS_CTRL;
//       interpolation belongs to fragment inputs; ATOMIC, WR and so on to their files
//   D5  properties are known, given once, of the shader's stage, and in range; GEOM, TESS_CTRL and
//       TESS_EVAL have the properties that they need
// Operands
//   O1  registers, immediates, index registers and array ids are declared; MEMORY without a
//       declaration is SHARED
//   O2  destinations can be written: TEMP, OUT, NULL; ADDR by ARL, ARR and UARL only; STORE writes
//       BUFFER, IMAGE or MEMORY
//   O3  values come from CONST, IN, OUT, TEMP, ADDR, IMM, SV; resource operands are of the file
//       that the opcode takes
//   O4  one-dimensional and two-dimensional use follow the declaration; one index of a per-vertex
//       output means the invocation's own vertex
//   O5  64-bit operations write pairs xy, zw and read pairs: swizzles xy or zw; their 32-bit
//       results go to x and y, their comparisons to x and z
//   O6  saturate needs a 32-bit float result; resources have no modifiers; integers have no
//       absolute value
//   O7  operands are IMM where the opcode requires it: CASE, EMIT, ENDPRIM, MEMBAR; IN for
//       INTERP_*; a COLOR output for FBFETCH
//   O8  index registers are ADDR or TEMP
// Resources
//   R1  a shader uses TEX-style or SAMPLE-style opcodes, not both
//   R2  the target is one that the opcode can have
//   R3  one texel offset, or one or four for TG4, from IMM, TEMP, CONST or IN
//   R4  images are written only if declared WR; atomics need a 32-bit integer format
//   R5  the target of TEX-style opcodes equals that of SVIEW with the same number, if declared
#pragma once

#include "base/export.hpp"
#include "base/result.hpp"
#include "tgsi/shader.hpp"

#include <vector>

namespace valkyr::tgsi {

/// Checks all rules.
/// returns  errors (Errc::Semantic), in order of the text within each group of rules, at most
///          `max_errors`; empty: the shader is good
VALKYR_API std::vector<Error> verify(const Shader& shader, size_t max_errors = 20);

}  // namespace valkyr::tgsi
