// IR printer: writes functions as text.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/ir/ir.hpp"

#include <string>

namespace valkyr::valhall::ir {

/// One line an instruction, blocks with their predecessors:
///
///     b1: (from b0, b3)
///         %12 = PHI %3, %20
///         %13 = FMA.f32.clamp_0_1 %12, u4, -0x0        ; 7
///         STORE.i128.istream @%1:%2:%3:%4, {%9, %10}, offset:0
///         branch %13, b2, b3
///
/// Values are %n, registers r<n> (after allocation), literals #0x..., wanted uniforms c[b][w] or
/// driver values d(n); FAU words u<n> after lower_constants. The number behind ; is the text line.
std::string print(const Function& function);
std::string print(const Function& function, const Inst& inst);

}  // namespace valkyr::valhall::ir
