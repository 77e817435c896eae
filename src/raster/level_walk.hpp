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

/// Covered samples of a block list; multisampled tiles.
inline uint64_t count_samples(const TileWalk& walk, uint32_t count) {
    uint64_t samples = 0;
    for (uint32_t i = 0; i < count * walk.samples; ++i)
        samples += static_cast<uint64_t>(__builtin_popcount(walk.sample_masks[i]));
    return samples;
}

/// Shades a block list of primitive i.
inline void shade(TileWalk& walk,
                  const DrawRecord& draw,
                  const TileEntry& entry,
                  const SetupRun& run,
                  uint32_t i,
                  const BlockList& list) {
    setup_primitive(walk, draw, entry, run, i);
    const unsigned variant = run.constant_q >> i & 1;
    walk.call.draw = draw.fragment[variant];
    walk.call.blocks = list.blocks;
    walk.call.block_count = list.count;
    walk.statistics.blocks_shaded += list.count;
    walk.statistics.pixels_covered += list.pixels;
    walk.statistics.invocations += draw.per_sample ? count_samples(walk, list.count) : list.pixels;
    if (draw.counts_killed)
        walk.statistics.samples_tested +=
            walk.samples > 1 ? count_samples(walk, list.count) : list.pixels;
    const exec::Kernel& kernel = draw.fragment_kernel[variant];
    kernel.entry(kernel.self, &walk.call);
}

inline void walk_run(TileWalk& walk,
                     const DrawRecord& draw,
                     const TileEntry* entries,
                     uint32_t count) noexcept {
    SetupRun run;
    DepthReach reach;
    const bool culls = draw.depth_cull != DepthCull::None;
    const bool stipples = draw.line_stipple || draw.polygon_stipple != nullptr;
    setup_run(walk, draw, entries, count, run, culls ? &reach : nullptr);
    run.cut = crosses_tile(walk, draw.rect);
    run.masked = walk.samples > 1 && (~draw.sample_mask & ((1U << walk.samples) - 1)) != 0;
    walk.setup.depth_min = draw.depth_min;
    walk.setup.depth_max = draw.depth_max;
    walk.setup.slots = walk.planes;
    walk.call.primitive = &walk.setup;
    walk.call.sample_masks = walk.samples > 1 ? walk.sample_masks : nullptr;
    for (uint32_t i = 0; i < count; ++i) {
        const BlockBox box = box_of(run, i);
        if (is_empty(box))
            continue;
        uint32_t squares = 0;
        uint32_t hidden = 0;
        if (culls || draw.depth_written)
            squares = squares_of(box);
        if (culls)
            hidden = hidden_squares(walk, draw, reach.code[i], squares);
        if (hidden != 0 && hidden == squares) {
            ++walk.statistics.primitives_hidden;
            continue;
        }
        BlockList list = cover(walk, draw, run, i, 0xFFFF & ~hidden);
        if (stipples && has_stipple(draw, *entries[i].batch))
            list = stippled(walk, draw, entries[i], list);
        if (list.count == 0)
            continue;
        shade(walk, draw, entries[i], run, i, list);
        if (draw.depth_written)
            note_depth(walk, draw, squares & ~hidden, list.pixels);
    }
}
