// Lines: draw parallelograms that are cut along an axis.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level. A line that is not a rectangle
// (docs/rules/raster-rules.md, "Lines") is set up as the triangle of its corners 0, 1 and 2, but
// its pixels lie between the two long edges, and between two columns (or rows) along its major
// axis.

/// Loads lines whose ends are placed.
inline void load_placed_lines(const TileEntry* entries, uint32_t count, LineLanes& lanes) {
    const LineRow* lines[16];
    alignas(64) float place[2][16];
    for (uint32_t i = 0; i < 16; ++i) {
        const TileEntry& entry = entries[i < count ? i : 0];
        lines[i] = &line_of(entry);
        const uint32_t flags = entry.primitive->provoking;
        lanes.x_major |= (flags / kLineXMajor & 1) << i;
        lanes.moved[0] |= (flags / kLineMovedFirst & 1) << i;
        lanes.moved[1] |= (flags / kLineMovedLast & 1) << i;
        place[0][i] = lines[i]->place[0];
        place[1][i] = lines[i]->place[1];
    }
    for (int k = 0; k < 2; ++k) {
        gather_rows([&](int i) { return lines[i]->ends + k; }, lanes.x[k], lanes.y[k], lanes.z[k],
                    lanes.q[k]);
        lanes.place[k] = F32::load(place[k]);
    }
}

/// Loads lines and places their ends, if that is not done.
inline void
gather_lines(const ShapeState& shape, const TileEntry* entries, uint32_t count, LineLanes& lanes) {
    if (!entries[0].batch->plain_lines) {
        load_placed_lines(entries, count, lanes);
        set_halves(shape, lanes);
        return;
    }
    const auto end = [&](int i, int k) {
        const TileEntry& entry = entries[static_cast<uint32_t>(i) < count ? i : 0];
        return entry.batch->rows + entry.primitive->v[k];
    };
    load_line_ends(end, lanes);
    place_lanes(shape, F32::set1(0), lanes);
}

/// Returns corners 0, 1 and 2.
inline Corners line_corners(const LineLanes& l) {
    Corners p;
    p.x[0] = l.x[0] - l.half_x;
    p.y[0] = l.y[0] - l.half_y;
    p.x[1] = l.x[1] - l.half_x;
    p.y[1] = l.y[1] - l.half_y;
    p.x[2] = l.x[1] + l.half_x;
    p.y[2] = l.y[1] + l.half_y;
    for (int k = 0; k < 3; ++k) {
        p.z[k] = l.z[k == 0 ? 0 : 1];
        p.q[k] = l.q[k == 0 ? 0 : 1];
    }
    return p;
}

/// Sets up the long edges; the third edge has every pixel inside.
inline void setup_line_edges(const TileWalk& walk,
                             const ShapeState& shape,
                             const LineLanes& l,
                             const Corners& p,
                             SetupPacket& packet) {
    const F32 area = cross(p.x[1] - p.x[0], p.y[1] - p.y[0], p.x[2] - p.x[0], p.y[2] - p.y[0]);
    const uint32_t negative_area = less(area, F32::set1(0));
    const I32 back_x[2] = {p.x[2], l.x[0] + l.half_x};
    const I32 back_y[2] = {p.y[2], l.y[0] + l.half_y};
    const I32* const xs[2] = {p.x, back_x};
    const I32* const ys[2] = {p.y, back_y};
    const I32 zero = I32::set1(0);
    for (int i = 0; i < 2; ++i) {
        const Edge edge = edge_of(xs[i], ys[i], 0, negative_area, shape.bottom_edge_rule);
        edge.a.store(packet.a[i]);
        edge.b.store(packet.b[i]);
        const I32 center_x = I32::set1(walk.call.tile_x * kSubpixels + kSubpixels / 2);
        const I32 center_y = I32::set1(walk.call.tile_y * kSubpixels + kSubpixels / 2);
        const I32 c =
            edge_constant(edge.a, edge.b, center_x - xs[i][0], center_y - ys[i][0], edge.bias);
        for (uint32_t s = 0; s < walk.samples; ++s)
            c.store(packet.c[s][i]);
    }
    zero.store(packet.a[2]);
    zero.store(packet.b[2]);
    for (uint32_t s = 0; s < walk.samples; ++s)
        zero.store(packet.c[s][2]);
}

