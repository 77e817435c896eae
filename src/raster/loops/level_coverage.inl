// Coverage: turns edge functions into block lists, 64 -> 16 -> 4 pixels.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level. Lanes are sixteen squares of the
// tile, then the sixteen blocks of a square, then the sixteen pixels of a block, always in lane
// order. All edge values stay below 2^31 (docs/rules/raster-rules.md).

/// The edges of one primitive in the tile; `low` and `high` bound the constants of all samples.
struct Edges {
    I32 steps[3];  ///< a * lane_x + b * lane_y
    int32_t a[3], b[3];
    int32_t low[3], high[3];
};

/// Blocks that the primitive's box allows, inclusive.
struct BlockBox {
    int32_t x0, y0, x1, y1;
};

/// Squares or blocks of one level that may be covered, and those that are fully covered.
struct Candidates {
    uint32_t touched = 0;
    uint32_t accepted = 0;
};

constexpr int32_t block_of_lane(unsigned lane) {
    return static_cast<int32_t>(exec::lane_y(lane) * exec::kBlocksPerRow + exec::lane_x(lane));
}

/// Block lists of fully covered blocks.
struct FullBlocks {
    alignas(64) int32_t square[16];  ///< BlockRef words (little-endian) of the square at block 0
    alignas(64) exec::BlockRef tile[kTileBlocks];  ///< blocks of the tile, row by row
};
constexpr FullBlocks make_full_blocks() {
    FullBlocks full{};
    for (unsigned lane = 0; lane < 16; ++lane)
        full.square[lane] = block_of_lane(lane) - 0x10000;  // 0xFFFF in the upper half
    for (unsigned block = 0; block < kTileBlocks; ++block)
        full.tile[block] = {static_cast<uint16_t>(block), 0xFFFF};
    return full;
}
constexpr FullBlocks kFullBlocks = make_full_blocks();
static_assert(sizeof(exec::BlockRef) == sizeof(int32_t));

/// Edge values at the first pixels of sixteen squares of one level, for the lowest sample.
struct SquareValues {
    alignas(64) int32_t edge[3][16];
};

/// Tests sixteen squares of 2^Shift pixels; offset[e] is the change of edge e from the tile's
/// corner.
template <int Shift>
inline Candidates test_squares(const Edges& e, const int32_t* offset, SquareValues& values) {
    constexpr int32_t kSpan = (1 << Shift) - 1;
    I32 reject = I32::set1(0);
    I32 partial = I32::set1(0);
    for (int i = 0; i < 3; ++i) {
        const int32_t up = (e.a[i] > 0 ? e.a[i] : 0) + (e.b[i] > 0 ? e.b[i] : 0);
        const int32_t down = (e.a[i] < 0 ? e.a[i] : 0) + (e.b[i] < 0 ? e.b[i] : 0);
        const I32 corner = shift_left<Shift>(e.steps[i]) + I32::set1(offset[i] + e.low[i]);
        corner.store(values.edge[i]);
        reject = reject | (corner + I32::set1(e.high[i] - e.low[i] + kSpan * up));
        partial = partial | (corner + I32::set1(kSpan * down));
    }
    return {~negative(reject) & 0xFFFF, ~negative(partial) & 0xFFFF};
}

/// Returns the lanes (squares of 4 blocks, or blocks) whose place lies in the box.
inline uint32_t lanes_in_box(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    // Entry i has the lanes in columns (rows) i and above; its complement has those before i.
    constexpr uint32_t kColumns[5] = {0xFFFF, 0xFAFA, 0xF0F0, 0xA0A0, 0};
    constexpr uint32_t kRows[5] = {0xFFFF, 0xFFCC, 0xFF00, 0xCC00, 0};
    const auto limited = [](int32_t i) { return i < 0 ? 0 : i > 4 ? 4 : i; };
    const uint32_t columns = kColumns[limited(x0)] & ~kColumns[limited(x1 + 1)];
    const uint32_t rows = kRows[limited(y0)] & ~kRows[limited(y1 + 1)];
    return columns & rows;
}

/// Writes block lists; the sample count decides how partial blocks are tested.
struct BlockWriter {
    TileWalk& walk;
    const SetupPacket& packet;
    uint32_t primitive;
    uint32_t count = 0;

