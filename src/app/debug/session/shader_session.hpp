// Shader session: opens a session on a shader text and values given by hand.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/debugger.hpp"
#include "tgsi/interpreter/interpreter.hpp"

namespace valkyr::debug {

struct ShaderRequest {
    std::string name;  ///< of the file
    std::string text;
    tgsi::Shader shader;  ///< parsed and verified
    tgsi::Group group;    ///< invocations; its constants are not read
    std::vector<std::vector<uint32_t>> constants;
    std::vector<std::string> disabled_passes;
    jit::HostLevel level = jit::best_host_level();  ///< of the host listing
};

/// Compiles the shader and prepares its warp as shader_case.hpp describes.
/// errors   those of compile() and make_shader_case()
Result<std::shared_ptr<const Session>> open_shader(ShaderRequest request);

}  // namespace valkyr::debug
