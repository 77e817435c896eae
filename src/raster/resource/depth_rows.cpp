// Depth rows: instantiate a loop for the layout of each format.
// SPDX-License-Identifier: MIT
#include "raster/resource/depth_rows.hpp"

#include <cstring>

namespace valkyr::raster {
namespace {

/// Rows are whole blocks: pieces of sixteen texels, which do not overlap, compile to vector code.
constexpr size_t kTexelsAtOnce = 16;

/// Texels are little-endian words with depth at one bit and, unless negative, stencil at another.
template <typename Word, unsigned kDepthShift, uint32_t kDepthMask, int kStencilShift>
struct Layout {
    static void split(const uint8_t* texels, size_t count, uint32_t* depth, uint8_t* stencil) {
        for (size_t i = 0; i < count; i += kTexelsAtOnce)
            split_piece(texels + i * sizeof(Word), depth + i);
        if (stencil != nullptr)
            for (size_t i = 0; i < count; i += kTexelsAtOnce)
                split_stencil_piece(texels + i * sizeof(Word), stencil + i);
    }

    static void
    merge(const uint32_t* depth, const uint8_t* stencil, size_t count, uint8_t* texels) {
        constexpr uint8_t kNoStencil[kTexelsAtOnce] = {};
        for (size_t i = 0; i < count; i += kTexelsAtOnce)
            merge_piece(depth + i, stencil != nullptr ? stencil + i : kNoStencil,
                        texels + i * sizeof(Word));
    }

private:
    static void split_piece(const uint8_t* __restrict texels, uint32_t* __restrict depth) {
        Word words[kTexelsAtOnce];
        std::memcpy(words, texels, sizeof(words));
        for (size_t i = 0; i < kTexelsAtOnce; ++i)
            depth[i] = static_cast<uint32_t>(words[i] >> kDepthShift) & kDepthMask;
    }

    static void split_stencil_piece(const uint8_t* __restrict texels, uint8_t* __restrict stencil) {
        Word words[kTexelsAtOnce];
        std::memcpy(words, texels, sizeof(words));
        for (size_t i = 0; i < kTexelsAtOnce; ++i)
            stencil[i] = kStencilShift < 0 ? uint8_t{0} : static_cast<uint8_t>(words[i] >> kShift);
    }

    static void merge_piece(const uint32_t* __restrict depth,
                            const uint8_t* __restrict stencil,
                            uint8_t* __restrict texels) {
        Word words[kTexelsAtOnce];
        for (size_t i = 0; i < kTexelsAtOnce; ++i) {
            words[i] = static_cast<Word>(static_cast<Word>(depth[i] & kDepthMask) << kDepthShift);
            if constexpr (kStencilShift >= 0)
                words[i] = static_cast<Word>(words[i] | Word{stencil[i]} << kShift);
        }
        std::memcpy(texels, words, sizeof(words));
    }

    static constexpr unsigned kShift = kStencilShift < 0 ? 0 : kStencilShift;
};

struct Row {
    exec::Format format;
    void (*split)(const uint8_t*, size_t, uint32_t*, uint8_t*);
    void (*merge)(const uint32_t*, const uint8_t*, size_t, uint8_t*);
};

template <typename L>
constexpr Row row(exec::Format format) {
    return {format, L::split, L::merge};
}

using exec::Format;
constexpr Row kRows[] = {
    row<Layout<uint32_t, 0, 0xFFFFFF, 24>>(Format::D24_UNORM_S8_UINT),
    row<Layout<uint32_t, 0, 0xFFFFFF, -1>>(Format::D24_UNORM_X8_UINT),
    row<Layout<uint32_t, 0, 0xFFFFFFFF, -1>>(Format::D32_FLOAT),
    row<Layout<uint16_t, 0, 0xFFFF, -1>>(Format::D16_UNORM),
    row<Layout<uint32_t, 8, 0xFFFFFF, 0>>(Format::S8_UINT_D24_UNORM),
    row<Layout<uint32_t, 8, 0xFFFFFF, -1>>(Format::X8_UINT_D24_UNORM),
    row<Layout<uint64_t, 0, 0xFFFFFFFF, 32>>(Format::D32_FLOAT_S8X24_UINT),
    row<Layout<uint8_t, 0, 0, 0>>(Format::S8_UINT),
};

const Row* find_row(Format format) {
    for (const Row& row : kRows)
        if (row.format == format)
            return &row;
    return nullptr;
}

}  // namespace

void split_depth_stencil(exec::Format format,
                         const uint8_t* texels,
                         size_t count,
                         uint32_t* depth,
                         uint8_t* stencil) noexcept {
    if (const Row* row = find_row(format))
        row->split(texels, count, depth, stencil);
}

void merge_depth_stencil(exec::Format format,
                         const uint32_t* depth,
                         const uint8_t* stencil,
                         size_t count,
                         uint8_t* texels) noexcept {
    if (const Row* row = find_row(format))
        row->merge(depth, stencil, count, texels);
}

}  // namespace valkyr::raster
