// Eval program: runs a compiled shader on the inputs of `valkyr eval`.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/warp_case.hpp"
#include "app/debug/shader/shader_textures.hpp"
#include "base/result.hpp"
#include "tgsi/interpreter/interpreter.hpp"

#include <cstdint>
#include <string>

namespace valkyr::app {

/// How a compiled shader runs.
struct CompiledRun {
    std::string engine;  ///< "valhall" or "jit"
    uint64_t steps = 0;  ///< the interpreter stops with an error after so many instructions
    /// The work-group of a compute shader, else null. Its memory is that of the group.
    const debug::WorkGroup* place = nullptr;
    const debug::ShaderTextures* textures = nullptr;  ///< null: they read as 0
};

/// Runs a vertex, geometry or fragment shader, or a work-group. It reads IN, SV and CONST from
/// `group` and writes OUT and `killed` there, as the TGSI interpreter does.
/// errors   Unsupported: another stage, more than 16 lanes, no recompiler for this host, or what
///          the compiler refuses; OutOfRange: the run does not end, or faults
Result<void> run_compiled(const tgsi::Shader& shader, const CompiledRun& run, tgsi::Group& group);

/// Races of a work-group on its shared memory.
struct GroupRaces {
    bool found = false;
    std::string text;
};
/// Runs a work-group by the interpreter as run_compiled() does, and looks for races.
/// name     of the text's file
Result<GroupRaces> run_race_check(const tgsi::Shader& shader,
                                  uint64_t steps,
                                  tgsi::Group& group,
                                  const debug::WorkGroup& place,
                                  const std::string& name);

}  // namespace valkyr::app
