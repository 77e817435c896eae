// Anchors: what GLSL and TGSI texts of one shader have in common, in the order of execution.
// SPDX-License-Identifier: MIT
//
// Mesa's TGSI text has no lines of GLSL. It keeps what this file lists: registers that stand for
// uniforms, inputs, outputs and samplers, constants, functions of the machine, and the flow.
#pragma once

#include "tgsi/shader.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::debug {

/// One occurrence: "name ModelView", "number 3f000000", "sin", "loop", "mul".
struct Anchor {
    std::string symbol;
    uint32_t line = 0;  ///< of its text, from 1
};

/// Names of registers: "CONST[0][4]" is "ModelView[1]".
using RegisterNames = std::map<std::string, std::string>;

/// Reads lines "REGISTER NAME".
RegisterNames parse_names(std::string_view text);

/// Most anchors of a text that are compared; longer texts keep those in front.
inline constexpr size_t kMostAnchors = 6000;

/// The anchors of a GLSL text: functions of the program stand where they are called.
std::vector<Anchor> glsl_anchors(std::string_view source);

/// The anchors of a TGSI text.
std::vector<Anchor> tgsi_anchors(const tgsi::Shader& shader, const RegisterNames& names);

/// The worth of an anchor when two texts are laid side by side, from 1 for a sum, which may be
/// anywhere, to 8 for a name.
unsigned anchor_weight(std::string_view symbol);

/// The name without indexes and members: "lights" of "lights[2].position".
std::string base_name(std::string_view name);

/// The name without indexes: "lights.position". Members that may be components, such as "xy", are
/// left out.
std::string plain_name(std::string_view name);
/// Whether a member may be components of a vector: "xy", "rgb".
bool may_be_swizzle(std::string_view member);

}  // namespace valkyr::debug
