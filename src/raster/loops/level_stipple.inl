// Stipple in a tile: removes the pixels that a pattern leaves out from block lists.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level. Rules: docs/rules/raster-rules.md
// "Stipple".

inline bool has_stipple(const TileState& tile, const Batch& batch) {
    return batch.facing == Facing::ByArea ? tile.polygon_stipple != nullptr
                                          : batch.stipples != nullptr;
}

inline bool pattern_bit(const ShapeState& shape, uint32_t counter) {
    return (shape.stipple_pattern >> (counter / shape.stipple_factor & 15) & 1) != 0;
}

/// Returns the lanes of the block at window pixel (x, y) that a thin line keeps: columns, or rows.
inline uint32_t
thin_lanes(const ShapeState& shape, const LineStipple& stipple, int32_t x, int32_t y) {
    const int32_t origin = (stipple.by_row ? y : x) - stipple.first;
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        const auto step =
            static_cast<int32_t>(stipple.by_row ? exec::lane_y(lane) : exec::lane_x(lane));
        const int32_t distance = origin + step;
        const auto pixels = static_cast<uint32_t>(distance < 0 ? -distance : distance);
        lanes |= pattern_bit(shape, stipple.counter + pixels) ? 1U << lane : 0U;
    }
    return lanes;
}

/// Returns the lanes that a rectangular line keeps, by the distance along it of a place in the
/// pixel, (px, py) in 1/256.
inline uint32_t rectangle_lanes(const ShapeState& shape,
                                const LineStipple& stipple,
                                int32_t x,
                                int32_t y,
                                int32_t px,
                                int32_t py) {
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        const int64_t ax = (x + static_cast<int32_t>(exec::lane_x(lane))) * kSubpixels + px;
        const int64_t ay = (y + static_cast<int32_t>(exec::lane_y(lane))) * kSubpixels + py;
        const int64_t along = (ax - stipple.x) * stipple.dx + (ay - stipple.y) * stipple.dy;
        // The distance is rounded downwards; pixels before the first end count as its first pixel.
        const double distance = along > 0 ? static_cast<double>(along) / stipple.length : 0;
        const auto pixels = static_cast<uint32_t>(distance);
        lanes |=
            pattern_bit(shape, stipple.counter + (pixels < stipple.last ? pixels : stipple.last))
                ? 1U << lane
                : 0U;
    }
    return lanes;
}

/// Returns the lanes of a block that the pattern keeps at one sample.
inline uint32_t stipple_lanes(const TileWalk& walk,
                              const DrawRecord& draw,
                              const TileEntry& entry,
                              uint32_t block,
                              uint32_t sample) {
    const Batch& batch = *entry.batch;
    const int32_t x = walk.call.tile_x + static_cast<int32_t>(block % exec::kBlocksPerRow * 4);
    const int32_t y = walk.call.tile_y + static_cast<int32_t>(block / exec::kBlocksPerRow * 4);
    if (batch.facing == Facing::ByArea)
        return draw.tile->polygon_stipple[(y / 4 & 7) * 8 + (x / 4 & 7)];
    const ShapeState& shape = *draw.shape;
    const LineStipple& stipple = batch.stipples[entry.primitive->v[0] / 4];
    if (!(stipple.length > 0))
        return thin_lanes(shape, stipple, x, y);
    const bool apart = shape.multisample;
    return rectangle_lanes(shape, stipple, x, y, apart ? walk.sample_x[sample] : kSubpixels / 2,
                           apart ? walk.sample_y[sample] : kSubpixels / 2);
}

/// Removes the pixels that the pattern leaves out from a block list.
inline BlockList
stippled(TileWalk& walk, const DrawRecord& draw, const TileEntry& entry, const BlockList& list) {
    BlockList kept{walk.blocks, 0, 0};
    for (uint32_t i = 0; i < list.count; ++i) {
        const exec::BlockRef block = list.blocks[i];
        uint32_t any = 0;
        for (uint32_t s = 0; s < walk.samples; ++s) {
            uint32_t mask = stipple_lanes(walk, draw, entry, block.block, s);
            if (walk.samples > 1) {
                mask &= walk.sample_masks[i * walk.samples + s];
                walk.sample_masks[kept.count * walk.samples + s] = static_cast<uint16_t>(mask);
            }
            any |= mask & block.mask;
        }
        walk.blocks[kept.count] = {block.block, static_cast<uint16_t>(any)};
        kept.count += any != 0 ? 1 : 0;
    }
    kept.pixels = count_pixels(walk, kept.count);
    return kept;
}
