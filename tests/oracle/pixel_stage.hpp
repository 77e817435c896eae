// Pixel stage: processes the 2x2 quads of a primitive (coverage, shading, tests, writes).
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/isa-notes.md "Helpers", "End of a fragment"; docs/rules/raster-rules.md "Sample
// shading", "Side effects of shaders".
#pragma once

#include "tests/oracle/fragment_inputs.hpp"
#include "tests/oracle/output_merger.hpp"
#include "tests/oracle/primitive.hpp"
#include "tests/oracle/shader_runner.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace valkyr::reference {

class PixelStage {
public:
    /// `fragment` may be null: only depth and stencil are written.
    /// errors  Unsupported: the interpreter cannot run the shader
    static Result<std::unique_ptr<PixelStage>> create(const raster::DrawState& state,
                                                      const raster::PipelineDesc& pipeline,
                                                      const Targets& targets,
                                                      const tgsi::Shader* fragment,
                                                      std::vector<Port> vertex_outputs);

    void draw(const Primitive& primitive);
    /// The error if shading failed.
    [[nodiscard]] std::optional<Error> error() const;

private:
    using Quad = std::array<LanePixel, 4>;

    PixelStage(const raster::DrawState& state,
               const raster::PipelineDesc& pipeline,
               const Targets& targets);
    void draw_quad(const Primitive& primitive, int32_t x, int32_t y);
    void shade(const Primitive& primitive, Quad quad);
    [[nodiscard]] uint32_t covered_samples(const Primitive& primitive, int32_t x, int32_t y) const;
    [[nodiscard]] Fragment
    fragment(const Primitive& primitive, const LanePixel& at, const tgsi::Invocation& out) const;
    /// The part of a pixel that a smooth line or point covers, 0..1; 1 for other primitives.
    [[nodiscard]] float smooth_coverage(const Primitive& primitive, const LanePixel& at) const;
    /// The colour with its alpha multiplied by the coverage of a smooth line or point.
    [[nodiscard]] Vec4
    covered(const Primitive& primitive, const LanePixel& at, const Vec4& color) const;
    [[nodiscard]] std::vector<Vec4> stored_colors(const LanePixel& at) const;
    [[nodiscard]] std::optional<Vec4>
    output(const tgsi::Invocation& out, tgsi::Semantic semantic, uint32_t index) const;

    const raster::DrawState& state_;
    const raster::PipelineDesc& pipeline_;
    const Targets& targets_;
    OutputMerger merger_;
    bool early_tests_ = false;
    bool fetches_framebuffer_ = false;
    bool color0_to_all_ = false;
    std::vector<Port> outputs_;
    std::unique_ptr<FragmentInputs> inputs_;  ///< null without a shader
    std::unique_ptr<ShaderRunner> runner_;    ///< null without a shader
};

}  // namespace valkyr::reference
