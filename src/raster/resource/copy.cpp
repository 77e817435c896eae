// Texel copies: set texels to a value, or copy them bit by bit.
// SPDX-License-Identifier: MIT
#include "raster/resource/copy.hpp"

#include "base/bits.hpp"
#include "raster/formats/depth_codes.hpp"
#include "raster/formats/tiled_texels.hpp"
#include "raster/resource/tiling.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace valkyr::raster {
namespace {

/// Bytes of rows that are on their way at a time: they stay in a cache, and a box does not decide
/// how much memory a copy takes.
constexpr size_t kBandBytes = size_t{256} << 10;

/// Addresses of the texels of one slice.
struct Slice {
    Slice(TextureImpl& texture, uint32_t level, uint32_t z)
        : base(texture.slice(level, z))
        , tiles_per_row(texture.level(level).tiles_per_row)
        , samples(texture.desc().samples)
        , texel_bytes(texture.texel_bytes()) {}

    [[nodiscard]] uint8_t* at(uint32_t x, uint32_t y, uint32_t sample) const {
        return base + texel_offset({x, y, 0, sample}, tiles_per_row, 0, samples, texel_bytes);
    }

    uint8_t* base;
    uint32_t tiles_per_row;
    uint32_t samples;
    uint32_t texel_bytes;
};

void fill_texel(Format format, bool depth_stencil, const FillValue& value, uint8_t* texel) {
    if (!depth_stencil) {
        std::memcpy(texel, value.texel.data(), exec::format_info(format).block_bytes);
        return;
    }
    DepthStencil stored = load_depth_stencil(format, texel);
    if (value.depth)
        stored.depth = value.depth_code;
    if (value.stencil)
        stored.stencil = value.stencil_value;
    store_depth_stencil(format, stored, texel);
}

/// The rows of all samples of a box in one slice, or back.
template <typename Move>
void move_samples(const Slice& slice, const Box& box, std::byte* rows, Move move) {
    for (uint32_t y = 0; y < box.height; ++y)
        for (uint32_t x = 0; x < box.width; ++x)
            for (uint32_t s = 0; s < slice.samples; ++s) {
                move(slice.at(box.x + x, box.y + y, s), rows, slice.texel_bytes);
                rows += slice.texel_bytes;
            }
}

void read_rows(TextureImpl& texture, uint32_t level, const Box& box, uint32_t z, std::byte* rows) {
    const Slice slice(texture, level, z);
    if (slice.samples == 1)
        untile_rows(slice.base,
                    {box.x, box.y, box.width, box.height, slice.tiles_per_row, slice.texel_bytes},
                    rows, size_t{box.width} * slice.texel_bytes);
    else
        move_samples(slice, box, rows, [](uint8_t* texel, std::byte* row, size_t bytes) {
            std::memcpy(row, texel, bytes);
        });
}

void write_rows(TextureImpl& texture, uint32_t level, const Box& box, uint32_t z, std::byte* rows) {
    const Slice slice(texture, level, z);
    if (slice.samples == 1)
        tile_rows(slice.base,
                  {box.x, box.y, box.width, box.height, slice.tiles_per_row, slice.texel_bytes},
                  rows, size_t{box.width} * slice.texel_bytes);
    else
        move_samples(slice, box, rows, [](uint8_t* texel, const std::byte* row, size_t bytes) {
            std::memcpy(texel, row, bytes);
        });
}

}  // namespace

bool contains(const TextureImpl& texture, uint32_t level, const Box& box) {
    if (level >= texture.desc().levels)
        return false;
    const exec::TextureLevel& l = texture.level(level);
    const auto fits = [](uint32_t at, uint32_t count, uint32_t limit) {
        return at <= limit && count <= limit - at;
    };
    return fits(box.x, box.width, l.width) && fits(box.y, box.height, l.height) &&
           fits(box.z, box.depth, l.depth);
}

void fill_box(TextureImpl& texture, uint32_t level, const Box& box, const FillValue& value) {
    const Format format = texture.desc().format;
    const bool depth_stencil = is_depth_stencil(format);
    for (uint32_t z = box.z; z < box.z + box.depth; ++z) {
        texture.settle(level, z);
        const Slice slice(texture, level, z);
        for (uint32_t y = box.y; y < box.y + box.height && !is_cancelled(texture.owner()); ++y)
            for (uint32_t x = box.x; x < box.x + box.width; ++x)
                for (uint32_t s = 0; s < slice.samples; ++s)
                    fill_texel(format, depth_stencil, value, slice.at(x, y, s));
    }
}

void copy_box(TextureImpl& to,
              uint32_t to_level,
              const TexelCorner& corner,
              TextureImpl& from,
              uint32_t from_level,
              const Box& box) {
    if (box.width == 0 || box.height == 0 || box.depth == 0)
        return;
    const size_t row_bytes = size_t{box.width} * from.desc().samples * from.texel_bytes();
    const auto height = static_cast<uint32_t>(
        std::clamp<size_t>(kBandBytes / row_bytes / 4 * 4, 4, align_up(box.height, 4U)));
    const uint32_t bands = (box.height + height - 1) / height;
    std::vector<std::byte> rows(row_bytes * std::min(height, box.height));
    // Slices and bands of one texture that overlap are copied from the far end.
    const bool last_slice_first = corner.z > box.z;
    const bool last_band_first = corner.y > box.y;
    for (uint32_t i = 0; i < box.depth; ++i) {
        const uint32_t z = last_slice_first ? box.depth - 1 - i : i;
        from.settle(from_level, box.z + z);
        to.settle(to_level, corner.z + z);
        for (uint32_t k = 0; k < bands && !is_cancelled(to.owner()); ++k) {
            const uint32_t y = (last_band_first ? bands - 1 - k : k) * height;
            const uint32_t count = std::min(height, box.height - y);
            read_rows(from, from_level, {box.x, box.y + y, 0, box.width, count, 1}, box.z + z,
                      rows.data());
            write_rows(to, to_level, {corner.x, corner.y + y, 0, box.width, count, 1}, corner.z + z,
                       rows.data());
        }
    }
}

}  // namespace valkyr::raster
