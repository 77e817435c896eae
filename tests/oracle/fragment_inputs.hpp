// Fragment inputs: compute the varyings and system values of one lane.
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/isa-notes.md "Interpolation"; docs/rules/tgsi.md "Fragments".
#pragma once

#include "tests/oracle/linkage.hpp"
#include "tests/oracle/primitive.hpp"
#include "tests/oracle/shader_runner.hpp"

#include <cstdint>
#include <vector>

namespace valkyr::reference {

/// The pixel (or sample) that one lane shades.
struct LanePixel {
    int32_t x = 0;
    int32_t y = 0;
    uint32_t coverage = 0;  ///< bit s: sample s; 0 = helper
    uint32_t sample = 0;    ///< per-sample shading: the sample that is shaded
    bool per_sample = false;
};

class FragmentInputs {
public:
    FragmentInputs(const tgsi::Shader& shader,
                   std::vector<Port> vertex_outputs,
                   const raster::RasterizerState& state,
                   uint32_t target_height,
                   uint32_t samples);

    /// Whether the shader must run once per sample (docs/rules/raster-rules.md "Sample shading").
    [[nodiscard]] bool per_sample() const { return per_sample_; }

    [[nodiscard]] tgsi::Invocation lane(const Primitive& primitive, const LanePixel& at) const;

    /// INTERP_*: the value of register `input` at another point of the pixel.
    [[nodiscard]] Vec4 at_point(const Primitive& primitive, uint32_t input, Point point) const;
    /// The point at which a location qualifier evaluates inputs.
    [[nodiscard]] Point point(const LanePixel& at, tgsi::Location where) const;
    /// The point of a sample of the lane's pixel; the centre for a number without sample.
    [[nodiscard]] Point sample(const LanePixel& at, uint32_t number) const;

private:
    [[nodiscard]] Vec4
    value(const Primitive& primitive, const Port& port, const LanePixel& at) const;
    [[nodiscard]] Vec4 varying(const Primitive& primitive, const Port& port, Point point) const;
    [[nodiscard]] Vec4 position(const Primitive& primitive, const LanePixel& at) const;
    [[nodiscard]] Vec4 point_coordinate(const Primitive& primitive, Point point) const;
    [[nodiscard]] bool replaced_by_point_coordinate(const Port& port) const;

    std::vector<Port> inputs_;
    std::vector<Port> system_values_;
    std::vector<Port> vertex_outputs_;
    const raster::RasterizerState& state_;
    uint32_t target_height_;
    uint32_t samples_;
    bool lower_left_;
    bool integer_centers_;
    bool per_sample_;
};

}  // namespace valkyr::reference
