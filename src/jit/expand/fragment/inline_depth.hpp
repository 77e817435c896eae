// Inline depth and stencil: tests and updates samples, early, in ATEST and in ZS_EMIT.
// SPDX-License-Identifier: MIT
//
// The rules: docs/rules/isa-notes.md (ATEST, ZS_EMIT). Tile buffers hold depth as integer codes and
// stencil as bytes (exec/abi.hpp, DepthStencilKey).
#pragma once

#include "jit/context/lane_group.hpp"

namespace valkyr::jit {

/// Whether a draw tests or writes the depth of a buffer.
bool has_depth_buffer(const exec::DepthStencilKey& zs);

/// Stores the values that tests read from the frame, once a call.
void prepare_depth_test(EmitContext& c);

/// Values that replace the rasterizer's depth and the state's stencil reference.
struct DepthStencilValues {
    Temp depth;    ///< valid: f32
    Temp stencil;  ///< valid: the low byte is the value
};

/// Tests one sample in the lanes of a mask and updates depth and stencil. Clears lanes that fail.
void test_sample(EmitContext& c,
                 const LaneGroup& group,
                 unsigned sample,
                 Mask covered,
                 const DepthStencilValues& values);

/// Tests all samples of a coverage word in each lane. Without a test, clears samples that do not
/// exist.
void test_coverage(EmitContext& c,
                   const LaneGroup& group,
                   Vec coverage,
                   const DepthStencilValues& values);

/// Whether a coverage operand is 0 in all lanes whose messages have no effect. So it is if it comes
/// from ATEST, ZS_EMIT or the rasterizer, all lanes run, and none was discarded since.
bool coverage_is_effective(const EmitContext& c, unsigned source);

/// The lanes whose messages have effects: they run and are no helpers.
TempMask effective_lanes(EmitContext& c, const LaneGroup& group);

}  // namespace valkyr::jit