/// Sets up `count` lines; `reach` may be null.
inline void setup_lines(const TileWalk& walk,
                        const DrawRecord& draw,
                        const TileEntry* entries,
                        uint32_t count,
                        SetupPacket& packet,
                        QuadBoxes& limits,
                        DepthReach* reach) {
    const ShapeState& shape = *draw.shape;
    LineLanes lanes;
    gather_lines(shape, entries, count, lanes);
    for (int k = 0; k < 2; ++k) {
        lanes.place[k].store(packet.line_place[k]);
        packet.line_moved[k] = lanes.moved[k];
    }
    Corners p = line_corners(lanes);
    packet.back_facing = 0;
    if (!entries[0].batch->plain_lines)  // those face to the front
        force_facing(entries, count, packet);
    setup_line_edges(walk, shape, lanes, p, packet);
    PixelBoxes box;
    line_boxes(shape, lanes, tile_part(walk, shape.rect), box);
    store_quads(walk, box, limits, packet);
    const I32 x = shift_left<2>(I32::load(packet.block_x0));
    const I32 y = shift_left<2>(I32::load(packet.block_y0));
    for (int i = 0; i < 3; ++i)
        (I32::load(packet.c[0][i]) + (I32::load(packet.a[i]) * x + I32::load(packet.b[i]) * y))
            .store(packet.corner[i]);
    rotate_to_anchor(p, packet);
    setup_planes(p, packet);
    if (reach != nullptr)
        setup_reach(*draw.tile, *draw.hidden, p, packet, *reach);
}

/// Removes the pixels outside the limits from the blocks of the small boxes.
inline void limit_boxes(const SetupPacket& packet, const QuadBoxes& limits, Batch16& batch) {
    Batch16 inside;
    inside.small = batch.small;
    cover_quads(packet, limits, inside);
    I32 any = I32::set1(0);
    for (int i = 0; i < 4; ++i) {
        const I32 words = I32::load(batch.words[i]) & I32::load(inside.words[i]);
        words.store(batch.words[i]);
        any = any | words;
    }
    const I32 pixels = any & I32::set1(static_cast<int32_t>(0xFFFF0000));
    batch.covering = ~equal(pixels, I32::set1(0)) & batch.small;
}

/// Keeps the pixels inside the limits of line i.
inline uint32_t limit_blocks(TileWalk& walk,
                             const SetupPacket& packet,
                             const QuadBoxes& limits,
                             uint32_t i,
                             uint32_t count) {
    const BlockBox box = box_of(packet, i);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const exec::BlockRef block = walk.blocks[k];
        const auto x = static_cast<int32_t>(block.block % exec::kBlocksPerRow);
        const auto y = static_cast<int32_t>(block.block / exec::kBlocksPerRow);
        const uint32_t inside = (x == box.x0 ? kColumnsFrom[limits.x0[i] & 3] : 0xFFFFU) &
                                (x == box.x1 ? kColumnsTo[limits.x1[i] & 3] : 0xFFFFU) &
                                (y == box.y0 ? kRowsFrom[limits.y0[i] & 3] : 0xFFFFU) &
                                (y == box.y1 ? kRowsTo[limits.y1[i] & 3] : 0xFFFFU);
        const uint32_t mask = block.mask & inside;
        walk.blocks[kept] = {block.block, static_cast<uint16_t>(mask)};
        for (uint32_t s = 0; walk.samples > 1 && s < walk.samples; ++s)
            walk.sample_masks[kept * walk.samples + s] =
                static_cast<uint16_t>(walk.sample_masks[k * walk.samples + s] & inside);
        kept += mask != 0 ? 1 : 0;
    }
    return kept;
}

/// Does cover() for line i.
inline BlockList cover_line(TileWalk& walk,
                            const TileState& tile,
                            const SetupPacket& packet,
                            const QuadBoxes& limits,
                            uint32_t i,
                            uint32_t shown) {
    const BlockBox box = box_of(packet, i);
    BlockWriter writer{walk, packet, i};
    Edges e;
    if (walk.samples == 1 && box.x1 - box.x0 < 2 && box.y1 - box.y0 < 2) {
        cover_small(writer, packet, i, box);
    } else {
        load_edges(packet, walk.samples, i, e);
        if (cover_large(writer, e, box, shown))
            writer.count = whole_tile(walk, false).count;
    }
    uint32_t count = limit_blocks(walk, packet, limits, i, writer.count);
    if (packet.masked)
        count = mask_samples(walk, tile.sample_mask, count);
    return {walk.blocks, count, count_pixels(walk, count)};
}

