// Quads: draw points and other rectangles by the pixel boxes that they cover.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level. A quad is set up as the triangle of
// its first three corners. The second triangle would have equal planes, to the bit: all corners of
// a point have one depth, q and record, and other rectangles are tested for it
// (front/emit_rectangles.cpp). Coverage is the pixel box, without edges.

/// Pixel boxes of quads in the tile, inclusive.
struct QuadBoxes {
    alignas(64) int32_t x0[16], y0[16], x1[16], y1[16];
};

/// Returns the part of a window rectangle that lies in the tile, in window coordinates.
inline PixelRect tile_part(const TileWalk& walk, const PixelRect& rect) {
    const int32_t tx = walk.call.tile_x;
    const int32_t ty = walk.call.tile_y;
    const auto size = static_cast<int32_t>(exec::kTileSize);
    return {rect.x0 > tx ? rect.x0 : tx, rect.y0 > ty ? rect.y0 : ty,
            rect.x1 < tx + size ? rect.x1 : tx + size, rect.y1 < ty + size ? rect.y1 : ty + size};
}

/// Stores boxes relative to the tile, by pixels and by blocks.
inline void
store_quads(const TileWalk& walk, const PixelBoxes& box, QuadBoxes& quads, SetupPacket& packet) {
    const auto store = [](const I32& pixel, int32_t origin, int32_t* pixels, int32_t* blocks) {
        const I32 place = pixel - I32::set1(origin);
        place.store(pixels);
        shift_right<2>(place).store(blocks);
    };
    store(box.x0, walk.call.tile_x, quads.x0, packet.block_x0);
    store(box.y0, walk.call.tile_y, quads.y0, packet.block_y0);
    store(box.x1, walk.call.tile_x, quads.x1, packet.block_x1);
    store(box.y1, walk.call.tile_y, quads.y1, packet.block_y1);
}

/// Sets up `count` quads; `reach` may be null.
inline void setup_quads(const TileWalk& walk,
                        const DrawRecord& draw,
                        const TileEntry* entries,
                        uint32_t count,
                        SetupPacket& packet,
                        QuadBoxes& quads,
                        DepthReach* reach) {
    const ShapeState& shape = *draw.shape;
    Corners p;
    gather_corners(entries, count, p);
    const F32 area = cross(p.x[1] - p.x[0], p.y[1] - p.y[0], p.x[2] - p.x[0], p.y[2] - p.y[0]);
    const uint32_t negative_area = less(area, F32::set1(0));
    packet.back_facing = shape.front_positive ? negative_area : ~negative_area;
    if (shape.shapes)
        force_facing(entries, count, packet);
    PixelBoxes box;
    pixel_boxes(shape, p.x, p.y, tile_part(walk, shape.rect), true, box);
    store_quads(walk, box, quads, packet);
    I32::set1(0).store(packet.anchor);
    setup_planes(p, packet);
    if (reach != nullptr)
        setup_reach(*draw.tile, *draw.hidden, p, packet, *reach);
}

/// Returns the quads without a pixel.
inline uint32_t empty_quads(const QuadBoxes& quads) {
    return less(I32::load(quads.x1), I32::load(quads.x0)) |
           less(I32::load(quads.y1), I32::load(quads.y0));
}

/// Four masks of lanes, repeated to a whole vector: one that is put together on the stack is loaded
/// only when its parts have arrived in the cache.
struct MaskTable {
    alignas(64) uint32_t masks[16] = {};
    constexpr MaskTable(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
        for (int i = 0; i < 16; i += 4) {
            masks[i] = a;
            masks[i + 1] = b;
            masks[i + 2] = c;
            masks[i + 3] = d;
        }
    }
    constexpr uint32_t operator[](uint32_t i) const { return masks[i]; }
};
/// Entry i: the lanes of a block in columns (rows) i and above, or i and below.
inline constexpr MaskTable kColumnsFrom(0xFFFF, 0xFAFA, 0xF0F0, 0xA0A0);
inline constexpr MaskTable kColumnsTo(0x0505, 0x0F0F, 0x5F5F, 0xFFFF);
inline constexpr MaskTable kRowsFrom(0xFFFF, 0xFFCC, 0xFF00, 0xCC00);
inline constexpr MaskTable kRowsTo(0x0033, 0x00FF, 0x33FF, 0xFFFF);

