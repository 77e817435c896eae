// Transfers: upload texels, read them back, and clear surfaces.
// SPDX-License-Identifier: MIT
#include "raster/resource/transfer.hpp"

#include "raster/formats/block_decode.hpp"
#include "raster/formats/depth_codes.hpp"
#include "raster/formats/format_convert.hpp"
#include "raster/formats/tiled_texels.hpp"
#include "raster/resource/bytes.hpp"
#include "raster/resource/resolve.hpp"
#include "raster/resource/tiling.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace valkyr::raster {
namespace {

Error outside(std::string text) {
    return Error{Errc::OutOfRange, {}, "texture transfer: " + std::move(text)};
}

/// Bytes of blocks that are buffered at a time in a copy.
constexpr size_t kCopiedBlockBytes = size_t{256} << 10;

/// Returns the number of blocks that cover `texels` texels.
constexpr uint32_t blocks(uint32_t texels, uint32_t block) {
    return (texels + block - 1) / block;
}

/// Returns whether a box starts at a block and ends at a block or at the border of the level.
bool whole_blocks(const exec::FormatInfo& info, const Box& box, const exec::TextureLevel& level) {
    const auto whole = [](uint32_t at, uint32_t count, uint32_t limit, uint32_t block) {
        return at % block == 0 && (count % block == 0 || at + count == limit);
    };
    return whole(box.x, box.width, level.width, info.block_width) &&
           whole(box.y, box.height, level.height, info.block_height);
}

/// Checks that `box` lies in the level and its rows in `size` bytes.
Result<void> check_box(const TextureImpl& texture,
                       uint32_t level,
                       const Box& box,
                       size_t size,
                       size_t stride_bytes,
                       size_t slice_bytes) {
    if (level >= texture.desc().levels)
        return outside("no level " + std::to_string(level));
    const exec::TextureLevel& l = texture.level(level);
    const auto fits = [](uint32_t at, uint32_t count, uint32_t limit) {
        return at <= limit && count <= limit - at;
    };
    if (!fits(box.x, box.width, l.width) || !fits(box.y, box.height, l.height) ||
        !fits(box.z, box.depth, l.depth))
        return outside("the box is not inside the level");
    if (box.width == 0 || box.height == 0 || box.depth == 0)
        return {};
    const exec::FormatInfo& info = exec::format_info(texture.desc().format);
    if (!whole_blocks(info, box, l))
        return outside("the box does not consist of whole blocks");
    const size_t row = size_t{blocks(box.width, info.block_width)} * info.block_bytes;
    const size_t row_count = blocks(box.height, info.block_height);
    if (row_count > 1 && stride_bytes < row)
        return outside("rows overlap: a stride of " + std::to_string(stride_bytes) +
                       " bytes for rows of " + std::to_string(row));
    // Strides are checked first, so that the sums below cannot wrap.
    if (stride_bytes > size && row_count > 1)
        return outside("the rows need more than the given bytes");
    if (slice_bytes > size && box.depth > 1)
        return outside("the slices need more than the given bytes");
    const size_t rows = (row_count - 1) * (row_count > 1 ? stride_bytes : 0) + row;
    const size_t total = (box.depth - 1) * (box.depth > 1 ? slice_bytes : 0) + rows;
    if (total > size)
        return outside("the rows need " + std::to_string(total) + " bytes, " +
                       std::to_string(size) + " are given");
    return {};
}

TiledRect rect_of(const TextureImpl& texture, uint32_t level, const Box& box) {
    return {box.x,
            box.y,
            box.width,
            box.height,
            texture.level(level).tiles_per_row,
            texture.texel_bytes(),
            1,
            watch_of(texture.owner())};
}

/// Sets flags of all tiles. Eight tiles at a time: a frame may do little else than clear.
void mark_cleared(const TargetSurface& surface, unsigned flags) {
    const std::span<uint8_t> tiles = surface.clear->flags;
    const uint64_t of_eight = flags * 0x0101010101010101ULL;
    size_t tile = 0;
    for (uint64_t eight = 0; tile + sizeof eight <= tiles.size(); tile += sizeof eight) {
        std::memcpy(&eight, &tiles[tile], sizeof eight);
        eight |= of_eight;
        std::memcpy(&tiles[tile], &eight, sizeof eight);
    }
    for (; tile < tiles.size(); ++tile)
        tiles[tile] = static_cast<uint8_t>(tiles[tile] | flags);
}

void clear_color(const TargetSurface& surface, const std::array<uint32_t, 4>& value) {
    const exec::FormatInfo& info = exec::format_info(surface.format);
    encode_texel(info, value, integer_kind(info), surface.clear->texel.data());
    mark_cleared(surface, kClearMain);
}

void clear_depth_stencil(const TargetSurface& surface, const ClearInfo& info) {
    unsigned flags = 0;
    if (info.depth && has_depth(surface.format)) {
        surface.clear->depth = encode_depth(surface.format, clamp_depth(info.depth_value, 0, 1));
        flags |= kClearMain;
    }
    if (info.stencil && has_stencil(surface.format)) {
        surface.clear->stencil = info.stencil_value;
        flags |= kClearStencil;
    }
    mark_cleared(surface, flags);
}

/// Calls copy(bytes of the texture, bytes of the application, count) for the rows of blocks of a
/// box.
template <typename Bytes, typename Copy>
void for_each_block_row(TextureImpl& texture,
                        uint32_t level,
                        const Box& box,
                        uint32_t z,
                        Bytes* data,
                        size_t stride_bytes,
                        const Copy& copy) {
    const exec::FormatInfo& info = exec::format_info(texture.desc().format);
    const BlockRows rows = texture.blocks(level, z);
    std::byte* first = rows.first + box.y / info.block_height * rows.stride_bytes +
                       box.x / info.block_width * size_t{info.block_bytes};
    const uint32_t count = blocks(box.height, info.block_height);
    for (uint32_t y = 0; y < count && !is_cancelled(texture.owner()); ++y)
        copy(first + y * rows.stride_bytes, data + y * stride_bytes,
             size_t{blocks(box.width, info.block_width)} * info.block_bytes);
}

/// Decodes compressed rows of one slice and keeps them. Blocks are whole tiles, so texels beyond
/// the level's border are written too.
Result<void> upload_blocks(TextureImpl& texture,
                           uint32_t level,
                           const Box& box,
                           uint32_t z,
                           const std::byte* data,
                           size_t stride_bytes,
                           const RowRunner& run) {
    const exec::FormatInfo& info = exec::format_info(texture.desc().format);
    const uint32_t columns = blocks(box.width, info.block_width);
    VALKYR_TRY_VOID(run(blocks(box.height, info.block_height), [&](uint32_t first, uint32_t end) {
        for (uint32_t row = first; row < end && !is_cancelled(texture.owner()); ++row) {
            const TexelPlace place{box.x, box.y + row * info.block_height};
            decode_tiles(texture.desc().format,
                         reinterpret_cast<const uint8_t*>(data + row * stride_bytes), columns,
                         texture.slice(level, z) + texel_offset(place,
                                                                texture.level(level).tiles_per_row,
                                                                0, 1, texture.texel_bytes()));
        }
    }));
    for_each_block_row(texture, level, box, z, data, stride_bytes,
                       [](std::byte* own, const std::byte* given, size_t bytes) {
                           std::memcpy(own, given, bytes);
                       });
    return {};
}

/// Calls copy(part of the box, its distance from the box's first row) for ranges of rows of tiles.
template <typename Copy>
Result<void> for_tile_rows(const Box& box, const RowRunner& run, const Copy& copy) {
    const uint32_t first_tile = box.y / 4;
    const uint32_t count = (box.y + box.height + 3) / 4 - first_tile;
    return run(count, [&](uint32_t first, uint32_t end) {
        Box part = box;
        part.y = std::max(box.y, (first_tile + first) * 4);
        part.height = std::min(box.y + box.height, (first_tile + end) * 4) - part.y;
        copy(part, part.y - box.y);
    });
}

/// Writes the clear value of a part of a tile to linear rows.
void fill_rows(const std::array<uint8_t, 16>& texel,
               size_t texel_bytes,
               const Box& part,
               std::byte* rows,
               size_t stride_bytes) {
    const size_t bytes = part.width * texel_bytes;
    repeat_bytes(rows, bytes, std::as_bytes(std::span(texel)).first(texel_bytes), nullptr);
    for (uint32_t y = 1; y < part.height; ++y)
        std::memcpy(rows + y * stride_bytes, rows, bytes);
}

/// Reads texels of one row of tiles, or of a part of it. Clear values go to the rows directly, not
/// through the texture's memory: windows are often mostly background.
void read_tiles(
    TextureImpl& texture, uint32_t level, const Box& part, std::byte* rows, size_t stride_bytes) {
    const uint32_t across = tiles_across(texture.level(level).width);
    const uint32_t first = part.y / exec::kTileSize * across;
    const uint32_t end = part.x + part.width;
    const auto cleared = [&](uint32_t x) {
        return texture.cleared_tile(level, part.z, first + x / exec::kTileSize);
    };
    for (Box run = part; run.x < end; run.x += run.width) {
        const auto texel = cleared(run.x);
        uint32_t next = run.x;
        do
            next = (next / exec::kTileSize + 1) * exec::kTileSize;
        while (next < end && cleared(next).has_value() == texel.has_value());
        run.width = std::min(next, end) - run.x;
        std::byte* to = rows + size_t{run.x - part.x} * texture.texel_bytes();
        if (texel)
            fill_rows(*texel, texture.texel_bytes(), run, to, stride_bytes);
        else
            untile_rows(texture.slice(level, part.z), rect_of(texture, level, run), to,
                        stride_bytes);
    }
}

/// Reads texels of one slice.
void read_rows(
    TextureImpl& texture, uint32_t level, const Box& part, std::byte* rows, size_t stride_bytes) {
    const uint32_t end = part.y + part.height;
    for (Box band = part; band.y < end && !is_cancelled(texture.owner()); band.y += band.height) {
        const uint32_t next = (band.y / exec::kTileSize + 1) * exec::kTileSize;
        band.height = std::min(next, end) - band.y;
        read_tiles(texture, level, band, rows + (band.y - part.y) * stride_bytes, stride_bytes);
    }
}

}  // namespace

