// The walk: set-up, coverage and kernel calls of up to sixteen primitives in one tile.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level.

/// Returns whether the border of the rectangle crosses the tile.
inline bool crosses_tile(const TileWalk& walk, const PixelRect& rect) {
    const auto size = static_cast<int32_t>(exec::kTileSize);
    const int32_t x = walk.call.tile_x;
    const int32_t y = walk.call.tile_y;
    return rect.x0 > x || rect.y0 > y || rect.x1 < x + size || rect.y1 < y + size;
}

/// Counts the covered samples of a block list, in multisampled tiles.
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
                  const SetupPacket& packet,
                  uint32_t i,
                  const BlockList& list) {
    setup_primitive(walk, draw, entry, packet, i);
    const unsigned variant = packet.constant_q >> i & 1;
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

/// Draws primitive i, whose box is not empty, in calls of its own.
inline void walk_primitive(TileWalk& walk,
                           const DrawRecord& draw,
                           const TileEntry& entry,
                           const SetupPacket& packet,
                           const DepthReach* reach,
                           uint32_t i) {
    const HiddenState& state = *draw.hidden;
    uint32_t squares = 0;
    uint32_t hidden = 0;
    if (reach != nullptr || state.depth_written)
        squares = squares_of(box_of(packet, i));
    if (reach != nullptr)
        hidden = hidden_squares(walk, state, reach->code[i], squares);
    if (hidden != 0 && hidden == squares) {
        ++walk.statistics.primitives_hidden;
        return;
    }
    BlockList list = cover(walk, draw, packet, i, 0xFFFF & ~hidden);
    if (has_stipple(*draw.tile, *entry.batch))
        list = stippled(walk, draw, entry, list);
    if (list.count == 0)
        return;
    shade(walk, draw, entry, packet, i, list);
    if (state.depth_written)
        note_depth(walk, state, squares & ~hidden, list.pixels);
}

/// Sets the fields that all kernel calls of a packet share.
inline void prepare_calls(TileWalk& walk, const TileState& tile) {
    walk.setup.depth_min = tile.depth_min;
    walk.setup.depth_max = tile.depth_max;
    walk.setup.slots = walk.planes;
    walk.call.primitive = &walk.setup;
    walk.call.sample_masks = walk.samples > 1 ? walk.sample_masks : nullptr;
}

inline void walk_run(TileWalk& walk,
                     const DrawRecord& draw,
                     const TileEntry* entries,
                     uint32_t count) noexcept {
    const ShapeState& shape = *draw.shape;
    const TileState& tile = *draw.tile;
    SetupPacket packet;
    DepthReach depth_reach;
    DepthReach* const reach = draw.hidden->depth_cull != DepthCull::None ? &depth_reach : nullptr;
    setup_packet(walk, draw, entries, count, packet, reach);
    packet.cut = crosses_tile(walk, shape.rect);
    packet.masked = walk.samples > 1 && (~tile.sample_mask & ((1U << walk.samples) - 1)) != 0;
    prepare_calls(walk, tile);
    Batch16 batch;
    uint32_t hidden = 0;
    const bool stipples = shape.line_stipple || tile.polygon_stipple != nullptr;
    const bool batched = !stipples && !draw.counts_killed && can_batch(walk, draw) &&
                         begin_batch(walk, draw, entries, count, packet, reach, batch, hidden);
    uint32_t rest = (2U << (count - 1)) - 1;
    for (rest &= ~hidden & ~empty_boxes(packet); rest != 0;) {
        const auto i = static_cast<uint32_t>(__builtin_ctz(rest));
        const uint32_t shared = batch.small | batch.medium | batch.apart;
        if (batched && (shared >> i & 1) != 0) {
            const uint32_t part = batch_part(batch, rest, shared);
            if ((part & batch.apart) != 0)
                draw_mixed_batch(walk, draw, entries, packet, batch, part);
            else if ((part & batch.medium) != 0)
                draw_batch<kMediumWords>(walk, draw, entries, packet, batch, part);
            else
                draw_batch<kSmallWords>(walk, draw, entries, packet, batch, part);
            rest &= ~part;
        } else {
            walk_primitive(walk, draw, entries[i], packet, reach, i);
            rest &= rest - 1;
        }
    }
}
