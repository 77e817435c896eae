// Block decoding: assigns a decoder and a plain format to each compressed format.
// SPDX-License-Identifier: MIT
#include "raster/formats/block_decode.hpp"

#include "raster/formats/block_formats.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace valkyr::raster {
namespace {

using exec::Format;

using Decode = void (*)(const uint8_t* block, uint8_t* texels);

/// Reorders the texels of a block from rows to lane order: pairs of texels change places.
template <size_t Bytes>
void order_lanes(const uint8_t* rows, uint8_t* tile) {
    constexpr size_t pair = 2 * Bytes;
    constexpr std::array<unsigned, 8> pairs{0, 2, 1, 3, 4, 6, 5, 7};
    for (unsigned i = 0; i < pairs.size(); ++i)
        std::memcpy(tile + i * pair, rows + pairs[i] * pair, pair);
}

template <size_t Bytes>
void decode_row(
    Decode decode, const uint8_t* blocks, size_t block_bytes, uint32_t count, uint8_t* tiles) {
    // Several blocks are decoded before pairs are loaded, because such loads stall on recent
    // narrower stores.
    constexpr uint32_t kTogether = 8;
    constexpr size_t tile = 16 * Bytes;
    alignas(64) std::array<uint8_t, kTogether * tile> texels;
    for (uint32_t first = 0; first < count; first += kTogether) {
        const uint32_t end = std::min(count, first + kTogether);
        for (uint32_t i = first; i < end; ++i)
            decode(blocks + i * block_bytes, texels.data() + (i - first) * tile);
        for (uint32_t i = first; i < end; ++i)
            order_lanes<Bytes>(texels.data() + (i - first) * tile, tiles + i * tile);
    }
}

/// Returns the bytes of a block's texels as its colours.
RgbaBlock& colors_at(uint8_t* texels) {
    return *reinterpret_cast<RgbaBlock*>(texels);
}

template <S3tcAlpha Alpha>
void bc1(const uint8_t* block, uint8_t* texels) {
    decode_s3tc_colors(block, Alpha, colors_at(texels));
}

void set_alpha(const std::array<uint8_t, 16>& alpha, uint8_t* texels) {
    for (size_t i = 0; i < alpha.size(); ++i)
        texels[4 * i + 3] = alpha[i];
}

void bc2(const uint8_t* block, uint8_t* texels) {
    decode_s3tc_colors(block + 8, S3tcAlpha::FourColor, colors_at(texels));
    set_alpha(decode_s3tc_alpha(block), texels);
}

void bc3(const uint8_t* block, uint8_t* texels) {
    decode_s3tc_colors(block + 8, S3tcAlpha::FourColor, colors_at(texels));
    set_alpha(decode_rgtc_unsigned(block), texels);
}

void bc7(const uint8_t* block, uint8_t* texels) {
    decode_bc7(block, colors_at(texels));
}

template <bool Signed>
void bc6h(const uint8_t* block, uint8_t* texels) {
    HalfBlock out;
    decode_bc6h(block, Signed, out);
    std::memcpy(texels, out.data(), sizeof out);
}

template <bool PunchThrough>
void etc2(const uint8_t* block, uint8_t* texels) {
    decode_etc2_colors(block, PunchThrough, colors_at(texels));
}

void etc2_rgba(const uint8_t* block, uint8_t* texels) {
    decode_etc2_colors(block + 8, false, colors_at(texels));
    set_alpha(decode_eac_alpha(block), texels);
}

/// Decodes `Channels` blocks of 8 bytes, one for each channel, and interleaves them.
template <auto DecodeChannel, unsigned Channels>
void channels(const uint8_t* block, uint8_t* texels) {
    for (unsigned c = 0; c < Channels; ++c) {
        const auto values = DecodeChannel(block + 8 * c);
        constexpr size_t kBytes = sizeof values[0];
        for (unsigned i = 0; i < 16; ++i)
            std::memcpy(texels + (i * Channels + c) * kBytes, &values[i], kBytes);
    }
}

struct Row {
    Format format;
    Format storage;
    Decode decode;
};

constexpr Row kRows[] = {
    {Format::BC1_RGB_UNORM, Format::R8G8B8X8_UNORM, bc1<S3tcAlpha::Opaque>},
    {Format::BC1_RGB_SRGB, Format::R8G8B8X8_SRGB, bc1<S3tcAlpha::Opaque>},
    {Format::BC1_RGBA_UNORM, Format::R8G8B8A8_UNORM, bc1<S3tcAlpha::Punch>},
    {Format::BC1_RGBA_SRGB, Format::R8G8B8A8_SRGB, bc1<S3tcAlpha::Punch>},
    {Format::BC2_RGBA_UNORM, Format::R8G8B8A8_UNORM, bc2},
    {Format::BC2_RGBA_SRGB, Format::R8G8B8A8_SRGB, bc2},
    {Format::BC3_RGBA_UNORM, Format::R8G8B8A8_UNORM, bc3},
    {Format::BC3_RGBA_SRGB, Format::R8G8B8A8_SRGB, bc3},
    {Format::BC4_R_UNORM, Format::R8_UNORM, channels<decode_rgtc_unsigned, 1>},
    {Format::BC4_R_SNORM, Format::R8_SNORM, channels<decode_rgtc_signed, 1>},
    {Format::BC5_RG_UNORM, Format::R8G8_UNORM, channels<decode_rgtc_unsigned, 2>},
    {Format::BC5_RG_SNORM, Format::R8G8_SNORM, channels<decode_rgtc_signed, 2>},
    {Format::LATC1_L_UNORM, Format::L8_UNORM, channels<decode_rgtc_unsigned, 1>},
    {Format::LATC1_L_SNORM, Format::L8_SNORM, channels<decode_rgtc_signed, 1>},
    {Format::LATC2_LA_UNORM, Format::L8A8_UNORM, channels<decode_rgtc_unsigned, 2>},
    {Format::LATC2_LA_SNORM, Format::L8A8_SNORM, channels<decode_rgtc_signed, 2>},
    {Format::BC6H_RGB_UFLOAT, Format::R16G16B16X16_FLOAT, bc6h<false>},
    {Format::BC6H_RGB_SFLOAT, Format::R16G16B16X16_FLOAT, bc6h<true>},
    {Format::BC7_RGBA_UNORM, Format::R8G8B8A8_UNORM, bc7},
    {Format::BC7_RGBA_SRGB, Format::R8G8B8A8_SRGB, bc7},
    {Format::ETC1_RGB8_UNORM, Format::R8G8B8X8_UNORM, etc2<false>},
    {Format::ETC2_RGB8_UNORM, Format::R8G8B8X8_UNORM, etc2<false>},
    {Format::ETC2_RGB8_SRGB, Format::R8G8B8X8_SRGB, etc2<false>},
    {Format::ETC2_RGB8A1_UNORM, Format::R8G8B8A8_UNORM, etc2<true>},
    {Format::ETC2_RGB8A1_SRGB, Format::R8G8B8A8_SRGB, etc2<true>},
    {Format::ETC2_RGBA8_UNORM, Format::R8G8B8A8_UNORM, etc2_rgba},
    {Format::ETC2_RGBA8_SRGB, Format::R8G8B8A8_SRGB, etc2_rgba},
    {Format::EAC_R11_UNORM, Format::R16_UNORM, channels<decode_eac_unsigned, 1>},
    {Format::EAC_R11_SNORM, Format::R16_SNORM, channels<decode_eac_signed, 1>},
    {Format::EAC_RG11_UNORM, Format::R16G16_UNORM, channels<decode_eac_unsigned, 2>},
    {Format::EAC_RG11_SNORM, Format::R16G16_SNORM, channels<decode_eac_signed, 2>},
};

const Row* find_row(Format format) {
    const auto* row = std::find_if(std::begin(kRows), std::end(kRows),
                                   [=](const Row& r) { return r.format == format; });
    return row == std::end(kRows) ? nullptr : row;
}

}  // namespace

Format storage_format(Format format) noexcept {
    const Row* row = find_row(format);
    return row != nullptr ? row->storage : format;
}

void decode_block(Format format, const uint8_t* block, uint8_t* texels) noexcept {
    if (const Row* row = find_row(format))
        row->decode(block, texels);
}

void decode_tiles(Format format, const uint8_t* blocks, uint32_t count, uint8_t* tiles) noexcept {
    const Row* row = find_row(format);
    if (row == nullptr)
        return;
    const size_t block_bytes = exec::format_info(format).block_bytes;
    switch (exec::format_info(row->storage).block_bytes) {
    case 1: return decode_row<1>(row->decode, blocks, block_bytes, count, tiles);
    case 2: return decode_row<2>(row->decode, blocks, block_bytes, count, tiles);
    case 4: return decode_row<4>(row->decode, blocks, block_bytes, count, tiles);
    default: return decode_row<8>(row->decode, blocks, block_bytes, count, tiles);
    }
}

}  // namespace valkyr::raster
