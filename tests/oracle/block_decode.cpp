// Block decode: turns compressed blocks into plain texels (S3TC, RGTC and LATC in this file).
// SPDX-License-Identifier: MIT
#include "tests/oracle/block_decode.hpp"

#include "tests/oracle/block_bptc.hpp"
#include "tests/oracle/block_etc.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::reference {
namespace {

using exec::Format;
using Texels = BlockTexels;

/// The decoder of a block's half.
enum class Part : uint8_t {
    None,
    Color,
    ColorOrClear,
    FourColors,
    Alpha4,
    Unorm,
    Snorm,
    Bptc,
    BptcUfloat,
    BptcSfloat,
    Etc,
    EtcPunch,
    EacAlpha,
    Eac,
    EacSigned,
};
struct Row {
    Format format;
    Format plain;
    Part first;   ///< bytes 0..7
    Part second;  ///< bytes 8..15
};
constexpr Row kBlocks[] = {
    {Format::BC1_RGB_UNORM, Format::R8G8B8X8_UNORM, Part::Color, Part::None},
    {Format::BC1_RGB_SRGB, Format::R8G8B8X8_SRGB, Part::Color, Part::None},
    {Format::BC1_RGBA_UNORM, Format::R8G8B8A8_UNORM, Part::ColorOrClear, Part::None},
    {Format::BC1_RGBA_SRGB, Format::R8G8B8A8_SRGB, Part::ColorOrClear, Part::None},
    {Format::BC2_RGBA_UNORM, Format::R8G8B8A8_UNORM, Part::Alpha4, Part::FourColors},
    {Format::BC2_RGBA_SRGB, Format::R8G8B8A8_SRGB, Part::Alpha4, Part::FourColors},
    {Format::BC3_RGBA_UNORM, Format::R8G8B8A8_UNORM, Part::Unorm, Part::FourColors},
    {Format::BC3_RGBA_SRGB, Format::R8G8B8A8_SRGB, Part::Unorm, Part::FourColors},
    {Format::BC4_R_UNORM, Format::R8_UNORM, Part::Unorm, Part::None},
    {Format::BC4_R_SNORM, Format::R8_SNORM, Part::Snorm, Part::None},
    {Format::BC5_RG_UNORM, Format::R8G8_UNORM, Part::Unorm, Part::Unorm},
    {Format::BC5_RG_SNORM, Format::R8G8_SNORM, Part::Snorm, Part::Snorm},
    {Format::LATC1_L_UNORM, Format::L8_UNORM, Part::Unorm, Part::None},
    {Format::LATC1_L_SNORM, Format::L8_SNORM, Part::Snorm, Part::None},
    {Format::LATC2_LA_UNORM, Format::L8A8_UNORM, Part::Unorm, Part::Unorm},
    {Format::LATC2_LA_SNORM, Format::L8A8_SNORM, Part::Snorm, Part::Snorm},
    {Format::BC7_RGBA_UNORM, Format::R8G8B8A8_UNORM, Part::Bptc, Part::None},
    {Format::BC7_RGBA_SRGB, Format::R8G8B8A8_SRGB, Part::Bptc, Part::None},
    {Format::BC6H_RGB_UFLOAT, Format::R16G16B16X16_FLOAT, Part::BptcUfloat, Part::None},
    {Format::BC6H_RGB_SFLOAT, Format::R16G16B16X16_FLOAT, Part::BptcSfloat, Part::None},
    {Format::ETC1_RGB8_UNORM, Format::R8G8B8X8_UNORM, Part::Etc, Part::None},
    {Format::ETC2_RGB8_UNORM, Format::R8G8B8X8_UNORM, Part::Etc, Part::None},
    {Format::ETC2_RGB8_SRGB, Format::R8G8B8X8_SRGB, Part::Etc, Part::None},
    {Format::ETC2_RGB8A1_UNORM, Format::R8G8B8A8_UNORM, Part::EtcPunch, Part::None},
    {Format::ETC2_RGB8A1_SRGB, Format::R8G8B8A8_SRGB, Part::EtcPunch, Part::None},
    {Format::ETC2_RGBA8_UNORM, Format::R8G8B8A8_UNORM, Part::EacAlpha, Part::Etc},
    {Format::ETC2_RGBA8_SRGB, Format::R8G8B8A8_SRGB, Part::EacAlpha, Part::Etc},
    {Format::EAC_R11_UNORM, Format::R16_UNORM, Part::Eac, Part::None},
    {Format::EAC_R11_SNORM, Format::R16_SNORM, Part::EacSigned, Part::None},
    {Format::EAC_RG11_UNORM, Format::R16G16_UNORM, Part::Eac, Part::Eac},
    {Format::EAC_RG11_SNORM, Format::R16G16_SNORM, Part::EacSigned, Part::EacSigned},
};

const Row* find_row(Format format) {
    const Row* found = std::find_if(std::begin(kBlocks), std::end(kBlocks),
                                    [&](const Row& row) { return row.format == format; });
    return found == std::end(kBlocks) ? nullptr : found;
}

uint64_t little_endian(const uint8_t* bytes, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= uint64_t{bytes[i]} << 8 * i;
    return value;
}

/// The point `part` / `whole` of the way from a to b, to the nearest integer.
int between(int a, int b, int part, int whole) {
    return static_cast<int>(std::lround(
        (static_cast<double>(a) * (whole - part) + static_cast<double>(b) * part) / whole));
}

/// Expands 5:6:5 bits to bytes by repeating the high bits.
std::array<int, 3> rgb565(uint32_t code) {
    const int r = static_cast<int>(code >> 11);
    const int g = static_cast<int>(code >> 5 & 63);
    const int b = static_cast<int>(code & 31);
    return {r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2};
}

void decode_colors(Part kind, const uint8_t* half, Texels& out) {
    const auto code0 = static_cast<uint32_t>(little_endian(half, 2));
    const auto code1 = static_cast<uint32_t>(little_endian(half + 2, 2));
    const uint64_t indices = little_endian(half + 4, 4);
    const bool four = kind == Part::FourColors || code0 > code1;
    const std::array<int, 3> a = rgb565(code0);
    const std::array<int, 3> b = rgb565(code1);
    for (size_t i = 0; i < 16; i++) {
        const auto index = static_cast<int>(indices >> 2 * i & 3);
        const bool clear = !four && index == 3;
        for (size_t c = 0; c < 3; c++) {
            const int mixed = four ? between(a[c], b[c], index - 1, 3) : between(a[c], b[c], 1, 2);
            const int value = index == 0 ? a[c] : index == 1 ? b[c] : clear ? 0 : mixed;
            out[i][c] = static_cast<uint8_t>(value);
        }
        if (kind != Part::FourColors)
            out[i][3] = clear && kind == Part::ColorOrClear ? 0 : 255;
    }
}

/// Decodes one channel: two end points, then three bits per texel.
void decode_channel(bool is_signed, const uint8_t* half, size_t channel, Texels& out) {
    const auto end = [&](uint8_t byte) {
        return is_signed ? std::max<int>(static_cast<int8_t>(byte), -127) : int{byte};
    };
    const int a = end(half[0]);
    const int b = end(half[1]);
    const uint64_t indices = little_endian(half + 2, 6);
    for (size_t i = 0; i < 16; i++) {
        const auto index = static_cast<int>(indices >> 3 * i & 7);
        int value = index == 0 ? a : b;
        if (index > 1 && a > b)
            value = between(a, b, index - 1, 7);
        else if (index > 5)
            value = index == 7 ? (is_signed ? 127 : 255) : (is_signed ? -127 : 0);
        else if (index > 1)
            value = between(a, b, index - 1, 5);
        out[i][channel] = static_cast<uint8_t>(value);
    }
}

/// Copies the colours of a block, and alpha if the block contains it.
void copy_colors(const std::array<std::array<uint8_t, 4>, 16>& texels, bool alpha, Texels& out) {
    for (size_t i = 0; i < 16; i++)
        std::copy_n(texels[i].begin(), alpha ? 4 : 3, out[i].begin());
}

/// Copies 16-bit words to channel `channel`.
void copy_words(const std::array<uint16_t, 16>& words, size_t channel, Texels& out) {
    for (size_t i = 0; i < 16; i++) {
        out[i][2 * channel] = static_cast<uint8_t>(words[i]);
        out[i][2 * channel + 1] = static_cast<uint8_t>(words[i] >> 8);
    }
}

void decode_floats(const uint8_t* block, bool is_signed, Texels& out) {
    const auto texels = decode_bptc_float(block, is_signed);
    for (size_t c = 0; c < 4; c++) {
        std::array<uint16_t, 16> words{};
        for (size_t i = 0; i < 16; i++)
            words[i] = c < 3 ? texels[i][c] : uint16_t{0x3C00};
        copy_words(words, c, out);
    }
}

void decode_half(Part part, const uint8_t* half, size_t channel, Texels& out) {
    switch (part) {
    case Part::None: break;
    case Part::Color:
    case Part::ColorOrClear:
    case Part::FourColors: decode_colors(part, half, out); break;
    case Part::Alpha4:
        for (size_t i = 0; i < 16; i++)
            out[i][3] = static_cast<uint8_t>((little_endian(half, 8) >> 4 * i & 15) * 17);
        break;
    case Part::Unorm: decode_channel(false, half, channel, out); break;
    case Part::Snorm: decode_channel(true, half, channel, out); break;
    case Part::Bptc: copy_colors(decode_bptc_unorm(half), true, out); break;
    case Part::BptcUfloat:
    case Part::BptcSfloat: decode_floats(half, part == Part::BptcSfloat, out); break;
    case Part::Etc: copy_colors(decode_etc2(half, false), channel == 0, out); break;
    case Part::EtcPunch: copy_colors(decode_etc2(half, true), true, out); break;
    case Part::EacAlpha: {
        const auto alpha = decode_eac_alpha8(half);
        for (size_t i = 0; i < 16; i++)
            out[i][3] = alpha[i];
        break;
    }
    case Part::Eac:
    case Part::EacSigned:
        copy_words(decode_eac11(half, part == Part::EacSigned), channel, out);
        break;
    }
}

}  // namespace

std::optional<Format> decoded_format(Format format) {
    const Row* row = find_row(format);
    return row == nullptr ? std::nullopt : std::optional(row->plain);
}

Texels decode_block(Format format, const uint8_t* block) {
    Texels out{};
    const Row* row = find_row(format);
    if (row == nullptr)
        return out;
    const bool alpha_first = row->second == Part::FourColors;
    decode_half(row->first, block, alpha_first ? 3 : 0, out);
    if (row->second != Part::None)
        decode_half(row->second, block + 8, 1, out);
    return out;
}

}  // namespace valkyr::reference
