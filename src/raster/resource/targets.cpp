// Targets: load and store tile buffers by copying, because surfaces use the same block layout.
// SPDX-License-Identifier: MIT
#include "raster/resource/targets.hpp"

#include "base/prefetch.hpp"
#include "raster/formats/depth_codes.hpp"
#include "raster/resource/depth_rows.hpp"
#include "raster/support/stream.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::raster {
namespace {

/// The part of a tile that lies on the surface.
struct TileSpan {
    uint32_t columns = 0;  ///< blocks
    uint32_t rows = 0;
    size_t surface_row = 0;      ///< bytes from one row of blocks to the next
    uint8_t* surface = nullptr;  ///< first block
};

TileSpan tile_span(const TargetSurface& s, uint32_t samples, uint32_t tx, uint32_t ty) {
    const size_t block_bytes = size_t{exec::kLanes} * s.texel_bytes * samples;
    const uint32_t bx = tx * exec::kBlocksPerRow;
    const uint32_t by = ty * exec::kBlocksPerRow;
    TileSpan span;
    span.columns = std::min(exec::kBlocksPerRow, s.blocks_per_row - bx);
    span.rows = std::min(exec::kBlocksPerRow, s.block_rows - by);
    span.surface_row = s.blocks_per_row * block_bytes;
    span.surface = s.texels + by * span.surface_row + bx * block_bytes;
    return span;
}

/// Prefetches the texels of a tile to be written, unless that would fill the caches: they arrive
/// while the tile is drawn, and store() need not wait for them.
/// row_bytes  of each row of blocks
void prefetch_texels(const TileSpan& span, size_t row_bytes) {
    constexpr size_t kMostBytes = size_t{32} << 10;
    if (row_bytes * span.rows > kMostBytes)
        return;
    for (uint32_t row = 0; row < span.rows; ++row)
        for (size_t at = 0; at < row_bytes; at += kCacheLine)
            prefetch_to_write(span.surface, row * span.surface_row + at);
}

/// Fills `bytes` bytes with a texel, by doubling the filled part.
void fill(uint8_t* to, const uint8_t* texel, uint32_t texel_bytes, size_t bytes) {
    std::memcpy(to, texel, texel_bytes);
    for (size_t done = texel_bytes; done < bytes; done *= 2)
        std::memcpy(to + done, to, std::min(done, bytes - done));
}

/// Copies the texels that differ from what they were.
void copy_changes(
    uint8_t* to, const uint8_t* from, const uint8_t* before, size_t bytes, uint32_t texel_bytes) {
    for (size_t at = 0; at < bytes; at += texel_bytes)
        if (std::memcmp(from + at, before + at, texel_bytes) != 0)
            std::memcpy(to + at, from + at, texel_bytes);
}

uint8_t& tile_flags(const TargetSurface& s, uint32_t tx, uint32_t ty) {
    return s.clear->flags[size_t{ty} * s.tiles_per_row + tx];
}

void select_layer(TargetSurface& surface, uint32_t layer) {
    if (surface.texture == nullptr)
        return;
    surface.layer += layer;
    surface.layer_count = 1;
    surface.texels = surface.texture->slice(surface.level, surface.layer);
    surface.clear = &surface.texture->slice_clear(surface.level, surface.layer);
}

}  // namespace

PassTargets PassTargets::at_layer(uint32_t layer) const {
    PassTargets one = *this;
    one.layers = 1;
    for (TargetSurface& surface : one.color)
        select_layer(surface, layer);
    select_layer(one.depth_stencil, layer);
    return one;
}

bool TileBuffer::Plane::reserve(size_t wanted) {
    if (wanted <= size)
        return true;
    // Without memory, the old buffers stay: a refused draw must not harm the draws before it.
    AlignedBytes larger = allocate_aligned(wanted);
    if (!larger)
        return false;
    std::memset(larger.get(), 0, wanted);
    bytes = std::move(larger);
    size = wanted;
    return true;
}

bool TileBuffer::reserve(const PassTargets& targets) {
    const size_t texels = size_t{kTilePixels} * targets.samples;
    bool ok = true;
    for (size_t i = 0; i < color_.size(); ++i) {
        const TargetSurface& s = targets.color[i];
        if (s.texture != nullptr)
            ok = color_[i].reserve(texels * s.texel_bytes) && ok;
        if (s.shared)
            ok = loaded_[i].reserve(texels * s.texel_bytes) && ok;
    }
    if (targets.depth_stencil.texture == nullptr)
        return ok;
    ok = depth_.reserve(texels * sizeof(uint32_t)) && ok;
    return stencil_.reserve(texels) && ok;
}

void TileBuffer::bind(const PassTargets& targets, exec::FragmentCall& call) const {
    for (size_t i = 0; i < color_.size(); ++i)
        call.color[i] = targets.color[i].texture != nullptr ? color_[i].data() : nullptr;
    const TargetSurface& zs = targets.depth_stencil;
    call.depth = zs.texture != nullptr ? reinterpret_cast<uint32_t*>(depth_.data()) : nullptr;
    call.stencil = zs.texture != nullptr && has_stencil(zs.format) ? stencil_.data() : nullptr;
}

