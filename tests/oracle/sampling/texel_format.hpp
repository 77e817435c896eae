// Texel formats by name: R8G8B8A8_UNORM, B5G6R5_UNORM, R16_FLOAT, D24_UNORM_S8_UINT, ...
// SPDX-License-Identifier: MIT
//
// A name lists the channels with their sizes, from the lowest bits upwards, then their type.
// Conversions: docs/rules/tgsi.md "Formats".
#pragma once

#include "base/result.hpp"
#include "tgsi/interpreter/texture_units.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace valkyr::tgsi {

enum class ChannelType : uint8_t { Unorm, Snorm, Uint, Sint, Float, Srgb };

struct FormatChannel {
    char letter = 'X';  ///< R G B A, L, I, D (depth; also Z), S (stencil), X (unused), E
    uint8_t bits = 0;
    uint8_t shift = 0;  ///< first bit in the texel
    ChannelType type = ChannelType::Unorm;
};

/// A texel of 1 to 16 bytes, little-endian.
struct TexelFormat {
    unsigned bytes = 0;
    unsigned channel_count = 0;
    bool shared_exponent = false;  ///< R9G9B9E5
    std::array<FormatChannel, 4> channels{};
    /// Channel of r, g, b, a; kConstant: 0, 0, 0, 1.
    std::array<uint8_t, 4> from{};
    static constexpr uint8_t kConstant = 4;

    [[nodiscard]] bool is_integer() const;  ///< Uint or Sint in r (or the only channel)
};

/// errors  Unsupported: a name that does not follow the pattern, compressed or 64-bit formats
Result<TexelFormat> texel_format(std::string_view name);

/// The code of a channel, zero-extended.
uint32_t channel_code(const TexelFormat& format, const uint8_t* texel, unsigned channel);

/// A channel's code as float bits or integer.
uint32_t decode(const FormatChannel& channel, uint32_t code);
/// The code for float bits or an integer: limited to the range, nearest even.
uint32_t encode(const FormatChannel& channel, uint32_t value);

/// r, g, b, a of a texel as float bits or integers.
Word4 decode_texel(const TexelFormat& format, const uint8_t* texel);
/// Writes r, g, b, a into a texel; bits of unused channels become 0.
void encode_texel(const TexelFormat& format, const Word4& value, uint8_t* texel);

}  // namespace valkyr::tgsi
