// Depth/stencil rows: loops for the formats that matter, texel by texel for the others.
// SPDX-License-Identifier: MIT
#include "raster/depth_rows.hpp"

#include "raster/depth_codes.hpp"

#include <cstring>

namespace valkyr::raster {
namespace {

constexpr uint32_t kDepth24 = 0xFFFFFF;

void split_d24s8(const uint8_t* texels, size_t count, uint32_t* depth, uint8_t* stencil) {
    std::memcpy(depth, texels, count * sizeof(uint32_t));
    if (stencil != nullptr)
        for (size_t i = 0; i < count; ++i)
            stencil[i] = static_cast<uint8_t>(depth[i] >> 24);
    for (size_t i = 0; i < count; ++i)
        depth[i] &= kDepth24;
}

void merge_d24s8(const uint32_t* depth, const uint8_t* stencil, size_t count, uint8_t* texels) {
    for (size_t i = 0; i < count; ++i) {
        const uint32_t high = stencil != nullptr ? uint32_t{stencil[i]} << 24 : 0;
        const uint32_t word = (depth[i] & kDepth24) | high;
        std::memcpy(texels + i * sizeof(word), &word, sizeof(word));
    }
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