Result<void> upload(TextureImpl& texture,
                    uint32_t level,
                    const Box& box,
                    std::span<const std::byte> data,
                    size_t stride_bytes,
                    size_t slice_bytes,
                    const RowRunner& run,
                    const RowRunner& run_level) {
    VALKYR_TRY_VOID(check_box(texture, level, box, data.size(), stride_bytes, slice_bytes));
    if (texture.desc().samples > 1)
        return Error{Errc::Unsupported, {}, "texture transfer: writing multisampled texels"};
    if (box.is_empty())
        return {};
    for (uint32_t z = 0; z < box.depth; ++z) {
        VALKYR_TRY_VOID(texture.settle(level, box.z + z, run_level));
        if (texture.storage() != texture.desc().format) {
            VALKYR_TRY_VOID(upload_blocks(texture, level, box, box.z + z,
                                          data.data() + z * slice_bytes, stride_bytes, run));
            continue;
        }
        uint8_t* slice = texture.slice(level, box.z + z);
        const std::byte* rows = data.data() + z * slice_bytes;
        VALKYR_TRY_VOID(for_tile_rows(box, run, [&](const Box& part, size_t row) {
            tile_rows(slice, rect_of(texture, level, part), rows + row * stride_bytes,
                      stride_bytes);
        }));
    }
    return {};
}

