// Register names: finds the GLSL variables that registers of a TGSI text hold.
// SPDX-License-Identifier: MIT
//
// Mesa numbers uniforms and samplers in the order of their declarations, inputs of vertex shaders
// by their locations, uniform blocks by their places in the program. Where the sizes do not fit the
// text, its registers stay without names.
#pragma once

#include "app/cli/glsl_file.hpp"

#include <string>
#include <string_view>

namespace valkyr::app {

/// Lines "REGISTER NAME": "CONST[0][4] ModelView[1]", "SAMP[0] image", "IN[2] normal".
/// interface  of the linked program (program_interface.hpp)
/// glsl       the source of the stage, whose declarations have the order of the uniforms
std::string register_names(const GlslStage& stage,
                           std::string_view interface,
                           std::string_view glsl,
                           std::string_view tgsi);

}  // namespace valkyr::app
