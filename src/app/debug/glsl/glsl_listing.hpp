// GLSL listing: the GLSL of a session's shader, and the lines that its TGSI text comes from.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/glsl/glsl_sources.hpp"
#include "app/debug/glsl/line_match.hpp"
#include "tgsi/shader.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::debug {

struct GlslListing {
    std::string title;                ///< "GLSL program 3, FRAG"
    std::vector<std::string> source;  ///< lines; line 1 is source[0]; empty: no GLSL is known
    std::vector<GlslLine> lines;      ///< by line of the TGSI text
    RegisterNames names;

    [[nodiscard]] bool is_known() const { return !source.empty(); }
    /// The line of GLSL of a line of the TGSI text.
    [[nodiscard]] GlslLine line_of(uint32_t line) const {
        return line < lines.size() ? lines[line] : GlslLine{};
    }
    /// Lines of the TGSI text that come from a line of GLSL.
    [[nodiscard]] std::vector<uint32_t> lines_from(uint32_t glsl) const;
    /// Registers of a variable, as watches name them: "CONST[4]" for "ModelView", which may also be
    /// an element, "ModelView[0]".
    [[nodiscard]] std::vector<std::string> registers_of(std::string_view variable) const;
};

/// The listing of a source; nothing is known without one.
GlslListing make_glsl_listing(const SourceMatch& match, const tgsi::Shader& shader);

}  // namespace valkyr::debug
