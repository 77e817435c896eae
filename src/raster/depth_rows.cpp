// Depth/stencil rows: loops for the formats that matter, texel by texel for the others.
// SPDX-License-Identifier: MIT
#include "raster/depth_rows.hpp"

#include "raster/depth_codes.hpp"

#include <cstring>

namespace valkyr::raster {
namespace {

constexpr uint32_t kDepth24 = 0xFFFFFF;

/// Rows are whole blocks: pieces of sixteen texels, which do not overlap, become vector code.
constexpr size_t kPiece = 16;

void split_piece(const uint8_t* __restrict texels, uint32_t* __restrict depth) {
    uint32_t words[kPiece];
    std::memcpy(words, texels, sizeof(words));
    for (size_t i = 0; i < kPiece; ++i)
        depth[i] = words[i] & kDepth24;
}

void split_stencil_piece(const uint8_t* __restrict texels, uint8_t* __restrict stencil) {
    uint32_t words[kPiece];
    std::memcpy(words, texels, sizeof(words));
    for (size_t i = 0; i < kPiece; ++i)
        stencil[i] = static_cast<uint8_t>(words[i] >> 24);
}

void merge_piece(const uint32_t* __restrict depth,
                 const uint8_t* __restrict stencil,
                 uint8_t* __restrict texels) {
    uint32_t words[kPiece];
    for (size_t i = 0; i < kPiece; ++i)
        words[i] = (depth[i] & kDepth24) | uint32_t{stencil[i]} << 24;
    std::memcpy(texels, words, sizeof(words));
}

void split_d24s8(const uint8_t* texels, size_t count, uint32_t* depth, uint8_t* stencil) {
    for (size_t i = 0; i < count; i += kPiece)
        split_piece(texels + i * sizeof(uint32_t), depth + i);
    if (stencil != nullptr)
        for (size_t i = 0; i < count; i += kPiece)
            split_stencil_piece(texels + i * sizeof(uint32_t), stencil + i);
}

void merge_d24s8(const uint32_t* depth, const uint8_t* stencil, size_t count, uint8_t* texels) {
    constexpr uint8_t kNoStencil[kPiece] = {};
    for (size_t i = 0; i < count; i += kPiece)
        merge_piece(depth + i, stencil != nullptr ? stencil + i : kNoStencil,
                    texels + i * sizeof(uint32_t));
}

}  // namespace

void split_depth_stencil(exec::Format format,
                         const uint8_t* texels,
                         size_t count,
                         uint32_t* depth,
                         uint8_t* stencil) noexcept {
    if (format == exec::Format::D32_FLOAT) {
        std::memcpy(depth, texels, count * sizeof(uint32_t));
        return;
    }
    if (format == exec::Format::D24_UNORM_S8_UINT || format == exec::Format::D24_UNORM_X8_UINT) {
        split_d24s8(texels, count, depth, stencil);
        return;
    }
    const size_t bytes = exec::format_info(format).block_bytes;
    for (size_t i = 0; i < count; ++i) {
        const DepthStencil value = load_depth_stencil(format, texels + i * bytes);
        depth[i] = value.depth;
        if (stencil != nullptr)
            stencil[i] = value.stencil;
    }
}

void merge_depth_stencil(exec::Format format,
                         const uint32_t* depth,
                         const uint8_t* stencil,
                         size_t count,
                         uint8_t* texels) noexcept {
    if (format == exec::Format::D32_FLOAT) {
        std::memcpy(texels, depth, count * sizeof(uint32_t));
        return;
    }
    if (format == exec::Format::D24_UNORM_S8_UINT || format == exec::Format::D24_UNORM_X8_UINT) {
        merge_d24s8(depth, stencil, count, texels);
        return;
    }
    const size_t bytes = exec::format_info(format).block_bytes;
    for (size_t i = 0; i < count; ++i)
        store_depth_stencil(format, {depth[i], stencil != nullptr ? stencil[i] : uint8_t{0}},
                            texels + i * bytes);
}

}  // namespace valkyr::raster
