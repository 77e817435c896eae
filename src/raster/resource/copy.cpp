// Texel copies: set texels to a value, or copy them bit by bit.
// SPDX-License-Identifier: MIT
#include "raster/resource/copy.hpp"

#include "base/bits.hpp"
#include "raster/formats/tiled_texels.hpp"
#include "raster/resource/tiling.hpp"
#include "raster/resource/written_bits.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace valkyr::raster {
namespace {

/// Bytes of linear rows that are buffered at a time: they stay in a cache, and the memory of a copy
/// does not depend on the box.
constexpr size_t kBandBytes = size_t{256} << 10;

/// Addresses of the texels of one slice. A tile has a plane of 16 texels for each sample.
struct Slice {
    Slice(TextureImpl& texture, uint32_t level, uint32_t z)
        : base(texture.slice(level, z))
        , tiles_per_row(texture.level(level).tiles_per_row)
        , samples(texture.desc().samples)
        , texel_bytes(texture.texel_bytes())
        , watch(watch_of(texture.owner())) {}

    [[nodiscard]] size_t plane_bytes() const { return size_t{exec::kLanes} * texel_bytes; }
    [[nodiscard]] size_t tile_bytes() const { return plane_bytes() * samples; }
    [[nodiscard]] uint8_t* tile(uint32_t tile_x, uint32_t tile_y) const {
        return base + (size_t{tile_y} * tiles_per_row + tile_x) * tile_bytes();
    }
    [[nodiscard]] TiledRect rect(const Box& box) const {
        return {box.x, box.y, box.width, box.height, tiles_per_row, texel_bytes, samples, watch};
    }

    uint8_t* base;
    uint32_t tiles_per_row;
    uint32_t samples;
    uint32_t texel_bytes;
    const exec::LoopWatch* watch;
};

/// Texels [begin, end) of one direction, not empty, and the tiles that they touch.
struct Span {
    uint32_t begin, end;

    [[nodiscard]] uint32_t first() const { return begin / kTileSide; }
    [[nodiscard]] uint32_t last() const { return (end - 1) / kTileSide; }
    /// Returns whether texel `i` of tile `tile` is inside.
    [[nodiscard]] bool has(uint32_t tile, uint32_t i) const {
        const uint32_t at = tile * kTileSide + i;
        return at >= begin && at < end;
    }
    [[nodiscard]] bool has_all(uint32_t tile) const {
        return has(tile, 0) && has(tile, kTileSide - 1);
    }
};

/// Calls whole(first tile, count) for runs of whole tiles of row `tile_y`, and part(tile, lane) for
/// the texels of partly covered tiles.
template <typename Whole, typename Part>
void for_each_tile(
    const Span& x, const Span& y, uint32_t tile_y, const Whole& whole, const Part& part) {
    const bool all_rows = y.has_all(tile_y);
    for (uint32_t tile = x.first(); tile <= x.last();) {
        uint32_t end = tile;
        while (all_rows && end <= x.last() && x.has_all(end))
            ++end;
        if (end != tile) {
            whole(tile, end - tile);
            tile = end;
            continue;
        }
        for (uint32_t lane = 0; lane < exec::kLanes; ++lane)
            if (x.has(tile, exec::lane_x(lane)) && y.has(tile_y, exec::lane_y(lane)))
                part(tile, lane);
        ++tile;
    }
}

/// Bytes of a texel that a fill writes, and the mask of the written bits.
struct FillBits {
    std::array<uint8_t, 32> value{};
    std::array<uint8_t, 32> mask{};
    bool whole = true;  ///< all bits are written

    FillBits(Format format, const FillValue& fill, uint32_t texel_bytes) {
        if (!is_depth_stencil(format)) {
            value = fill.texel;
            mask.fill(0xFF);
            return;
        }
        const WrittenBits bits(format, {fill.depth_code, fill.stencil_value}, fill.depth,
                               fill.stencil, texel_bytes);
        for (uint32_t b = 0; b < texel_bytes; ++b) {
            mask[b] = bits.mask[b];
            value[b] = bits.value[b];
            whole = whole && mask[b] == 0xFF;
        }
    }
};

/// Fills texels from the bytes and the mask of a whole tile.
class Filler {
public:
    Filler(const FillBits& bits, uint32_t texel_bytes, size_t tile_bytes)
        : texel_bytes_(texel_bytes)
        , whole_(bits.whole)
        , value_(tile_bytes)
        , mask_(tile_bytes) {
        for (size_t at = 0; at < tile_bytes; at += texel_bytes) {
            std::memcpy(value_.data() + at, bits.value.data(), texel_bytes);
            std::memcpy(mask_.data() + at, bits.mask.data(), texel_bytes);
        }
    }

