// Smooth shapes: add the coverage of smooth lines and points to shaders.
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/raster-rules.md "Smooth lines", "Smooth points". The coverage follows from a
// varying that no application knows of: the vertex shader gives it the value of "wholly covered",
// which everything else keeps; the front end gives the corners of smooth lines, or points, theirs.
#pragma once

#include "base/result.hpp"
#include "raster/data/draw_record.hpp"
#include "tgsi/shader.hpp"

#include <cstdint>

namespace valkyr::gpu {

using namespace raster;

struct SmoothShaders {
    tgsi::Shader vertex;
    tgsi::Shader fragment;
    uint8_t generic = 0;  ///< semantic index of the varying
};

/// Both shaders with the varying; the fragment shader kills what is not covered at all, and
/// multiplies the alpha of its colours. Outputs that are written by a computed index are kept in
/// temporaries until the end.
/// errors  OutOfRange: no varying left
Result<SmoothShaders>
add_coverage(const tgsi::Shader& vertex, const tgsi::Shader& fragment, SmoothShape shape);

}  // namespace valkyr::gpu
