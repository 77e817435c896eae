// Runs a compiled shader on the inputs of valkyr eval: on the Valhall interpreter or recompiled.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "tgsi/interpreter/interpreter.hpp"

#include <cstdint>
#include <string>

namespace valkyr::app {

/// Runs a vertex or fragment shader; inputs and results are where the TGSI interpreter has them in
/// `group`: IN, CONST; OUT and `killed`. Textures and buffers read as 0. Fragment shaders see the
/// first pixels of a window, depth 0.5, w 1, front faces, one sample.
/// engine   "valhall" or "jit"
/// steps    instructions before a run on the interpreter counts as endless
/// errors   Unsupported: another stage, more than 16 lanes, no recompiler for this host, or what
///          the compiler refuses; OutOfRange: the run does not end, or faults
Result<void> run_compiled(const tgsi::Shader& shader,
                          const std::string& engine,
                          uint64_t steps,
                          tgsi::Group& group);

}  // namespace valkyr::app
