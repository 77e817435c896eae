// The walk: set-up, coverage and kernel calls of up to sixteen primitives in one tile.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level.

/// Whether the border of the rectangle crosses the tile.
inline bool crosses_tile(const TileWalk& walk, const PixelRect& rect) {
    const auto size = static_cast<int32_t>(exec::kTileSize);
    const int32_t x = walk.call.tile_x;
    const int32_t y = walk.call.tile_y;
    return rect.x0 > x || rect.y0 > y || rect.x1 < x + size || rect.y1 < y + size;
}

/// Pixels of a list; the constant one is the whole tile.
inline uint64_t covered_pixels(const TileWalk& walk, const BlockList& list) {
    if (list.blocks != walk.blocks)
        return kTilePixels;
    uint64_t pixels = 0;
    for (uint32_t i = 0; i < list.count; ++i)
        pixels += static_cast<uint64_t>(__builtin_popcount(list.blocks[i].mask));
    return pixels;
}

inline void walk_run(TileWalk& walk,
                     const DrawRecord& draw,
                     const TileEntry* entries,
                     uint32_t count) noexcept {
    SetupRun run;
    setup_run(walk, draw, entries, count, run);
    run.cut = crosses_tile(walk, draw.rect);
    run.masked = walk.samples > 1 && (~draw.sample_mask & ((1U << walk.samples) - 1)) != 0;
    walk.setup.depth_min = draw.depth_min;
    walk.setup.depth_max = draw.depth_max;
    walk.setup.slots = walk.planes;
    walk.call.primitive = &walk.setup;
    walk.call.sample_masks = walk.samples > 1 ? walk.sample_masks : nullptr;
    for (uint32_t i = 0; i < count; ++i) {
        const BlockList list = cover(walk, draw, run, i);
        if (list.count == 0)
            continue;
        setup_primitive(walk, draw, entries[i], run, i);
        const unsigned variant = run.constant_q >> i & 1;
        walk.call.draw = draw.fragment[variant];
        walk.call.blocks = list.blocks;
        walk.call.block_count = list.count;
        walk.statistics.blocks_shaded += list.count;
        walk.statistics.pixels_covered += covered_pixels(walk, list);
        const exec::Kernel& kernel = draw.fragment_kernel[variant];
        kernel.entry(kernel.self, &walk.call);
    }
}
