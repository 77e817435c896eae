// Per-sample operations: declares depth, stencil, blending and write masks of one sample.
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/isa-notes.md "End of a fragment"; docs/rules/formats.md "Blending".
#pragma once

#include "raster/state.hpp"
#include "tests/oracle/format.hpp"

#include <array>
#include <cstdint>

namespace valkyr::reference {

/// Evaluates `a` func `b`. If a float is NaN, only NotEqual and Always hold.
template <typename T>
bool compare(raster::CompareFunc func, T a, T b) {
    using enum raster::CompareFunc;
    switch (func) {
    case Never: return false;
    case Less: return a < b;
    case Equal: return a == b;
    case LessEqual: return a <= b;
    case Greater: return a > b;
    case NotEqual: return !(a == b);
    case GreaterEqual: return a >= b;
    case Always: return true;
    }
    return false;
}

/// Applies a stencil operation to a stored value, without the write mask.
uint8_t stencil_result(raster::StencilOp op, uint8_t stored, uint8_t reference);

struct DepthStencilInput {
    uint32_t depth_code = 0;
    uint8_t stencil_reference = 0;
    bool back_facing = false;
};

/// Tests one sample against its depth/stencil texel and updates it.
/// returns  whether the sample passes
bool depth_stencil(const raster::DepthStencilState& state,
                   exec::Format format,
                   const DepthStencilInput& input,
                   uint8_t* texel);

struct BlendInput {
    Vec4 source{};                          ///< f32 bits, or integers for integer targets
    Vec4 source1{};                         ///< dual source
    std::array<float, 4> blend_constant{};  ///< as set
};

/// Blends one colour into one sample of a target, or applies a logic operation, or stores it.
void blend_sample(const raster::BlendState& state,
                  const raster::BlendTarget& target,
                  exec::Format format,
                  const BlendInput& input,
                  uint8_t* texel);

/// 8-bit unorm blending of one channel: bytes in, byte out. Public for its unit test.
uint8_t blend_byte(raster::BlendFunc func, int s, int fs, int d, int fd);

}  // namespace valkyr::reference