Result<void> download(TextureImpl& texture,
                      uint32_t level,
                      const Box& box,
                      std::span<std::byte> data,
                      size_t stride_bytes,
                      size_t slice_bytes,
                      const RowRunner& run,
                      ConvertTiles convert) {
    VALKYR_TRY_VOID(check_box(texture, level, box, data.size(), stride_bytes, slice_bytes));
    if (box.is_empty())
        return {};
    const bool compressed = texture.storage() != texture.desc().format;
    const bool sampled = texture.desc().samples > 1;
    for (uint32_t z = 0; z < box.depth; ++z) {
        if (sampled) {
            VALKYR_TRY_VOID(texture.settle(level, box.z + z, box, run));
        } else {
            texture.settle_parts(level, box.z + z, box);
        }
        const bool clears = texture.has_clears(level, box.z + z);
        std::byte* rows = data.data() + z * slice_bytes;
        if (compressed) {
            for_each_block_row(texture, level, box, box.z + z, rows, stride_bytes,
                               [](const std::byte* own, std::byte* given, size_t bytes) {
                                   std::memcpy(given, own, bytes);
                               });
            continue;
        }
        const uint8_t* slice = texture.slice(level, box.z + z);
        VALKYR_TRY_VOID(for_tile_rows(box, run, [&](Box part, size_t row) {
            part.z = box.z + z;
            if (sampled)
                resolve_rows(texture, level, part, part.z, rows + row * stride_bytes, stride_bytes,
                             convert);
            else if (clears)
                read_rows(texture, level, part, rows + row * stride_bytes, stride_bytes);
            else
                untile_rows(slice, rect_of(texture, level, part), rows + row * stride_bytes,
                            stride_bytes);
        }));
    }
    return {};
}

