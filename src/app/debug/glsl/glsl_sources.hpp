// GLSL sources: finds the GLSL that a TGSI text of a recorded program comes from.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::debug {

/// A stage of an OpenGL program.
struct GlslSource {
    uint32_t program = 0;   ///< number in the recording, from 1; 0: a file
    std::string processor;  ///< the first word of its TGSI text
    std::string glsl;
    std::string tgsi;   ///< that Mesa makes of it when it links the program
    std::string names;  ///< of registers (parse_names)
};

/// The stages that became a text, and how like it their own texts are.
struct SourceMatch {
    const GlslSource* source = nullptr;  ///< null: none is like it
    uint32_t likeness = 0;               ///< percent; 100: the same text
    uint32_t others = 0;                 ///< more sources that are as like it, with other GLSL
};

using GlslSources = std::vector<GlslSource>;

/// Least likeness of a match. Mesa compiles variants of a program for states of a draw, such as
/// flat shading, whose texts differ in some lines.
inline constexpr uint32_t kLeastLikeness = 50;

SourceMatch find_source(const GlslSources& sources, std::string_view tgsi);

/// "GLSL program 3, FRAG", and how it was found: "(another form of it, 93 % of lines equal)".
std::string describe_match(const SourceMatch& match);

}  // namespace valkyr::debug
