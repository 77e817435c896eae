// Depth loss: says which of the depth and stencil tests took a fragment's samples.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/history/history.hpp"

namespace valkyr::debug {

/// Depth and stencil reference that a shader supplies instead of the rasterizer and the state.
struct ShaderDepth {
    std::optional<float> depth;
    std::optional<uint8_t> stencil;
};

/// Divides `lost` samples of a lane, which depth and stencil tests took, among the two tests. The
/// warp's memory is as before the tests.
std::vector<Loss> depth_losses(
    const WarpCase& warp, unsigned lane, uint32_t lost, bool early, const ShaderDepth& given);

}  // namespace valkyr::debug
