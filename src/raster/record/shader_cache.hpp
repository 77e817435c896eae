// Shader cache: declares the interface through which the rasterizer gets programs and kernels.
// SPDX-License-Identifier: MIT
//
// src/gpu implements it with the compiler and the recompiler; the rasterizer does not see them.
#pragma once

#include "base/result.hpp"
#include "raster/record/pipeline.hpp"

#include <string>
#include <string_view>

namespace valkyr::raster {

class ShaderCache {
public:
    virtual ~ShaderCache() = default;

    /// Parses and verifies a shader.
    /// errors  the first error of the text, with its place
    virtual Result<ShaderRef>
    shader(const DeviceTag* owner, std::string_view text, std::string name) = 0;
    /// Links and compiles the shaders of a pipeline; a repeated link of equal shaders is found
    /// again.
    /// errors  InvalidState: not shaders of this device or stage, a geometry shader that does not
    ///         take the pipeline's primitives, captured outputs that do not exist; errors of the
    ///         compiler
    virtual Result<LinkedStages> link(const DeviceTag* owner, const PipelineDesc& desc) = 0;
    /// Compiles a compute shader; a repeated call with an equal shader finds the program again.
    /// errors  InvalidState: no compute shader of this device; Unsupported: no fixed block size;
    ///         errors of the compiler
    virtual Result<StageRef> link(const DeviceTag* owner, const ComputePipelineDesc& desc) = 0;

    /// Adds the kernels made and found again since the last call.
    virtual void take_statistics(Statistics& statistics) = 0;
};

}  // namespace valkyr::raster
