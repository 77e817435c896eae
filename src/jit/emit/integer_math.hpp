// Integer math: saturates, and computes 64-bit sums.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

// 32-bit lanes; d may be a source.
void add_saturate_u32(EmitContext& c, Vec d, Vec a, Vec b);
void sub_saturate_u32(EmitContext& c, Vec d, Vec a, Vec b);
void add_saturate_s32(EmitContext& c, Vec d, Vec a, Vec b);
void sub_saturate_s32(EmitContext& c, Vec d, Vec a, Vec b);

// 64 bits in two registers; the results are new temporaries.
VecPair add_u64(EmitContext& c, const VecPair& a, const VecPair& b);
VecPair sub_u64(EmitContext& c, const VecPair& a, const VecPair& b);

}  // namespace valkyr::jit