    /// Appends a square of sixteen covered blocks whose first is `corner`.
    void full_square(int32_t corner) {
        int32_t words[16];
        (I32::load(kFullBlocks.square) + I32::set1(corner)).store(words);
        __builtin_memcpy(walk.blocks + count, words, sizeof(words));
        if (walk.samples > 1)
            for (uint32_t i = 0; i < 16 * walk.samples; ++i)
                walk.sample_masks[count * walk.samples + i] = 0xFFFF;
        count += 16;
    }

    void full(int32_t block) {
        walk.blocks[count] = {static_cast<uint16_t>(block), 0xFFFF};
        if (walk.samples > 1)
            for (uint32_t s = 0; s < walk.samples; ++s)
                walk.sample_masks[count * walk.samples + s] = 0xFFFF;
        ++count;
    }

    void partial(const Edges& e, int32_t block, const SquareValues& values, unsigned lane) {
        if (walk.samples > 1) {
            add(block, sample_masks(e, values, lane));
            return;
        }
        const I32 value[3] = {e.steps[0] + I32::set1(values.edge[0][lane]),
                              e.steps[1] + I32::set1(values.edge[1][lane]),
                              e.steps[2] + I32::set1(values.edge[2][lane])};
        add(block, inside(value));
    }

    /// Returns the pixels of a block where no edge value is negative.
    static uint32_t inside(const I32* value) {
        return ~negative(value[0] | value[1] | value[2]) & 0xFFFF;
    }

    void add(int32_t block, uint32_t mask) {
        walk.blocks[count] = {static_cast<uint16_t>(block), static_cast<uint16_t>(mask)};
        count += mask != 0 ? 1 : 0;
    }

    uint32_t sample_masks(const Edges& e, const SquareValues& values, unsigned lane) {
        uint32_t any = 0;
        for (uint32_t s = 0; s < walk.samples; ++s) {
            I32 value[3];
            for (int i = 0; i < 3; ++i)
                value[i] = e.steps[i] +
                           I32::set1(values.edge[i][lane] - e.low[i] + packet.c[s][i][primitive]);
            const uint32_t mask = inside(value);
            walk.sample_masks[count * walk.samples + s] = static_cast<uint16_t>(mask);
            any |= mask;
        }
        return any;
    }
};

/// Covers the 16x16 pixels whose corner is block (bx, by).
/// number  of the primitive in the call, as in BlockRef::block
inline void cover_square(BlockWriter& writer,
                         const Edges& e,
                         const BlockBox& box,
                         int32_t bx,
                         int32_t by,
                         int32_t number = 0) {
    int32_t offset[3];
    for (int i = 0; i < 3; ++i)
        offset[i] = 4 * (e.a[i] * bx + e.b[i] * by);
    SquareValues values;
    const Candidates c = test_squares<2>(e, offset, values);
    const uint32_t lanes =
        c.touched & lanes_in_box(box.x0 - bx, box.y0 - by, box.x1 - bx, box.y1 - by);
    const int32_t corner = by * static_cast<int32_t>(exec::kBlocksPerRow) + bx + number;
    for (uint32_t rest = lanes & c.accepted; rest != 0; rest &= rest - 1)
        writer.full(corner + block_of_lane(static_cast<unsigned>(__builtin_ctz(rest))));
    for (uint32_t rest = lanes & ~c.accepted; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        writer.partial(e, corner + block_of_lane(lane), values, lane);
    }
}