void TileBuffer::load(
    const PassTargets& targets, const PassAccess& access, uint32_t tx, uint32_t ty, bool colors) {
    for (size_t i = 0; i < color_.size(); ++i) {
        const TargetSurface& s = targets.color[i];
        if (s.texture == nullptr || (access.color_written >> i & 1) == 0)
            continue;
        const size_t row_bytes =
            size_t{exec::kBlocksPerRow} * exec::kLanes * s.texel_bytes * targets.samples;
        const TileSpan span = tile_span(s, targets.samples, tx, ty);
        prefetch_texels(span, row_bytes / exec::kBlocksPerRow * span.columns);
        if (!colors && !s.shared)
            continue;
        if (tile_flags(s, tx, ty) != 0) {
            fill(color_[i].data(), s.clear->texel.data(), s.texel_bytes,
                 row_bytes * exec::kBlocksPerRow);
            continue;
        }
        for (uint32_t row = 0; row < span.rows; ++row)
            std::memcpy(color_[i].data() + row * row_bytes, span.surface + row * span.surface_row,
                        row_bytes / exec::kBlocksPerRow * span.columns);
        if (s.shared)
            std::memcpy(loaded_[i].data(), color_[i].data(), row_bytes * span.rows);
    }
    if (targets.depth_stencil.texture != nullptr && access.depth_stencil_used)
        load_depth_stencil(targets, access, tx, ty);
}

void TileBuffer::store(const PassTargets& targets,
                       const PassAccess& access,
                       uint32_t tx,
                       uint32_t ty) {
    for (size_t i = 0; i < color_.size(); ++i) {
        const TargetSurface& s = targets.color[i];
        if (s.texture == nullptr || (access.color_written >> i & 1) == 0)
            continue;
        const size_t row_bytes =
            size_t{exec::kBlocksPerRow} * exec::kLanes * s.texel_bytes * targets.samples;
        const TileSpan span = tile_span(s, targets.samples, tx, ty);
        for (uint32_t row = 0; row < span.rows; ++row) {
            uint8_t* const to = span.surface + row * span.surface_row;
            const uint8_t* const from = color_[i].data() + row * row_bytes;
            const size_t bytes = row_bytes / exec::kBlocksPerRow * span.columns;
            if (s.shared && tile_flags(s, tx, ty) == 0)
                copy_changes(to, from, loaded_[i].data() + row * row_bytes, bytes, s.texel_bytes);
            else
                std::memcpy(to, from, bytes);
        }
        tile_flags(s, tx, ty) = 0;
    }
    if (targets.depth_stencil.texture != nullptr &&
        (access.depth_written || access.stencil_written))
        store_depth_stencil(targets, access, tx, ty);
}

std::optional<uint32_t>
TileBuffer::cleared_depth(const PassTargets& targets, uint32_t tx, uint32_t ty) {
    const TargetSurface& s = targets.depth_stencil;
    if (s.texture == nullptr || (tile_flags(s, tx, ty) & kClearMain) == 0)
        return std::nullopt;
    return s.clear->depth;
}

void TileBuffer::load_depth_stencil(const PassTargets& targets,
                                    const PassAccess& access,
                                    uint32_t tx,
                                    uint32_t ty) {
    const TargetSurface& s = targets.depth_stencil;
    const uint32_t samples = targets.samples;
    const size_t row_texels = size_t{exec::kBlocksPerRow} * exec::kLanes * samples;
    const TileSpan span = tile_span(s, samples, tx, ty);
    const unsigned flags = tile_flags(s, tx, ty);
    auto* depth = reinterpret_cast<uint32_t*>(depth_.data());
    uint8_t* stencil = has_stencil(s.format) ? stencil_.data() : nullptr;
    const unsigned whole = stencil != nullptr ? kClearMain | kClearStencil : unsigned{kClearMain};
    if ((flags & whole) != whole) {
        s.texture->note_read();
        for (uint32_t row = 0; row < span.rows; ++row)
            split_depth_stencil(s.format, span.surface + row * span.surface_row,
                                row_texels / exec::kBlocksPerRow * span.columns,
                                depth + row * row_texels,
                                stencil != nullptr ? stencil + row * row_texels : nullptr);
    }
    if ((flags & kClearMain) != 0)
        fill(depth_.data(), reinterpret_cast<const uint8_t*>(&s.clear->depth), sizeof(uint32_t),
             row_texels * exec::kBlocksPerRow * sizeof(uint32_t));
    if ((flags & kClearStencil) != 0 && stencil != nullptr && access.stencil_used)
        std::fill_n(stencil, row_texels * exec::kBlocksPerRow, s.clear->stencil);
}

void TileBuffer::store_depth_stencil(const PassTargets& targets,
                                     const PassAccess& access,
                                     uint32_t tx,
                                     uint32_t ty) {
    const TargetSurface& s = targets.depth_stencil;
    const uint32_t samples = targets.samples;
    // A stencil with its clear value keeps the flag: if the next frame clears depth alone, its
    // tiles need no load.
    const unsigned kept = access.stencil_written ? 0U : tile_flags(s, tx, ty) & kClearStencil;
    const size_t row_texels = size_t{exec::kBlocksPerRow} * exec::kLanes * samples;
    const TileSpan span = tile_span(s, samples, tx, ty);
    const auto* depth = reinterpret_cast<const uint32_t*>(depth_.data());
    const uint8_t* stencil = has_stencil(s.format) && kept == 0 ? stencil_.data() : nullptr;
    const MergeTo to = kCanStream && !s.texture->is_read() ? MergeTo::Memory : MergeTo::Caches;
    for (uint32_t row = 0; row < span.rows; ++row)
        merge_depth_stencil(s.format, depth + row * row_texels,
                            stencil != nullptr ? stencil + row * row_texels : nullptr,
                            row_texels / exec::kBlocksPerRow * span.columns,
                            span.surface + row * span.surface_row, to);
    if (to == MergeTo::Memory)
        finish_streams();
    tile_flags(s, tx, ty) = static_cast<uint8_t>(kept);
}

}  // namespace valkyr::raster
