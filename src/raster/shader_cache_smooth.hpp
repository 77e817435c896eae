// Smooth lines: shaders with the coverage of the line's pixels in their alpha.
// SPDX-License-Identifier: MIT
//
// Rule: docs/raster-rules.md "Smooth lines". The coverage follows from a varying that no
// application knows of: the vertex shader gives it the value of "wholly covered", which points and
// triangles keep; the front end gives the corners of smooth lines theirs.
#pragma once

#include "base/result.hpp"
#include "tgsi/shader.hpp"

#include <cstdint>

namespace valkyr::raster {

struct SmoothShaders {
    tgsi::Shader vertex;
    tgsi::Shader fragment;
    uint8_t generic = 0;  ///< semantic index of the varying
};

/// Both shaders with the varying; the fragment shader multiplies the alpha of its colours.
/// errors  Unsupported: colours that are written by a computed index; OutOfRange: no varying left
Result<SmoothShaders> add_line_coverage(const tgsi::Shader& vertex, const tgsi::Shader& fragment);

}  // namespace valkyr::raster
