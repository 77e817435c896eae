// Line match: finds the line of GLSL that each line of a TGSI text comes from.
// SPDX-License-Identifier: MIT
//
// The anchors of both texts (anchors.hpp) are laid side by side so that what they share weighs most
// and stays in order. A line is certain if it has a name, constant or function that only one line
// of the GLSL has; other lines belong to the place around them.
#pragma once

#include "app/debug/glsl/anchors.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace valkyr::debug {

/// The line of GLSL of a line of TGSI.
struct GlslLine {
    uint32_t line = 0;     ///< from 1; 0: not known
    bool certain = false;  ///< else it may be a line nearby
    friend bool operator==(const GlslLine&, const GlslLine&) = default;
};

/// By line of the TGSI text, from 1: entry 0 is empty. Empty: nothing matches.
std::vector<GlslLine>
match_lines(std::string_view glsl, const tgsi::Shader& shader, const RegisterNames& names);

}  // namespace valkyr::debug
