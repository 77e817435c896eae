// Fragment inputs: compute the varyings and system values of one lane.
// SPDX-License-Identifier: MIT
//
// Rules: execution 5.1 (interpolation), 5.3 (position, face, ...), 10.4 (semantics).
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
    uint32_t sample = 0;    ///< per-sample shading: which one
    bool per_sample = false;
};

class FragmentInputs {
public:
    FragmentInputs(const tgsi::Shader& shader,
                   std::vector<Port> vertex_outputs,
                   const raster::RasterizerState& state,
                   uint32_t target_height,
                   uint32_t samples);

    /// Whether the shader must run once a sample (execution 7.6).
    [[nodiscard]] bool per_sample() const { return per_sample_; }

    [[nodiscard]] tgsi::Invocation lane(const Primitive& primitive, const LanePixel& at) const;

    /// INTERP_*: input register `input` somewhere else in the pixel.
    [[nodiscard]] Vec4 at_point(const Primitive& primitive, uint32_t input, Point point) const;
    /// Where a location qualifier puts the evaluation.
    [[nodiscard]] Point point(const LanePixel& at, tgsi::Location where) const;
    /// Where a sample of the lane's pixel is; the centre for one that does not exist.
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
