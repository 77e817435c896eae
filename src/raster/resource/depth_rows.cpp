// Depth rows: instantiate a loop for the layout of each format.
// SPDX-License-Identifier: MIT
#include "raster/resource/depth_rows.hpp"

#include "raster/support/stream.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::raster {
namespace {

/// Rows are whole blocks: pieces of sixteen texels, which do not overlap, compile to vector code.
/// Words go straight from memory to memory: an array between them would be filled in halves of what
/// is then read, which a processor waits for.
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
        if constexpr (kIsCode) {
            std::memcpy(texels, depth, count * sizeof(Word));
            return;
        }
        constexpr uint8_t kNoStencil[kTexelsAtOnce] = {};
        for (size_t i = 0; i < count; i += kTexelsAtOnce)
            merge_piece(depth + i, stencil != nullptr ? stencil + i : kNoStencil,
                        texels + i * sizeof(Word));
    }

    static void
    stream(const uint32_t* depth, const uint8_t* stencil, size_t count, uint8_t* texels) {
        if constexpr (sizeof(Word) == sizeof(uint32_t) && kDepthShift == 0) {
            stream_codes(texels, depth, kDepthMask, kStencilShift < 0 ? nullptr : stencil, count);
            return;
        }
        constexpr size_t texels_of_piece = 4 * kTexelsAtOnce;
        uint8_t piece[texels_of_piece * sizeof(Word)];
        for (size_t i = 0; i < count; i += texels_of_piece) {
            const size_t some = std::min(texels_of_piece, count - i);
            merge(depth + i, stencil != nullptr ? stencil + i : nullptr, some, piece);
            stream_bytes(texels + i * sizeof(Word), piece, some * sizeof(Word));
        }
    }

private:
    static Word word_at(const uint8_t* texels, size_t i) {
        Word word;
        std::memcpy(&word, texels + i * sizeof(Word), sizeof(Word));
        return word;
    }

    static void split_piece(const uint8_t* __restrict texels, uint32_t* __restrict depth) {
        for (size_t i = 0; i < kTexelsAtOnce; ++i)
            depth[i] = static_cast<uint32_t>(word_at(texels, i) >> kDepthShift) & kDepthMask;
    }

    static void split_stencil_piece(const uint8_t* __restrict texels, uint8_t* __restrict stencil) {
        for (size_t i = 0; i < kTexelsAtOnce; ++i)
            stencil[i] =
                kStencilShift < 0 ? uint8_t{0} : static_cast<uint8_t>(word_at(texels, i) >> kShift);
    }

    static void merge_piece(const uint32_t* __restrict depth,
                            const uint8_t* __restrict stencil,
                            uint8_t* __restrict texels) {
        for (size_t i = 0; i < kTexelsAtOnce; ++i) {
            auto word = static_cast<Word>(static_cast<Word>(depth[i] & kDepthMask) << kDepthShift);
            if constexpr (kStencilShift >= 0)
                word = static_cast<Word>(word | Word{stencil[i]} << kShift);
            std::memcpy(texels + i * sizeof(Word), &word, sizeof(Word));
        }
    }

    /// Whether a texel is its depth code.
    static constexpr bool kIsCode = sizeof(Word) == sizeof(uint32_t) && kDepthShift == 0 &&
                                    kDepthMask == UINT32_MAX && kStencilShift < 0;
    static constexpr unsigned kShift = kStencilShift < 0 ? 0 : kStencilShift;
};

struct Row {
    exec::Format format;
    void (*split)(const uint8_t*, size_t, uint32_t*, uint8_t*);
    void (*merge)(const uint32_t*, const uint8_t*, size_t, uint8_t*);
    void (*stream)(const uint32_t*, const uint8_t*, size_t, uint8_t*);
};

template <typename L>
constexpr Row row(exec::Format format) {
    return {format, L::split, L::merge, L::stream};
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
                         uint8_t* texels,
                         MergeTo to) noexcept {
    if (const Row* row = find_row(format))
        (to == MergeTo::Memory ? row->stream : row->merge)(depth, stencil, count, texels);
}

}  // namespace valkyr::raster
