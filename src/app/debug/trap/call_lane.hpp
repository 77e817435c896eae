// Call lane: says which vertex, pixel, primitive, patch or invocation a lane of a kernel call is.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/calls.hpp"
#include "exec/environment.hpp"
#include "exec/vertex_record.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace valkyr::debug {

/// The words and the number behind them.
std::string numbered(const char* what, uint64_t number);

enum class LaneStage : uint8_t { Vertex, Control, Evaluation, Geometry, Fragment, Compute };

/// "tessellation control".
std::string_view stage_text(LaneStage stage);

/// The numbers of a lane; those that its stage does not have are empty.
struct CallLane {
    LaneStage stage = LaneStage::Vertex;
    std::optional<uint32_t> vertex;
    uint32_t instance = 0;
    std::optional<uint32_t> primitive;
    std::optional<uint32_t> patch;
    std::optional<uint32_t> invocation;  ///< compute: the number in its work-group
    std::optional<std::pair<int32_t, int32_t>> pixel;
    std::optional<uint32_t> sample;  ///< of shaders that run once a sample
    exec::DomainPoint point{};       ///< evaluation
    bool is_padding = false;         ///< it repeats the lane before to fill the warp
    std::array<uint32_t, 3> group{};
    std::array<uint32_t, 3> local{};
};

/// "150,97"; "-": it has none.
std::string pixel_text(const CallLane& lane);
/// "pixel 150,97", "vertex 3, instance 0".
std::string lane_text(const CallLane& lane);
/// Options of `valkyr debug` that choose the lane in its draw; empty: none do.
std::string lane_target(const CallLane& lane);

/// A lane of a warp of a call.
struct LanePlace {
    const exec::Warp& warp;
    uint32_t number = 0;  ///< of the warp, in the order of their starts (CallWarps)
    unsigned lane = 0;
};

/// The lane of a call. A compute call has one group; `is_draw`: it is one of a tessellation
/// program.
CallLane lane_of(const exec::VertexCall& call, const LanePlace& place, bool is_draw);
CallLane lane_of(const exec::GeometryCall& call, const LanePlace& place, bool is_draw);
CallLane lane_of(const exec::FragmentCall& call, const LanePlace& place, bool is_draw);
CallLane lane_of(const exec::ComputeCall& call, const LanePlace& place, bool is_draw);

/// The draw or dispatch of a call.
inline const exec::DrawContext& draw_of(const exec::GeometryCall& call) {
    return *call.out.draw;
}
template <typename Call>
const exec::DrawContext& draw_of(const Call& call) {
    return *call.draw;
}

}  // namespace valkyr::debug
