// Smooth shapes: add the coverage of smooth lines and points to shaders.
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/raster-rules.md "Smooth lines", "Smooth points". Coverage is computed from a
// varying that is added to the shaders: the vertex shader writes its value at full coverage, and
// the front end replaces that at the corners of smooth lines or points.
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

/// Adds the varying to both shaders. The fragment shader kills fragments without coverage, and
/// multiplies the alpha of its colours by the coverage. Outputs that are written by a computed
/// index are kept in temporaries until the end.
/// errors  OutOfRange: no varying left
Result<SmoothShaders>
add_coverage(const tgsi::Shader& vertex, const tgsi::Shader& fragment, SmoothShape shape);

}  // namespace valkyr::gpu