/// Covers a box of at most 2x2 blocks, one sample: all four blocks at once, without descent. It has
/// no branches, because small triangles make them unpredictable. Returns the pixel count.
inline uint64_t cover_small(BlockWriter& writer,
                            const SetupPacket& packet,
                            uint32_t primitive,
                            const BlockBox& box) {
    I32 corner[3], right[3], below[3], last[3];
    for (int i = 0; i < 3; ++i) {
        const I32 a = I32::set1(packet.a[i][primitive]);
        const I32 b = I32::set1(packet.b[i][primitive]);
        const I32 step_x = shift_left<2>(a);
        const I32 step_y = shift_left<2>(b);
        corner[i] = lane_steps(a, b) + I32::set1(packet.corner[i][primitive]);
        right[i] = corner[i] + step_x;
        below[i] = corner[i] + step_y;
        last[i] = right[i] + step_y;
    }
    const uint32_t wide = box.x1 != box.x0 ? 0xFFFF : 0;
    const uint32_t high = box.y1 != box.y0 ? 0xFFFF : 0;
    const uint32_t masks[4] = {BlockWriter::inside(corner), BlockWriter::inside(right) & wide,
                               BlockWriter::inside(below) & high,
                               BlockWriter::inside(last) & wide & high};
    constexpr auto kRow = static_cast<int32_t>(exec::kBlocksPerRow);
    const int32_t block = box.y0 * kRow + box.x0;
    writer.add(block, masks[0]);
    writer.add(block + 1, masks[1]);
    writer.add(block + kRow, masks[2]);
    writer.add(block + kRow + 1, masks[3]);
    const uint64_t all = masks[0] | masks[1] << 16 | static_cast<uint64_t>(masks[2]) << 32 |
                         static_cast<uint64_t>(masks[3]) << 48;
    return static_cast<uint64_t>(__builtin_popcountll(all));
}

/// Covers a primitive by descent; tests only squares of `shown`. Returns true and writes nothing if
/// the primitive covers the whole tile.
inline bool cover_large(BlockWriter& writer, const Edges& e, const BlockBox& box, uint32_t shown) {
    const int32_t zero[3] = {0, 0, 0};
    constexpr int32_t kLast = exec::kBlocksPerRow - 1;
    SquareValues values;
    const Candidates c = test_squares<4>(e, zero, values);
    const bool whole_box = box.x0 == 0 && box.y0 == 0 && box.x1 == kLast && box.y1 == kLast;
    if (whole_box && c.accepted == 0xFFFF && shown == 0xFFFF)
        return true;
    const uint32_t lanes =
        shown & c.touched & lanes_in_box(box.x0 >> 2, box.y0 >> 2, box.x1 >> 2, box.y1 >> 2);
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const auto bx = static_cast<int32_t>(4 * exec::lane_x(lane));
        const auto by = static_cast<int32_t>(4 * exec::lane_y(lane));
        const bool inside_box =
            box.x0 <= bx && box.y0 <= by && box.x1 >= bx + 3 && box.y1 >= by + 3;
        if ((c.accepted >> lane & 1) != 0 && inside_box)
            writer.full_square(by * static_cast<int32_t>(exec::kBlocksPerRow) + bx);
        else
            cover_square(writer, e, box, bx, by);
    }
    return false;
}

inline void load_edges(const SetupPacket& packet, uint32_t samples, uint32_t primitive, Edges& e) {
    for (int i = 0; i < 3; ++i) {
        e.a[i] = packet.a[i][primitive];
        e.b[i] = packet.b[i][primitive];
        e.steps[i] = lane_steps(I32::set1(e.a[i]), I32::set1(e.b[i]));
        e.low[i] = e.high[i] = packet.c[0][i][primitive];
        for (uint32_t s = 1; s < samples; ++s) {
            const int32_t c = packet.c[s][i][primitive];
            e.low[i] = c < e.low[i] ? c : e.low[i];
            e.high[i] = c > e.high[i] ? c : e.high[i];
        }
    }
}

/// Keeps only pixels of the draw's rectangle, in tiles that its border crosses. Blocks may name
/// primitives (exec::kPrimitiveShift).
inline uint32_t clip_blocks(TileWalk& walk, const PixelRect& rect, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const exec::BlockRef block = walk.blocks[i];
        const auto x =
            walk.call.tile_x + static_cast<int32_t>(block.block % exec::kBlocksPerRow * 4);
        const auto y = walk.call.tile_y + static_cast<int32_t>(block.block / exec::kBlocksPerRow %
                                                               exec::kBlocksPerRow * 4);
        const uint32_t inside =
            lanes_in_box(rect.x0 - x, rect.y0 - y, rect.x1 - 1 - x, rect.y1 - 1 - y);
        const uint32_t mask = block.mask & inside;
        if (mask == 0)
            continue;
        walk.blocks[kept] = {block.block, static_cast<uint16_t>(mask)};
        if (walk.samples > 1)
            for (uint32_t s = 0; s < walk.samples; ++s)
                walk.sample_masks[kept * walk.samples + s] =
                    static_cast<uint16_t>(walk.sample_masks[i * walk.samples + s] & inside);
        ++kept;
    }
    return kept;
}

