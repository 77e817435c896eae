// Written bits: compute the bits that a clear of parts of a depth/stencil texel writes.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/formats/depth_codes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

/// Sets to = to & ~mask | value, byte by byte; bits of `value` outside `mask` must be 0.
inline void write_masked(uint8_t* __restrict to,
                         const uint8_t* __restrict value,
                         const uint8_t* __restrict mask,
                         size_t bytes) noexcept {
    for (size_t b = 0; b < bytes; ++b)
        to[b] = static_cast<uint8_t>((to[b] & ~mask[b]) | value[b]);
}

/// Value and mask of a cache line of texels.
struct WrittenBits {
    std::array<uint8_t, 64> value{};
    std::array<uint8_t, 64> mask{};

    /// texel_bytes  1, 2, 4 or 8
    /// depth, stencil  the parts that are written; unused bits become 0
    WrittenBits(exec::Format format,
                const DepthStencil& parts,
                bool depth,
                bool stencil,
                uint32_t texel_bytes) noexcept {
        // A bit is written if a merge gives it the same value over zeros and over ones.
        std::array<uint8_t, 32> zeros{};
        std::array<uint8_t, 32> ones;
        ones.fill(0xFF);
        for (std::array<uint8_t, 32>* texel : {&zeros, &ones}) {
            DepthStencil stored = load_depth_stencil(format, texel->data());
            if (depth)
                stored.depth = parts.depth;
            if (stencil)
                stored.stencil = parts.stencil;
            store_depth_stencil(format, stored, texel->data());
        }
        for (size_t b = 0; b < value.size(); ++b) {
            const size_t at = b % texel_bytes;
            mask[b] = static_cast<uint8_t>(~(zeros[at] ^ ones[at]));
            value[b] = zeros[at] & mask[b];
        }
    }

    /// Writes these bits of whole texels.
    void write(uint8_t* to, size_t bytes) const noexcept {
        for (size_t at = 0; at < bytes; at += value.size())
            write_masked(to + at, value.data(), mask.data(), std::min(value.size(), bytes - at));
    }
};

}  // namespace valkyr::raster
