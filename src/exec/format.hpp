// Format table: describes how texels, attributes and target pixels lie in memory.
// SPDX-License-Identifier: MIT
//
// One row a format. Conversion rules: docs/rules/formats.md. Channel 0 is the lowest address (array
// formats) or the lowest bits (packed formats). A channel that no component reads ("X" in the name)
// is written like alpha and never read.
#pragma once

#include <cstdint>
#include <string_view>

namespace valkyr::exec {

/// How a channel's bits become a value.
enum class ChannelType : uint8_t { None, Unorm, Snorm, Uint, Sint, Float, Uscaled, Sscaled };

/// How the bits of a texel are arranged.
enum class FormatLayout : uint8_t {
    Array,          ///< channels of equal size, one after the other in memory
    Packed,         ///< bit fields of one little-endian word of block_bytes
    DepthStencil,   ///< depth and/or stencil, see the row
    Block,          ///< compressed blocks (S3TC, RGTC, BPTC, ETC2), kept decoded
    SharedExponent  ///< R9G9B9E5
};

/// Source of a component when a texel is read: channel 0..3 or a constant.
enum class Swizzle : uint8_t { X, Y, Z, W, Zero, One };

enum class Format : uint8_t {
#define VALKYR_FORMAT(id, ...) id,
#include "exec/formats.inc"
#undef VALKYR_FORMAT
};

inline constexpr unsigned kFormatCount = 0
#define VALKYR_FORMAT(id, ...) +1
#include "exec/formats.inc"
#undef VALKYR_FORMAT
    ;

struct FormatInfo {
    std::string_view name;
    FormatLayout layout;
    uint8_t block_bytes;  ///< bytes of a texel, or of a compressed block
    uint8_t block_width;  ///< 1, or 4 for compressed blocks
    uint8_t block_height;
    uint8_t channel_count;
    ChannelType type;    ///< type of the colour channels, or of the depth
    bool srgb;           ///< r, g, b are sRGB-encoded, alpha is not
    uint8_t bits[4];     ///< per channel in memory order; compressed: of the decoded texels
    Swizzle swizzle[4];  ///< where r, g, b, a come from
};

/// The row of a format; values that are no format have the row of Format::None.
[[gnu::visibility("default")]] const FormatInfo& format_info(Format format);

}  // namespace valkyr::exec