/// Keeps only samples of `sample_mask`, in multisampled tiles.
inline uint32_t mask_samples(TileWalk& walk, uint32_t sample_mask, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t any = 0;
        for (uint32_t s = 0; s < walk.samples; ++s) {
            const uint32_t mask =
                (sample_mask >> s & 1) != 0 ? walk.sample_masks[i * walk.samples + s] : 0U;
            walk.sample_masks[kept * walk.samples + s] = static_cast<uint16_t>(mask);
            any |= mask;
        }
        walk.blocks[kept] = {walk.blocks[i].block, static_cast<uint16_t>(any)};
        kept += any != 0 ? 1 : 0;
    }
    return kept;
}

/// A block list.
struct BlockList {
    const exec::BlockRef* blocks = nullptr;
    uint32_t count = 0;
    uint64_t pixels = 0;
};

/// Counts the pixels in the first `count` blocks of the walk's list.
inline uint64_t count_pixels(const TileWalk& walk, uint32_t count) {
    uint64_t pixels = 0;
    for (uint32_t i = 0; i < count; ++i)
        pixels += static_cast<uint64_t>(__builtin_popcount(walk.blocks[i].mask));
    return pixels;
}

/// Returns every block of the tile. The list is constant, unless it has samples or will be cut.
inline BlockList whole_tile(TileWalk& walk, bool constant) {
    if (constant)
        return {kFullBlocks.tile, kTileBlocks, kTilePixels};
    __builtin_memcpy(walk.blocks, kFullBlocks.tile, sizeof(kFullBlocks.tile));
    for (uint32_t i = 0; walk.samples > 1 && i < kTileBlocks * walk.samples; ++i)
        walk.sample_masks[i] = 0xFFFF;
    return {walk.blocks, kTileBlocks, kTilePixels};
}

inline BlockBox box_of(const SetupPacket& packet, uint32_t i) {
    return {packet.block_x0[i], packet.block_y0[i], packet.block_x1[i], packet.block_y1[i]};
}
inline bool is_empty(const BlockBox& box) {
    return box.x1 < box.x0 || box.y1 < box.y0;
}

/// Returns whether a box, which is not empty, has at most 4x4 blocks.
inline bool has_sixteen_blocks(const BlockBox& box) {
    return box.x1 - box.x0 < 4 && box.y1 - box.y0 < 4;
}

/// Removes blocks, pixels and samples outside the draw's rectangle and sample mask.
inline BlockList
limited(TileWalk& walk, const DrawRecord& draw, const SetupPacket& packet, BlockList list) {
    if (!packet.cut && !packet.masked)
        return list;
    if (packet.cut)
        list.count = clip_blocks(walk, draw.shape->rect, list.count);
    if (packet.masked)
        list.count = mask_samples(walk, draw.tile->sample_mask, list.count);
    list.pixels = count_pixels(walk, list.count);
    return list;
}

/// Returns the block list of primitive i of the packet, limited to the draw's rectangle and
/// samples. Squares outside `shown` may be left out. The box must not be empty.
inline BlockList cover(
    TileWalk& walk, const DrawRecord& draw, const SetupPacket& packet, uint32_t i, uint32_t shown) {
    const BlockBox box = box_of(packet, i);
    BlockWriter writer{walk, packet, i};
    BlockList list;
    if (walk.samples == 1 && box.x1 - box.x0 < 2 && box.y1 - box.y0 < 2) {
        const uint64_t pixels = cover_small(writer, packet, i, box);
        list = {walk.blocks, writer.count, pixels};
    } else {
        Edges e;
        load_edges(packet, walk.samples, i, e);
        if (has_sixteen_blocks(box) && shown == 0xFFFF)
            cover_square(writer, e, box, box.x0, box.y0);
        else if (cover_large(writer, e, box, shown))
            return limited(walk, draw, packet, whole_tile(walk, walk.samples == 1 && !packet.cut));
        list = {walk.blocks, writer.count, count_pixels(walk, writer.count)};
    }
    return limited(walk, draw, packet, list);
}
