// Blend rules: blend a sample in integers for 8-bit targets, in binary32 for all others.
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/formats.md "Blending". Equations: GL 4.6 sections 17.3.6 (blending), 17.3.9
// (logic ops). Components are r, g, b, a.
#pragma once

#include "exec/abi.hpp"
#include "raster/formats/format_convert.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// The four operands of a blend equation, as bytes 0..255.
struct BlendBytes {
    std::array<int, 4> source;
    std::array<int, 4> source1;
    std::array<int, 4> constant;
    std::array<int, 4> destination;
};
/// Blends in integers: N = S*Fs + D*Fd (or a difference), rounded N/255, clamped to 0..255.
std::array<int, 4> blend_bytes(const exec::BlendKey& key, const BlendBytes& operands) noexcept;

/// The four operands as numbers. For normalised targets, all but the destination are already
/// clamped.
struct BlendNumbers {
    std::array<float, 4> source;
    std::array<float, 4> source1;
    std::array<float, 4> constant;
    std::array<float, 4> destination;
};
std::array<float, 4> blend_numbers(const exec::BlendKey& key,
                                   const BlendNumbers& operands) noexcept;

/// Applies a logic op to stored bits; the caller masks the bits above the channel.
uint32_t apply_logic_op(exec::LogicOp op, uint32_t source, uint32_t destination) noexcept;

/// IEEE minNum and maxNum with -0 < +0, like the machine's FMIN and FMAX.
float min_number(float a, float b) noexcept;
float max_number(float a, float b) noexcept;

/// Returns whether a target is blended by the integer rule: plain unorm of 8 bits a channel, not
/// sRGB.
bool blends_as_bytes(const FormatInfo& info) noexcept;

}  // namespace valkyr::raster
