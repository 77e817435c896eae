// Inline depth and stencil: tests and updates samples, early, in ATEST and in ZS_EMIT.
// SPDX-License-Identifier: MIT
//
// The rules: docs/rules/isa-notes.md (ATEST, ZS_EMIT). Tile buffers hold depth as integer codes and
// stencil as bytes (exec/abi.hpp, DepthStencilKey).
#pragma once

#include "jit/context/lane_group.hpp"

namespace valkyr::jit {

/// Once a call: what the tests read from the frame.
void prepare_depth_test(EmitContext& c);

/// Values that replace those of the rasterizer and the state.
struct DepthStencilValues {
    Temp depth;    ///< valid: f32
    Temp stencil;  ///< valid: the low byte counts
};

/// Tests sample `sample` of the lanes of a mask and updates depth and stencil; the mask becomes
/// those that pass.
void test_sample(EmitContext& c,
                 const LaneGroup& group,
                 unsigned sample,
                 Mask covered,
                 const DepthStencilValues& values);

/// The same for all samples of per-lane coverage; with no test, the samples that exist.
void test_coverage(EmitContext& c,
                   const LaneGroup& group,
                   Vec coverage,
                   const DepthStencilValues& values);

/// Whether a coverage operand is 0 in all lanes whose messages have no effects: it comes from ATEST
/// or ZS_EMIT or is what the rasterizer gave, and all lanes run and none was discarded since.
bool coverage_is_effective(const EmitContext& c, unsigned source);

/// Lanes of a part whose messages have effects: those that run and are no helpers.
TempMask effective_lanes(EmitContext& c, const LaneGroup& group);

}  // namespace valkyr::jit
