// TGSI printer: turns a Shader into text as Mesa 22.3 prints it.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"
#include "tgsi/shader.hpp"

#include <string>

namespace valkyr::tgsi {

/// The canonical text: one statement a line in the order of the shader, instructions numbered and
/// indented. parse(print(s)) gives s again (but for positions), so print is a fixed point; texts
/// that Mesa printed come out as they went in.
VALKYR_API std::string print(const Shader& shader);

/// One instruction without number, indentation and newline.
VALKYR_API std::string print(const Instruction& instr);

/// One declaration without newline.
VALKYR_API std::string print(const Declaration& decl);

/// A register reference: "TEMP[ADDR[0].x+3](1)".
VALKYR_API std::string print(const RegisterRef& ref);

}  // namespace valkyr::tgsi
