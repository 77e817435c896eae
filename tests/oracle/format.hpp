// Format: decodes and encodes one texel by the format's row.
// SPDX-License-Identifier: MIT
//
// Rules: docs/rules/formats.md "Conversions". It shares only the table of format rows with the
// pipeline.
#pragma once

#include "exec/format.hpp"

#include <array>
#include <cstdint>

namespace valkyr::reference {

/// Four 32-bit words: the bits of f32 values, or integers.
using Vec4 = std::array<uint32_t, 4>;

/// The row of a format (this renderer's own expansion of src/exec/formats.inc).
const exec::FormatInfo& row(exec::Format format);

/// Whether components are integers (Uint or Sint), which are never filtered or blended.
bool is_integer(exec::Format format);
/// Whether every channel is 8-bit unorm and not sRGB: such targets blend in integers
/// (docs/rules/formats.md "Blending").
bool is_unorm8(exec::Format format);
/// Whether every channel is unorm or snorm of at most 8 bits and not sRGB: such textures filter in
/// integers (docs/rules/sampling.md "Values").
bool filters_as_integer(exec::Format format);
bool has_depth(exec::Format format);
bool has_stencil(exec::Format format);

/// Channel numbers of depth and stencil. The format must have them.
unsigned depth_channel(exec::Format format);
unsigned stencil_channel(exec::Format format);

/// The stored code of channel 0..3, zero-extended.
uint64_t load_channel(exec::Format format, const uint8_t* texel, unsigned channel);
/// Replaces the code of one channel; other bits stay.
void store_channel(exec::Format format, uint8_t* texel, unsigned channel, uint64_t code);

/// A channel code as a number: f32 bits, or the integer itself for Uint and Sint.
uint32_t decode_channel(exec::Format format, unsigned channel, uint64_t code);
/// The reverse: the code of a value given as f32 bits or integer.
uint32_t encode_channel(exec::Format format, unsigned channel, uint32_t value);

/// A texel as r, g, b, a after the format's swizzle.
Vec4 decode_texel(exec::Format format, const uint8_t* texel);
/// Writes the components of `rgba` whose mask bit is set (bit 0 red .. bit 3 alpha).
void encode_texel(exec::Format format, const Vec4& rgba, uint8_t mask, uint8_t* texel);

/// The component (0..3 = r..a) whose value a channel stores: the first component that reads the
/// channel, or alpha if none does (the X of ..X8 formats).
unsigned component_of(exec::Format format, unsigned channel);

/// Small floats, round to nearest even: 5 exponent bits, `mantissa_bits`, an optional sign bit.
/// Without a sign bit negative values become 0. NaN becomes the positive quiet NaN.
uint32_t encode_small_float(float value, unsigned mantissa_bits, bool has_sign);
float decode_small_float(uint32_t code, unsigned mantissa_bits, bool has_sign);

/// The sRGB curve and its inverse on 8-bit codes, rounded once.
float srgb_to_linear(uint32_t code);
uint32_t linear_to_srgb(float value);

/// Encodes a depth in [0, 1]. The integer order of the codes is the order of the depths.
uint32_t encode_depth(exec::Format format, float value);

}  // namespace valkyr::reference
