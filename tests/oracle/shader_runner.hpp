// Shader runner: runs a TGSI shader with the resources of a draw on tgsi::Interpreter.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "tgsi/interpreter/interpreter.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace valkyr::reference {

/// The outputs of a tessellation control shader for a patch.
struct ControlOutputs {
    std::vector<std::vector<tgsi::Word4>> vertices;  ///< [vertex][register]
    std::vector<tgsi::Word4> patch;                  ///< [register]
};

class ShaderRunner {
public:
    /// The objects that the resources point to must outlive the runner.
    /// samples  of the render targets
    /// errors  of tgsi::Interpreter::create; InvalidState: a texture of another device
    static Result<std::unique_ptr<ShaderRunner>> create(const tgsi::Shader& shader,
                                                        const raster::StageResources& resources,
                                                        uint32_t samples = 1);
    ~ShaderRunner();

    /// Runs one lane (a vertex) or four (a quad: lane bit 0 is x, bit 1 is y) and fills in their
    /// results. After a failure, outputs are 0 and error() has the reason.
    void run(std::vector<tgsi::Invocation>& lanes, tgsi::Interpolator* interpolator = nullptr);
    /// Runs invocations of a geometry or tessellation evaluation shader.
    /// vertices  of the primitive or patch, [vertex][register]
    void run(std::vector<tgsi::Invocation>& lanes, std::vector<std::vector<tgsi::Word4>> vertices);
    /// Runs the invocations of a tessellation control shader, one for each vertex that it makes.
    /// vertices  of the patch, [vertex][register]
    ControlOutputs run_control(std::vector<tgsi::Invocation>& lanes,
                               std::vector<std::vector<tgsi::Word4>> vertices);
    /// Runs the invocations of a work-group.
    void run_group(std::vector<tgsi::Invocation>& lanes, std::span<uint8_t> shared);

    /// The first error.
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

private:
    explicit ShaderRunner(tgsi::Interpreter interpreter);
    tgsi::Interpreter interpreter_;
    tgsi::Group group_;
    std::unique_ptr<tgsi::TextureUnits> textures_;
    std::unique_ptr<tgsi::ImageUnits> images_;
    std::optional<Error> error_;
};

}  // namespace valkyr::reference