/// Lanes of the columns that a quad covers in its first and in its last block of columns; for rows
/// likewise.
struct QuadSides {
    I32 first, last;
};
inline QuadSides
quad_sides(const int32_t* from, const int32_t* to, const MaskTable& above, const MaskTable& below) {
    const auto table = [](const MaskTable& masks) {
        return I32::load(reinterpret_cast<const int32_t*>(masks.masks));
    };
    const I32 low = I32::load(from);
    const I32 high = I32::load(to);
    const I32 three = I32::set1(3);
    const I32 lower = permute(table(above), low & three);
    const I32 upper = permute(table(below), high & three);
    const uint32_t one_block = equal(shift_right<2>(low), shift_right<2>(high));
    return {select(one_block, lower, lower & upper), upper};
}

/// Does cover_boxes() for quads.
inline void cover_quads(const SetupPacket& packet, const QuadBoxes& quads, Batch16& batch) {
    const QuadSides columns = quad_sides(quads.x0, quads.x1, kColumnsFrom, kColumnsTo);
    const QuadSides rows = quad_sides(quads.y0, quads.y1, kRowsFrom, kRowsTo);
    const I32 x = I32::load(packet.block_x0);
    const I32 y = I32::load(packet.block_y0);
    const uint32_t wide = less(x, I32::load(packet.block_x1)) & batch.small;
    const uint32_t high = less(y, I32::load(packet.block_y1)) & batch.small;
    constexpr auto kRow = static_cast<int32_t>(exec::kBlocksPerRow);
    const I32 first = x + shift_left<4>(y) + shift_left<8>(lane_numbers());
    const I32 zero = I32::set1(0);
    const auto word = [&](int32_t step, const I32& lanes, uint32_t quads_with) {
        return select(quads_with, zero, (first + I32::set1(step)) | shift_left<16>(lanes));
    };
    word(0, columns.first & rows.first, batch.small).store(batch.words[0]);
    word(1, columns.last & rows.first, wide).store(batch.words[1]);
    word(kRow, columns.first & rows.last, high).store(batch.words[2]);
    word(kRow + 1, columns.last & rows.last, wide & high).store(batch.words[3]);
}

/// Appends the blocks of quad i in the squares of `shown`; `number` goes into each.
inline uint32_t append_quad(exec::BlockRef* blocks,
                            const SetupPacket& packet,
                            const QuadBoxes& quads,
                            uint32_t i,
                            uint32_t number,
                            uint32_t shown) {
    const BlockBox box = box_of(packet, i);
    uint32_t count = 0;
    for (int32_t y = box.y0; y <= box.y1; ++y) {
        const uint32_t rows = (y == box.y0 ? kRowsFrom[quads.y0[i] & 3] : 0xFFFFU) &
                              (y == box.y1 ? kRowsTo[quads.y1[i] & 3] : 0xFFFFU);
        for (int32_t x = box.x0; x <= box.x1; ++x) {
            const uint32_t lanes = (x == box.x0 ? kColumnsFrom[quads.x0[i] & 3] : 0xFFFFU) &
                                   (x == box.x1 ? kColumnsTo[quads.x1[i] & 3] : 0xFFFFU) & rows;
            const unsigned square =
                exec::lane_at(static_cast<unsigned>(x) >> 2, static_cast<unsigned>(y) >> 2);
            const auto block =
                static_cast<uint32_t>(y) * exec::kBlocksPerRow + static_cast<uint32_t>(x);
            blocks[count] = {static_cast<uint16_t>(block | number), static_cast<uint16_t>(lanes)};
            count += shown >> square & 1;
        }
    }
    return count;
}