    void tiles(uint8_t* to, uint32_t count) const {
        for (uint32_t i = 0; i < count; ++i, to += value_.size())
            if (whole_)
                std::memcpy(to, value_.data(), value_.size());
            else
                masked(to, value_.size());
    }
    void texel(uint8_t* to) const { masked(to, texel_bytes_); }

private:
    void masked(uint8_t* to, size_t bytes) const {
        write_masked(to, value_.data(), mask_.data(), bytes);
    }

    uint32_t texel_bytes_;
    bool whole_;
    std::vector<uint8_t> value_;
    std::vector<uint8_t> mask_;
};

/// Runs rows of tiles of all slices of a box: rows(slice of the box, tile_y).
template <typename Rows>
Result<void>
for_tile_rows(const DeviceTag* owner, const Box& box, const RowRunner& run, const Rows& rows) {
    const Span y{box.y, box.y + box.height};
    const uint32_t count = y.last() - y.first() + 1;
    return run(count * box.depth, [&](uint32_t begin, uint32_t end) {
        for (uint32_t i = begin; i < end && !is_cancelled(owner); ++i)
            rows(i / count, y.first() + i % count);
    });
}

/// A copy between two levels, both settled.
struct LevelCopy {
    TextureImpl& to;
    uint32_t to_level;
    TexelCorner corner;
    TextureImpl& from;
    uint32_t from_level;
    Box box;

    /// Returns whether each texel keeps its lane in a tile.
    [[nodiscard]] bool keeps_tiles() const {
        return (corner.x ^ box.x) % kTileSide == 0 && (corner.y ^ box.y) % kTileSide == 0;
    }
    /// Returns whether slices may be copied in any order, and by several threads.
    [[nodiscard]] bool is_apart() const {
        return &to != &from || to_level != from_level || corner.z + box.depth <= box.z ||
               box.z + box.depth <= corner.z;
    }