Result<void> copy_blocks(TextureImpl& to,
                         uint32_t to_level,
                         const Box& to_box,
                         TextureImpl& from,
                         uint32_t from_level,
                         const Box& from_box) {
    if (from_box.is_empty())
        return {};
    const exec::FormatInfo& from_info = exec::format_info(from.desc().format);
    const exec::FormatInfo& to_info = exec::format_info(to.desc().format);
    const size_t row =
        size_t{blocks(from_box.width, from_info.block_width)} * from_info.block_bytes;
    const uint32_t rows = blocks(from_box.height, from_info.block_height);
    // All checks come before the first write.
    VALKYR_TRY_VOID(check_box(from, from_level, from_box, SIZE_MAX, row, 0));
    VALKYR_TRY_VOID(check_box(to, to_level, to_box, SIZE_MAX, row, 0));
    const auto band_rows =
        static_cast<uint32_t>(std::clamp<size_t>(kCopiedBlockBytes / row, 1, rows));
    const uint32_t bands = (rows + band_rows - 1) / band_rows;
    std::vector<std::byte> bytes(row * band_rows);
    const auto band_of = [&](const exec::FormatInfo& info, Box box, uint32_t z, uint32_t band) {
        const uint32_t y = band * band_rows * info.block_height;
        box.y += y;
        box.height = std::min(box.height - y, band_rows * info.block_height);
        box.z += z;
        box.depth = 1;
        return box;
    };
    // Overlapping slices and bands of one texture are copied from the far end.
    const bool last_slice_first = to_box.z > from_box.z;
    const bool last_band_first = to_box.y > from_box.y;
    for (uint32_t i = 0; i < from_box.depth; ++i)
        for (uint32_t k = 0; k < bands && !is_cancelled(to.owner()); ++k) {
            const uint32_t z = last_slice_first ? from_box.depth - 1 - i : i;
            const uint32_t band = last_band_first ? bands - 1 - k : k;
            VALKYR_TRY_VOID(
                download(from, from_level, band_of(from_info, from_box, z, band), bytes, row, 0));
            VALKYR_TRY_VOID(upload(to, to_level, band_of(to_info, to_box, z, band), bytes, row, 0));
        }
    return {};
}

void clear_targets(const PassTargets& targets, const ClearInfo& info) {
    for (size_t i = 0; i < targets.color.size(); ++i)
        if ((info.color_targets >> i & 1) != 0 && targets.color[i].texture != nullptr)
            clear_color(targets.color[i], info.color[i]);
    if (targets.depth_stencil.texture != nullptr)
        clear_depth_stencil(targets.depth_stencil, info);
}

}  // namespace valkyr::raster
