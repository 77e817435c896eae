// Model check: checks the text of an OBJ file for the parser, which trusts it.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/model.hpp"

namespace valkyr::examples {

/// Returns the text with comments and unused statements blanked, or the first error with its line.
/// Lines keep their numbers and end with \n. Statements that stay: v, vt, vn, f, o, g, s, usemtl,
/// mtllib.
/// errors  those of read_model() that concern the text
Result<std::string>
check_model_text(std::string text, const ModelLimits& limits, const Progress& progress);

}  // namespace valkyr::examples
