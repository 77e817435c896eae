// Shader test files: reads the programs that Mesa writes for MESA_SHADER_CAPTURE_PATH.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/glsl_file.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace valkyr::app {

/// A program that was linked.
struct CapturedProgram {
    struct Source {
        const GlslStage* stage = nullptr;
        std::string text;
        friend bool operator==(const Source&, const Source&) = default;
    };
    bool separable = false;
    bool es = false;  ///< of OpenGL ES, whatever its sources say
    std::vector<Source> sources;
    friend bool operator==(const CapturedProgram&, const CapturedProgram&) = default;
};

/// Reads sections "[require]" and "[vertex shader]" to "[compute shader]"; others are left out. A
/// text without shaders gives a program without sources.
CapturedProgram parse_shader_test(std::string_view text);

}  // namespace valkyr::app
