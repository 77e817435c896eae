// System values: gives the lanes of a shader text the values that fixed functions make.
// SPDX-License-Identifier: MIT
//
// Every engine sees the same values. The TGSI interpreter takes any; compiled programs have them in
// registers and uniforms, some of which all lanes share.
#pragma once

#include "app/debug/session/warp_case.hpp"
#include "tgsi/interpreter/interpreter.hpp"
#include "tgsi/shader.hpp"

namespace valkyr::debug {

/// Sets the system values, and the inputs that are no varyings, of invocations that have none yet.
/// Vertices are numbered from 0. Fragments are the first 4x4 pixels of a window, 4 pixels high,
/// with depth 0.5, w 1, front facing, the middle of a point, one sample. Vertices of a control
/// shader have their numbers. All others are 0.
void default_system_values(const tgsi::Shader& shader, tgsi::Group& group);

/// Gives a vertex or fragment warp the values of the group's invocations; the default ones, where
/// they have no register of this number.
/// errors  Unsupported: compiled programs cannot see the values; the text names the register
Result<void>
bind_system_values(WarpCase& warp, const tgsi::Shader& shader, const tgsi::Group& group);

}  // namespace valkyr::debug
