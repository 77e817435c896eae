// Shader test files: reads the programs that Mesa writes for MESA_SHADER_CAPTURE_PATH.
// SPDX-License-Identifier: MIT
#include "app/glsl/shader_test.hpp"

#include <algorithm>

namespace valkyr::app {

namespace {

/// The headings of sections, in the order of glsl_stages().
constexpr std::string_view kHeadings[] = {"[vertex shader]",
                                          "[tessellation control shader]",
                                          "[tessellation evaluation shader]",
                                          "[geometry shader]",
                                          "[fragment shader]",
                                          "[compute shader]"};

const GlslStage* stage_of_heading(std::string_view line) {
    for (size_t i = 0; i < std::size(kHeadings); ++i)
        if (line == kHeadings[i])
            return &glsl_stages()[i];
    return nullptr;
}

}  // namespace

CapturedProgram parse_shader_test(std::string_view text) {
    CapturedProgram program;
    CapturedProgram::Source* source = nullptr;  ///< of the section; null: it is no shader
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (const GlslStage* const stage = stage_of_heading(line)) {
            source = &program.sources.emplace_back();
            source->stage = stage;
        } else if (line == "[require]") {
            source = nullptr;
        } else if (source != nullptr) {
            source->text += std::string(line) + "\n";
        } else if (line == "SSO ENABLED") {
            program.separable = true;
        } else if (line.starts_with("GLSL ES ")) {
            program.es = true;
        }
    }
    // Mesa puts an empty line behind each source.
    for (CapturedProgram::Source& each : program.sources)
        while (each.text.ends_with("\n\n"))
            each.text.pop_back();
    return program;
}

}  // namespace valkyr::app
