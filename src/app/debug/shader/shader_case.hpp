// Shader case: makes a warp from a shader text and values given by hand.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/warp_case.hpp"
#include "app/debug/shader/shader_textures.hpp"
#include "tgsi/interpreter/interpreter.hpp"

namespace valkyr::debug {

/// Runs a prologue.
using RunPrologue = std::function<Result<void>(const valhall::Program&, exec::ComputeCall&)>;

/// A case of one warp whose lanes are the invocations of `group`, with IN and CONST as the TGSI
/// interpreter has them. Images and buffers read as 0; WarpResult::draw keeps the
/// messages of fragments. Pixels have one sample. System values are those of the group
/// (system_values.hpp). The constants of the group must outlive the case.
/// Tessellation shaders get one patch (fill_patch()).
/// textures    null: textures read as 0. They must outlive the case
/// work_group  of a compute shader: it runs as a whole, with copies of the buffers of `group`
/// errors   Unsupported: more than 16 lanes, system values that a warp cannot have; what
///          run_prologue reports
Result<std::unique_ptr<WarpCase>> make_shader_case(const tgsi::Shader& shader,
                                                   std::shared_ptr<const valhall::Program> program,
                                                   const tgsi::Group& group,
                                                   const RunPrologue& run_prologue,
                                                   const WorkGroup* work_group = nullptr,
                                                   const ShaderTextures* textures = nullptr);

}  // namespace valkyr::debug