    [[nodiscard]] Result<void> copy_tiles(const RowRunner& run) const;
    /// Copies bands of rows; `in_order` selects the order that overlapping boxes of one slice need.
    [[nodiscard]] Result<void> copy_bands(const RowRunner& run, bool in_order) const;

private:
    void copy_band(uint32_t z, uint32_t y, uint32_t height, std::byte* rows) const;
};

Result<void> LevelCopy::copy_tiles(const RowRunner& run) const {
    const Span x{box.x, box.x + box.width};
    const Span y{box.y, box.y + box.height};
    return for_tile_rows(to.owner(), box, run, [&](uint32_t z, uint32_t tile_y) {
        const Slice source(from, from_level, box.z + z);
        const Slice target(to, to_level, corner.z + z);
        const uint32_t to_y = tile_y - box.y / kTileSide + corner.y / kTileSide;
        const auto to_x = [&](uint32_t tile) {
            return tile - box.x / kTileSide + corner.x / kTileSide;
        };
        for_each_tile(
            x, y, tile_y,
            [&](uint32_t tile, uint32_t count) {
                std::memcpy(target.tile(to_x(tile), to_y), source.tile(tile, tile_y),
                            count * source.tile_bytes());
            },
            [&](uint32_t tile, uint32_t lane) {
                const size_t at = size_t{lane} * source.texel_bytes;
                for (size_t s = 0; s < source.samples; ++s)
                    std::memcpy(target.tile(to_x(tile), to_y) + s * source.plane_bytes() + at,
                                source.tile(tile, tile_y) + s * source.plane_bytes() + at,
                                source.texel_bytes);
            });
    });
}

void LevelCopy::copy_band(uint32_t z, uint32_t y, uint32_t height, std::byte* rows) const {
    const Slice source(from, from_level, box.z + z);
    const Slice target(to, to_level, corner.z + z);
    const size_t stride = size_t{box.width} * source.texel_bytes;
    // Samples lie in separate planes, so each is copied by itself.
    for (size_t s = 0; s < source.samples; ++s) {
        untile_rows(source.base + s * source.plane_bytes(),
                    source.rect({box.x, box.y + y, 0, box.width, height, 1}), rows, stride);
        tile_rows(target.base + s * target.plane_bytes(),
                  target.rect({corner.x, corner.y + y, 0, box.width, height, 1}), rows, stride);
    }
}

Result<void> LevelCopy::copy_bands(const RowRunner& run, bool in_order) const {
    const size_t row_bytes = size_t{box.width} * from.texel_bytes();
    // Bands end with a row of tiles of the destination, so that threads write to separate tiles.
    const auto height = static_cast<uint32_t>(
        std::clamp<size_t>(kBandBytes / row_bytes / kTileSide * kTileSide, kTileSide,
                           align_up(box.height + kTileSide, kTileSide)));
    const uint32_t lead = corner.y % kTileSide;
    const uint32_t bands = (lead + box.height + height - 1) / height;
    // Overlapping slices and bands of one texture are copied from the far end.
    const bool last_slice_first = corner.z > box.z;
    const bool last_band_first = corner.y > box.y;
    const auto rows = [&](uint32_t begin, uint32_t end) {
        std::vector<std::byte> bytes(row_bytes * std::min(height, box.height));
        for (uint32_t i = begin; i < end && !is_cancelled(to.owner()); ++i) {
            const uint32_t z = last_slice_first ? box.depth - 1 - i / bands : i / bands;
            const uint32_t k = last_band_first ? bands - 1 - i % bands : i % bands;
            const uint32_t y = k == 0 ? 0 : k * height - lead;
            const uint32_t y_end = std::min(box.height, (k + 1) * height - lead);
            if (y < y_end)
                copy_band(z, y, y_end - y, bytes.data());
        }
    };
    return in_order ? run_on_this_thread(bands * box.depth, rows) : run(bands * box.depth, rows);
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

Result<void> fill_box(TextureImpl& texture,
                      uint32_t level,
                      const Box& box,
                      const FillValue& value,
                      const RowRunner& run) {
    if (box.is_empty())
        return {};
    for (uint32_t z = 0; z < box.depth; ++z)
        VALKYR_TRY_VOID(texture.settle(level, box.z + z, box, run));
    const Slice any(texture, level, box.z);
    const FillBits bits(texture.desc().format, value, any.texel_bytes);
    const Filler filler(bits, any.texel_bytes, any.tile_bytes());
    const Span x{box.x, box.x + box.width};
    const Span y{box.y, box.y + box.height};
    return for_tile_rows(texture.owner(), box, run, [&](uint32_t z, uint32_t tile_y) {
        const Slice slice(texture, level, box.z + z);
        for_each_tile(
            x, y, tile_y,
            [&](uint32_t tile, uint32_t count) { filler.tiles(slice.tile(tile, tile_y), count); },
            [&](uint32_t tile, uint32_t lane) {
                uint8_t* texel = slice.tile(tile, tile_y) + size_t{lane} * slice.texel_bytes;
                for (size_t s = 0; s < slice.samples; ++s)
                    filler.texel(texel + s * slice.plane_bytes());
            });
    });
}

Result<void> copy_box(TextureImpl& to,
                      uint32_t to_level,
                      const TexelCorner& corner,
                      TextureImpl& from,
                      uint32_t from_level,
                      const Box& box,
                      const RowRunner& run) {
    if (box.is_empty())
        return {};
    Box landing = box;
    landing.x = corner.x;
    landing.y = corner.y;
    for (uint32_t z = 0; z < box.depth; ++z) {
        VALKYR_TRY_VOID(from.settle(from_level, box.z + z, box, run));
        VALKYR_TRY_VOID(to.settle(to_level, corner.z + z, landing, run));
    }
    const LevelCopy copy{to, to_level, corner, from, from_level, box};
    if (copy.is_apart() && copy.keeps_tiles())
        return copy.copy_tiles(run);
    return copy.copy_bands(run, !copy.is_apart());
}

}  // namespace valkyr::raster
