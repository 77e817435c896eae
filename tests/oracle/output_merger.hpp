// Output merger: runs the late tests of a shaded fragment and writes its target samples.
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/isa-notes.md "End of a fragment"; docs/rules/formats.md "Blending".
#pragma once

#include "tests/oracle/per_sample.hpp"
#include "tests/oracle/primitive.hpp"
#include "tests/oracle/targets.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace valkyr::reference {

/// The shader's results for one pixel.
struct Fragment {
    int32_t x = 0;
    int32_t y = 0;
    uint32_t coverage = 0;  ///< bit s: sample s; 0 for discarded fragments
    std::array<std::optional<Vec4>, exec::kMaxRenderTargets> color;
    std::optional<Vec4> second_color;  ///< dual source
    std::optional<float> depth;
    std::optional<uint8_t> stencil;
    std::optional<uint32_t> sample_mask;
};

class OutputMerger {
public:
    OutputMerger(const raster::DrawState& state,
                 const raster::PipelineDesc& pipeline,
                 const Targets& targets)
        : state_(state)
        , pipeline_(pipeline)
        , targets_(targets) {}

    /// Tests and updates depth and stencil of the covered samples; returns those that pass.
    uint32_t test(const Primitive& primitive, const Fragment& fragment);
    /// Coverage after sample mask, alpha test and alpha to coverage.
    [[nodiscard]] uint32_t surviving(const Fragment& fragment) const;
    /// Blends the colours into the covered samples.
    void write(const Fragment& fragment);

private:
    [[nodiscard]] float
    depth_at(const Primitive& primitive, const Fragment& fragment, uint32_t sample) const;
    [[nodiscard]] bool multisampled() const {
        return targets_.samples > 1 && pipeline_.rasterizer.multisample;
    }
    const raster::DrawState& state_;
    const raster::PipelineDesc& pipeline_;
    const Targets& targets_;
};

}  // namespace valkyr::reference