/// Draws the quads of `lanes`, each of more than 2x2 blocks, in as few calls as the list has room
/// for.
inline void draw_quads(TileWalk& walk,
                       const DrawRecord& draw,
                       const TileEntry* entries,
                       const SetupPacket& packet,
                       const QuadBoxes& quads,
                       const Batch16& batch,
                       uint32_t lanes) {
    setup_rest(walk, *draw.tile, entries, packet, batch, lanes);
    uint32_t count = 0;
    uint64_t pixels = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<uint32_t>(__builtin_ctz(rest));
        const BlockBox box = box_of(packet, i);
        const auto blocks = static_cast<uint32_t>((box.x1 - box.x0 + 1) * (box.y1 - box.y0 + 1));
        if (count + blocks > kTileBlocks) {
            call_batch(walk, draw, batch, lanes, count, pixels);
            count = 0;
            pixels = 0;
        }
        count +=
            append_quad(walk.blocks + count, packet, quads, i, i << exec::kPrimitiveShift, 0xFFFF);
        pixels += static_cast<uint64_t>(quads.x1[i] - quads.x0[i] + 1) *
                  static_cast<uint64_t>(quads.y1[i] - quads.y0[i] + 1);
    }
    call_batch(walk, draw, batch, lanes, count, pixels);
}

/// Draws quad i by itself.
inline void walk_quad(TileWalk& walk,
                      const DrawRecord& draw,
                      const TileEntry& entry,
                      const SetupPacket& packet,
                      const QuadBoxes& quads,
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
    const uint32_t count = append_quad(walk.blocks, packet, quads, i, 0, 0xFFFF & ~hidden);
    const BlockList list{walk.blocks, count, count_pixels(walk, count)};
    shade(walk, draw, entry, packet, i, list);
    if (state.depth_written)
        note_depth(walk, state, squares & ~hidden, list.pixels);
}

/// Returns the lanes whose boxes have at most 5x5 blocks, and so touch at most 2x2 squares.
inline uint32_t medium_boxes(const SetupPacket& packet) {
    const I32 five = I32::set1(5);
    return less(I32::load(packet.block_x1) - I32::load(packet.block_x0), five) &
           less(I32::load(packet.block_y1) - I32::load(packet.block_y0), five) & 0xFFFF;
}

inline void
walk_quads(TileWalk& walk, const DrawRecord& draw, const TileEntry* entries, uint32_t count) {
    const HiddenState& state = *draw.hidden;
    SetupPacket packet;
    QuadBoxes quads;
    DepthReach depth_reach;
    DepthReach* const reach = state.depth_cull != DepthCull::None ? &depth_reach : nullptr;
    setup_quads(walk, draw, entries, count, packet, quads, reach);
    prepare_calls(walk, *draw.tile);
    uint32_t rest = ((2U << (count - 1)) - 1) & ~empty_quads(quads);
    Batch16 batch;
    uint32_t medium = 0;
    if (!draw.counts_killed && can_batch(walk, draw)) {
        medium = medium_boxes(packet) & rest;
        if (medium != 0 && (reach != nullptr || state.depth_written)) {
            const BoxSquares squares = box_squares(packet);
            batch.squares = touched_squares(squares, medium);
            if (reach != nullptr) {
                const uint32_t hidden =
                    hidden_boxes(walk, state, *reach, squares, batch.squares, medium);
                walk.statistics.primitives_hidden +=
                    static_cast<uint64_t>(__builtin_popcount(hidden));
                medium &= ~hidden;
                rest &= ~hidden;
            }
        }
        batch.small = small_boxes(packet) & medium;
        batch.covering = medium;
        if (draw.fragment_kernel[0].entry != draw.fragment_kernel[1].entry)
            batch.variants = packet.constant_q;
        if (medium != 0) {
            cover_quads(packet, quads, batch);
            setup_primitives(walk, draw, entries, count, packet, medium);
            batch.planes_ready =
                setup_common_slots(walk, *draw.tile, entries, count, packet, batch.covering);
        }
        medium &= ~batch.small;
    }
    packet.cut = false;  // boxes end at the border of the draw's rectangle
    while (rest != 0) {
        const auto i = static_cast<uint32_t>(__builtin_ctz(rest));
        uint32_t part = 1U << i;
        if ((batch.small & part) != 0) {
            part = batch_part(batch, rest, batch.small);
            draw_batch<kSmallWords>(walk, draw, entries, packet, batch, part);
        } else if ((medium & part) != 0) {
            part = batch_part(batch, rest, medium);
            draw_quads(walk, draw, entries, packet, quads, batch, part);
        } else {
            walk_quad(walk, draw, entries[i], packet, quads, reach, i);
        }
        rest &= ~part;
    }
}
