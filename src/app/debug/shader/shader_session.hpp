// Shader session: opens a session on a shader text and values given by hand.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/debugger.hpp"
#include "app/debug/shader/shader_textures.hpp"
#include "tgsi/interpreter/interpreter.hpp"

namespace valkyr::debug {

struct ShaderRequest {
    std::string name;  ///< of the file
    std::string text;
    GlslSource glsl;                      ///< of a GLSL file; else without a text
    tgsi::Shader shader;                  ///< parsed and verified
    tgsi::Group group;                    ///< invocations, buffers; its constants are not read
    std::optional<WorkGroup> work_group;  ///< of a compute shader
    std::shared_ptr<void> memory;         ///< owns the buffers
    std::shared_ptr<const ShaderTextures> textures;  ///< null: they read as 0
    std::vector<std::vector<uint32_t>> constants;
    std::vector<std::string> disabled_passes;
    jit::HostLevel level = jit::best_host_level();  ///< of the host listing
};

/// Compiles the shader and prepares its warp as shader_case.hpp describes.
/// errors   those of compile() and make_shader_case()
Result<std::shared_ptr<const Session>> open_shader(ShaderRequest request);

}  // namespace valkyr::debug
