// Shader cache: the interface through which the rasterizer gets programs and kernels.
// SPDX-License-Identifier: MIT
//
// src/gpu implements it with the compiler and the recompiler; nothing of them shows here.
#pragma once

#include "base/result.hpp"
#include "raster/record/pipeline.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace valkyr::raster {

/// Vertex and fragment program of a pipeline, compiled against the same varyings.
struct LinkedStages {
    StageRef vertex;
    StageRef fragment;  ///< never null: a pipeline without a fragment shader gets an empty one
    /// Byte of the vertex record that the coverage of smooth shapes comes from; 0 if none are
    /// smooth.
    uint16_t coverage_offset = 0;
    StreamLayout stream;  ///< where the vertex program leaves what stream output captures
};

class ShaderCache {
public:
    virtual ~ShaderCache() = default;

    /// Parses and verifies. errors  the first error of the text, with its place
    virtual Result<ShaderRef>
    shader(const DeviceTag* owner, std::string_view text, std::string name) = 0;
    /// Links and compiles; found again if the same shaders were linked before.
    /// smooth  the fragment stage multiplies alpha with the coverage of these shapes
    /// errors  InvalidState: not shaders of this device or stage, captured outputs that do not
    ///         exist; what the compiler reports
    virtual Result<LinkedStages> link(const DeviceTag* owner,
                                      const ShaderRef& vertex,
                                      const ShaderRef& fragment,
                                      const StreamOutputState& stream,
                                      SmoothShape smooth) = 0;

    /// Kernels made and found again since the last call.
    virtual void take_statistics(Statistics& statistics) = 0;
};

}  // namespace valkyr::raster
