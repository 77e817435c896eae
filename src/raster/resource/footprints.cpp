// Footprints: write the copy of a texture that linear filters of bytes read.
// SPDX-License-Identifier: MIT
#include "raster/resource/footprints.hpp"

#include "raster/resource/resource.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace valkyr::raster {
namespace {

constexpr uint32_t kByteTexel = 4;  ///< bytes of a texel
constexpr uint32_t kFootprintBytes = 16;

using Bytes [[gnu::vector_size(kFootprintBytes)]] = uint8_t;

/// Orders the bytes of four texels: all first ones, all second ones, ..
Bytes in_planes(Bytes texels) noexcept {
    const auto halves = [](Bytes v) {
        return __builtin_shufflevector(v, v, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    };
    return halves(halves(texels));
}

/// A row of tiles in a slice.
struct SliceRow {
    const exec::TextureLevel* level;
    const uint8_t* slice;
    uint32_t tile_y;
};

std::vector<SliceRow> tile_rows(TextureImpl& texture) {
    std::vector<SliceRow> rows;
    for (uint32_t l = 0; l < texture.desc().levels; ++l) {
        const exec::TextureLevel& level = texture.level(l);
        for (uint32_t z = 0; z < level.depth; ++z)
            for (uint32_t y = 0; y < tiles_across(level.height); ++y)
                rows.push_back({&level, texture.slice(l, z), y});
    }
    return rows;
}

/// Writes the footprints of row y of a slice.
/// to  the footprint of the slice's first texel
void write_row(const SliceRow& row, uint32_t y, std::byte* to) noexcept {
    const exec::TextureLevel& level = *row.level;
    const uint32_t here = exec::row_element(y, level.tiles_per_row);
    const uint32_t below =
        exec::row_element(y + 1 == level.height ? 0 : y + 1, level.tiles_per_row);
    const auto texel = [&](uint32_t element) { return row.slice + size_t{element} * kByteTexel; };
    uint32_t column = 0;
    for (uint32_t x = 0; x < level.width; ++x) {
        const uint32_t right = x + 1 == level.width ? 0 : exec::column_element(x + 1);
        alignas(kFootprintBytes) uint8_t texels[kFootprintBytes];
        std::memcpy(texels, texel(here + column), kByteTexel);
        std::memcpy(texels + 4, texel(here + right), kByteTexel);
        std::memcpy(texels + 8, texel(below + column), kByteTexel);
        std::memcpy(texels + 12, texel(below + right), kByteTexel);
        Bytes bytes;
        std::memcpy(&bytes, texels, sizeof bytes);
        bytes = in_planes(bytes) ^ 0x80;
        std::memcpy(to + size_t{here + column} * kFootprintBytes, &bytes, sizeof bytes);
        column = right;
    }
}

}  // namespace

bool write_footprints(TextureImpl& texture, std::byte* to) {
    const std::vector<SliceRow> rows = tile_rows(texture);
    const auto* const first = texture.level(0).data;
    const auto write_rows = [&](uint32_t from, uint32_t end) {
        for (uint32_t i = from; i < end && !is_cancelled(texture.owner()); ++i) {
            const SliceRow& row = rows[i];
            std::byte* slice = to + (row.slice - first) / kByteTexel * ptrdiff_t{kFootprintBytes};
            const uint32_t y = row.tile_y * exec::kTileSize;
            for (uint32_t k = y; k < std::min(y + exec::kTileSize, row.level->height); ++k)
                write_row(row, k, slice);
        }
    };
    const uint64_t texels = texture.memory().front().size() / kByteTexel;
    return runner_for(texture.owner(), texels)(static_cast<uint32_t>(rows.size()), write_rows)
               .has_value() &&
           !is_cancelled(texture.owner());
}

}  // namespace valkyr::raster