/// Draws line i, whose box is not empty, by itself.
inline void walk_line(TileWalk& walk,
                      const DrawRecord& draw,
                      const TileEntry& entry,
                      const SetupPacket& packet,
                      const QuadBoxes& limits,
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
    BlockList list = cover_line(walk, *draw.tile, packet, limits, i, 0xFFFF & ~hidden);
    if (has_stipple(*draw.tile, *entry.batch))
        list = stippled(walk, draw, entry, list);
    if (list.count == 0)
        return;
    shade(walk, draw, entry, packet, i, list);
    if (state.depth_written)
        note_depth(walk, state, squares & ~hidden, list.pixels);
}

/// Finds the small lines of `rest` and covers them; returns the hidden ones.
inline uint32_t begin_lines(TileWalk& walk,
                            const DrawRecord& draw,
                            const TileEntry* entries,
                            uint32_t count,
                            const SetupPacket& packet,
                            const QuadBoxes& limits,
                            const DepthReach* reach,
                            uint32_t rest,
                            Batch16& batch) {
    const HiddenState& state = *draw.hidden;
    uint32_t hidden = 0;
    batch.small = small_boxes(packet) & rest;
    if (batch.small == 0)
        return 0;
    if (reach != nullptr || state.depth_written) {
        const BoxSquares squares = box_squares(packet);
        batch.squares = touched_squares(squares, batch.small);
        if (reach != nullptr)
            hidden = hidden_boxes(walk, state, *reach, squares, batch.squares, batch.small);
        walk.statistics.primitives_hidden += static_cast<uint64_t>(__builtin_popcount(hidden));
        batch.small &= ~hidden;
    }
    if (draw.fragment_kernel[0].entry != draw.fragment_kernel[1].entry)
        batch.variants = packet.constant_q;
    if (batch.small == 0)
        return hidden;
    cover_boxes(packet, batch);
    limit_boxes(packet, limits, batch);
    if (batch.covering != 0) {
        setup_primitives(walk, draw, entries, count, packet, batch.covering);
        batch.planes_ready =
            setup_common_slots(walk, *draw.tile, entries, count, packet, batch.covering);
    }
    return hidden;
}

inline void
walk_lines(TileWalk& walk, const DrawRecord& draw, const TileEntry* entries, uint32_t count) {
    const TileState& tile = *draw.tile;
    SetupPacket packet;
    QuadBoxes limits;
    DepthReach depth_reach;
    DepthReach* const reach = draw.hidden->depth_cull != DepthCull::None ? &depth_reach : nullptr;
    setup_lines(walk, draw, entries, count, packet, limits, reach);
    packet.masked = walk.samples > 1 && (~tile.sample_mask & ((1U << walk.samples) - 1)) != 0;
    prepare_calls(walk, tile);
    uint32_t rest = ((2U << (count - 1)) - 1) & ~empty_quads(limits);
    Batch16 batch;
    if (!draw.shape->line_stipple && !draw.counts_killed && can_batch(walk, draw))
        rest &= ~begin_lines(walk, draw, entries, count, packet, limits, reach, rest, batch);
    while (rest != 0) {
        const auto i = static_cast<uint32_t>(__builtin_ctz(rest));
        uint32_t part = 1U << i;
        if ((batch.small & part) != 0) {
            part = batch_part(batch, rest, batch.small);
            draw_batch<kSmallWords>(walk, draw, entries, packet, batch, part);
        } else {
            walk_line(walk, draw, entries[i], packet, limits, reach, i);
        }
        rest &= ~part;
    }
}

inline void walk_primitives(TileWalk& walk,
                            const DrawRecord& draw,
                            const TileEntry* entries,
                            uint32_t count) noexcept {
    if (entries->batch->quads)
        walk_quads(walk, draw, entries, count);
    else if (entries->batch->has_lines())
        walk_lines(walk, draw, entries, count);
    else
        walk_run(walk, draw, entries, count);
}
