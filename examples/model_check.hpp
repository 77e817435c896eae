// Model check: checks the text of an OBJ file before a parser that trusts it.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/model.hpp"

namespace valkyr::examples {

/// The text with all statements and comments blanked that models are not made of (lines keep their
/// numbers, and end with \n), or the first error with its line. Statements that stay: v, vt, vn, f,
/// o, g, s, usemtl, mtllib.
/// errors  those of read_model() that are about the text
Result<std::string>
check_model_text(std::string text, const ModelLimits& limits, const Progress& progress);

}  // namespace valkyr::examples
