// Runs TGSI shaders lane by lane: the reference renderer's only door to tgsi::Interpreter.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "reference/linkage.hpp"
#include "reference/setup.hpp"
#include "tgsi/shader.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace valkyr::reference {

/// What one lane starts with, by register index.
struct LaneInput {
    std::vector<Vec4> inputs;
    std::vector<Vec4> system_values;
    bool helper = false;  ///< runs only to give its neighbours derivatives
};

/// What one lane ends with.
struct LaneOutput {
    std::vector<Vec4> outputs;
    bool killed = false;
};

/// The resources of one shader stage of a draw.
struct StageResources {
    const std::vector<std::vector<uint32_t>>* constants = nullptr;
    const std::vector<raster::TextureView>* textures = nullptr;
    const std::vector<raster::SamplerState>* samplers = nullptr;
};

/// The value of an input register of a lane at an offset from the pixel's first corner.
using InterpolateAt = std::function<Vec4(uint32_t input, unsigned lane, Point offset)>;

class ShaderRunner {
public:
    /// `shader` and what the resources point to must outlive the runner.
    static Result<std::unique_ptr<ShaderRunner>> create(const tgsi::Shader& shader,
                                                        const StageResources& resources);
    virtual ~ShaderRunner() = default;

    /// One lane (a vertex) or four (a quad: lane bit 0 is x, bit 1 is y).
    virtual std::vector<LaneOutput> run(std::span<const LaneInput> lanes,
                                        const InterpolateAt& interpolate) = 0;
};

}  // namespace valkyr::reference
