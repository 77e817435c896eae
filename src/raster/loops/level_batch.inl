// Small primitives: covers sixteen at a time and shades many with one kernel call.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level. A primitive is small if its box has
// at most 2x2 blocks, and medium if it has at most 3x3. Larger ones, up to 4x4 blocks, are covered
// one by one, but share kernel calls with the others. Properties of one small primitive do not
// predict those of the next, so this code does not branch on a single primitive.

/// Blocks of a small box: left, right, and those below them. A medium box has four more, two at the
/// right and two below, and the last corner.
constexpr int kSmallWords = 4;
constexpr int kMediumWords = 9;

/// The primitives with boxes of at most 4x4 blocks among up to sixteen.
struct Batch16 {
    uint32_t small = 0;         ///< lanes of small primitives
    uint32_t medium = 0;        ///< lanes of medium primitives
    uint32_t apart = 0;         ///< lanes of primitives that are covered one by one
    uint32_t squares = 0;       ///< squares of the tile that the boxes touch, in lane order
    uint32_t variants = 0;      ///< lanes that use the second kernel
    uint32_t covering = 0;      ///< lanes that may cover pixels
    bool planes_ready = false;  ///< planes of the varying slots are computed
    /// BlockRef words of the boxes' blocks; mask 0: not covered. Without medium primitives, only
    /// those of small boxes are valid.
    alignas(64) int32_t words[kMediumWords][16];
};

/// Returns whether primitives with greater depth codes are hidden.
inline bool hides_greater(const HiddenState& state) {
    return state.depth_cull == DepthCull::Less || state.depth_cull == DepthCull::LessEqual;
}

/// Returns whether small primitives of the draw can share kernel calls.
inline bool can_batch(const TileWalk& walk, const DrawRecord& draw) {
    const HiddenState& state = *draw.hidden;
    const TileState& tile = *draw.tile;
    if (walk.samples != 1 || draw.per_sample ||
        draw.fragment_kernel[0].batching == exec::Batching::None ||
        draw.fragment_kernel[1].batching == exec::Batching::None)
        return false;
    // Primitives of one call must not make the bounds invalid that they are compared with.
    if (state.depth_cull != DepthCull::None && state.depth_written &&
        !(hides_greater(state) ? state.depth_lowers : state.depth_raises))
        return false;
    for (uint32_t k = 0; k < tile.slot_count; ++k)
        if (tile.slots[k].slot >= exec::kMaxBatchSlots)
            return false;
    return true;
}

/// Returns the lanes whose boxes have 1x1 to most x most blocks.
inline uint32_t boxes_within(const SetupPacket& packet, int32_t most) {
    const I32 zero = I32::set1(0);
    const I32 wide = I32::load(packet.block_x1) - I32::load(packet.block_x0);
    const I32 high = I32::load(packet.block_y1) - I32::load(packet.block_y0);
    const I32 end = I32::set1(most);
    return less(wide, end) & less(high, end) & ~less(wide, zero) & ~less(high, zero) & 0xFFFF;
}
inline uint32_t small_boxes(const SetupPacket& packet) {
    return boxes_within(packet, 2);
}

/// Returns the lanes whose boxes are empty.
inline uint32_t empty_boxes(const SetupPacket& packet) {
    return less(I32::load(packet.block_x1), I32::load(packet.block_x0)) |
           less(I32::load(packet.block_y1), I32::load(packet.block_y0));
}

/// Squares of the four corners of each box, in lane order: bits x0, y0, x1, y1 of their places.
struct BoxSquares {
    I32 corner[4];
};
inline BoxSquares box_squares(const SetupPacket& packet) {
    const auto spread = [](const int32_t* block) {
        const I32 square = shift_right<2>(I32::load(block));
        return (square & I32::set1(1)) | shift_left<1>(square & I32::set1(2));
    };
    const I32 x0 = spread(packet.block_x0);
    const I32 x1 = spread(packet.block_x1);
    const I32 y0 = shift_left<1>(spread(packet.block_y0));
    const I32 y1 = shift_left<1>(spread(packet.block_y1));
    return {{x0 | y0, x1 | y0, x0 | y1, x1 | y1}};
}

inline uint32_t touched_squares(const BoxSquares& squares, uint32_t lanes) {
    const I32 bits = bit_of(squares.corner[0]) | bit_of(squares.corner[1]) |
                     bit_of(squares.corner[2]) | bit_of(squares.corner[3]);
    return any_bits(select(lanes, I32::set1(0), bits)) & 0xFFFF;
}

/// Recomputes the bounds of squares in which much was drawn; returns whether there were any.
inline bool renew_bounds(TileWalk& walk, bool less_hides, uint32_t squares) {
    DepthBounds& bounds = walk.bounds;
    bool renewed = false;
    for (uint32_t rest = squares; rest != 0; rest &= rest - 1) {
        const auto square = static_cast<unsigned>(__builtin_ctz(rest));
        if (bounds.written[square] < bounds.renew)
            continue;
        bounds.written[square] = 0;
        (less_hides ? bounds.farthest : bounds.nearest)[square] =
            less_hides ? find_bound<1>(walk, square) : find_bound<-1>(walk, square);
        renewed = true;
    }
    return renewed;
}

/// Returns the subset of `lanes` that are hidden in all squares of their boxes.
inline uint32_t hidden_boxes(TileWalk& walk,
                             const HiddenState& state,
                             const DepthReach& reach,
                             const BoxSquares& squares,
                             uint32_t touched,
                             uint32_t lanes) {
    const bool less_hides = hides_greater(state);
    DepthBounds& bounds = walk.bounds;
    const bool renewed = renew_bounds(walk, less_hides, touched);
    const I32 table = I32::load(less_hides ? bounds.farthest : bounds.nearest);
    const I32 bound =
        max(max(permute(table, squares.corner[0]), permute(table, squares.corner[1])),
            max(permute(table, squares.corner[2]), permute(table, squares.corner[3])));
    const uint32_t hidden = less(bound, I32::load(reach.code)) & lanes;
    // The less often this hides primitives, the more must be drawn before the next recomputation.
    if (hidden != 0)
        bounds.renew = DepthBounds::kRenew;
    else if (renewed && bounds.renew < DepthBounds::kRenewLate)
        bounds.renew *= 2;
    return hidden;
}

/// The edges of sixteen primitives at the first pixels of their boxes, and their steps.
struct EdgeLanes {
    I32 value[3];
    I32 a[3], b[3];

    EdgeLanes moved(bool right, bool down) const {
        EdgeLanes result = *this;
        for (int i = 0; i < 3; ++i) {
            if (right)
                result.value[i] = result.value[i] + shift_left<2>(a[i]);
            if (down)
                result.value[i] = result.value[i] + shift_left<2>(b[i]);
        }
        return result;
    }
};

/// Appends the pixels of a block, in lane order: a bit is set where the primitive does not cover.
inline I32 push_block(const EdgeLanes& e, I32 history) {
    for (int quad = 0; quad < 4; ++quad) {
        I32 left[3], right[3];
        for (int i = 0; i < 3; ++i) {
            left[i] = e.value[i];
            if ((quad & 1) != 0)
                left[i] = left[i] + shift_left<1>(e.a[i]);
            if ((quad & 2) != 0)
                left[i] = left[i] + shift_left<1>(e.b[i]);
            right[i] = left[i] + e.a[i];
        }
        history = push_sign(history, left[0], left[1], left[2]);
        history = push_sign(history, right[0], right[1], right[2]);
        for (int i = 0; i < 3; ++i) {
            left[i] = left[i] + e.b[i];
            right[i] = right[i] + e.b[i];
        }
        history = push_sign(history, left[0], left[1], left[2]);
        history = push_sign(history, right[0], right[1], right[2]);
    }
    return history;
}

/// Where the words of a block of each box go.
struct BlockLanes {
    I32 block;       ///< its number, with that of the primitive
    uint32_t lanes;  ///< boxes that have the block
    int32_t* words;
};

/// Computes the BlockRef words of two neighbours; edges are those of the first block. Without lanes
/// of the first, there are none of the second.
/// below  whether the second block is below the first, not at its right
inline I32 cover_two(const EdgeLanes& e, const BlockLanes& one, bool below, const BlockLanes& two) {
    const I32 zero = I32::set1(0);
    if (one.lanes == 0) {
        zero.store(one.words);
        zero.store(two.words);
        return zero;
    }
    const I32 masks = I32::set1(static_cast<int32_t>(0xFFFF0000));
    I32 outside = push_block(e, zero);
    // The first block's bits end up below the second one's.
    outside =
        two.lanes != 0 ? push_block(e.moved(!below, below), outside) : shift_right<16>(outside);
    const I32 inside = I32::set1(-1) - outside;
    const I32 words[2] = {select(one.lanes, zero, one.block | shift_left<16>(inside)),
                          select(two.lanes, zero, two.block | (inside & masks))};
    words[0].store(one.words);
    words[1].store(two.words);
    return words[0] | words[1];
}

/// Computes the BlockRef words of the small and medium boxes' blocks.
[[gnu::always_inline]] inline void cover_boxes(const SetupPacket& packet, Batch16& batch) {
    EdgeLanes e;
    for (int i = 0; i < 3; ++i) {
        e.value[i] = I32::load(packet.corner[i]);
        e.a[i] = I32::load(packet.a[i]);
        e.b[i] = I32::load(packet.b[i]);
    }
    const I32 x = I32::load(packet.block_x0);
    const I32 y = I32::load(packet.block_y0);
    const I32 x1 = I32::load(packet.block_x1);
    const I32 y1 = I32::load(packet.block_y1);
    const uint32_t boxes = batch.small | batch.medium;
    const uint32_t wide = less(x, x1) & boxes;
    const uint32_t high = less(y, y1) & boxes;
    constexpr auto kRow = static_cast<int32_t>(exec::kBlocksPerRow);
    static_assert(kRow == 16 && exec::kPrimitiveShift == 8);
    constexpr int32_t kNumbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const I32 first = x + shift_left<4>(y) + shift_left<8>(I32::load(kNumbers));
    const auto at = [&](int32_t step, uint32_t lanes, int word) {
        return BlockLanes{first + I32::set1(step), lanes, batch.words[word]};
    };
    I32 any = cover_two(e, at(0, boxes, 0), false, at(1, wide, 1));
    const EdgeLanes low = e.moved(false, true);
    any = any | cover_two(low, at(kRow, high, 2), false, at(kRow + 1, wide & high, 3));
    if (batch.medium != 0) {
        const I32 one = I32::set1(1);
        const uint32_t wider = less(x + one, x1) & boxes;
        const uint32_t higher = less(y + one, y1) & boxes;
        const EdgeLanes right = e.moved(true, false).moved(true, false);
        const EdgeLanes lower = low.moved(false, true);
        any = any | cover_two(right, at(2, wider, 4), true, at(kRow + 2, wider & high, 5));
        any = any |
              cover_two(lower, at(2 * kRow, higher, 6), false, at(2 * kRow + 1, higher & wide, 7));
        const EdgeLanes last = lower.moved(true, false).moved(true, false);
        alignas(64) int32_t none[16];
        any = any | cover_two(last, at(2 * kRow + 2, wider & higher, 8), false, {first, 0, none});
    }
    const I32 pixels = any & I32::set1(static_cast<int32_t>(0xFFFF0000));
    batch.covering = ~equal(pixels, I32::set1(0)) & boxes;
}

/// Stores the planes of sixteen primitives with values a, b, c at the anchor and the next two
/// vertices.
inline void store_planes(
    const F32& a, const F32& b, const F32& c, const SetupPacket& packet, exec::Plane& first) {
    const F32 r = F32::load(packet.r);
    const F32 d1 = b - a;
    const F32 d2 = c - a;
    const F32 cx = difference_of_products(d1, F32::load(packet.e2y), d2, F32::load(packet.e1y)) * r;
    const F32 cy = difference_of_products(d2, F32::load(packet.e1x), d1, F32::load(packet.e2x)) * r;
    store_rows(&first, sizeof(exec::BatchPrimitive), as_int(a), as_int(cx), cy, F32::set1(0));
}

/// Finds the corners (quad_corner) of the anchors and of the next two vertices.
inline void anchored_corners(const TileEntry* entries,
                             uint32_t count,
                             const SetupPacket& packet,
                             I32 (&corners)[3]) {
    if (entries[0].batch->plain_lines) {
        const I32 three = I32::set1(3);
        corners[0] = I32::load(packet.anchor);
        for (int k = 1; k < 3; ++k) {
            const I32 next = corners[k - 1] + I32::set1(1);
            corners[k] = select(equal(next, three), next, I32::set1(0));
        }
        return;
    }
    alignas(64) int32_t numbers[3][16] = {};
    for (uint32_t i = 0; i < count; ++i) {
        const Order order = anchored_order(packet, i);
        numbers[0][i] = static_cast<int32_t>(quad_corner(entries[i], order.a));
        numbers[1][i] = static_cast<int32_t>(quad_corner(entries[i], order.b));
        numbers[2][i] = static_cast<int32_t>(quad_corner(entries[i], order.c));
    }
    for (int k = 0; k < 3; ++k)
        corners[k] = I32::load(numbers[k]);
}

/// Does setup_point_planes() for sixteen primitives.
inline void setup_points(TileWalk& walk,
                         const TileState& tile,
                         const TileEntry* entries,
                         uint32_t count,
                         const SetupPacket& packet) {
    I32 corners[3];
    anchored_corners(entries, count, packet, corners);
    const F32 zero = F32::set1(0);
    const F32 one = F32::set1(1);
    const uint32_t top = tile.sprite_lower_left ? 0xFFFF : 0;
    F32 s[3], t[3];
    for (int k = 0; k < 3; ++k) {
        const I32& corner = corners[k];
        s[k] = select(equal(corner, I32::set1(1)) | equal(corner, I32::set1(2)), zero, one);
        t[k] = select(less(I32::set1(1), corner) ^ top, zero, one);
    }
    store_planes(s[0], s[1], s[2], packet, walk.batch[0].setup.point_s);
    store_planes(t[0], t[1], t[2], packet, walk.batch[0].setup.point_t);
}

/// Sets the depth range of a draw, unless all primitives have it from the last one.
inline void set_depth_range(TileWalk& walk, const TileState& tile) {
    const exec::PrimitiveSetup& last = walk.batch[0].setup;
    const auto same = [](float a, float b) { return __builtin_memcmp(&a, &b, sizeof(a)) == 0; };
    if (same(last.depth_min, tile.depth_min) && same(last.depth_max, tile.depth_max))
        return;
    for (exec::BatchPrimitive& primitive : walk.batch) {
        primitive.setup.depth_min = tile.depth_min;
        primitive.setup.depth_max = tile.depth_max;
    }
}

/// Sets up the primitives for the fragment kernel, except their varying slots.
/// covering  lanes that cover pixels; other lanes may stay incomplete
[[gnu::always_inline]] inline void setup_primitives(TileWalk& walk,
                                                    const DrawRecord& draw,
                                                    const TileEntry* entries,
                                                    uint32_t count,
                                                    const SetupPacket& packet,
                                                    uint32_t covering) {
    const TileState& tile = *draw.tile;
    set_depth_range(walk, tile);
    constexpr size_t kStride = sizeof(exec::BatchPrimitive);
    auto* first = reinterpret_cast<uint8_t*>(walk.batch);
    const auto bits = [](const float* p) { return as_int(F32::load(p)); };
    const F32 zero = F32::set1(0);
    const I32 back = select(packet.back_facing, I32::set1(0), I32::set1(1));
    store_rows(first, kStride, bits(packet.anchor_x), bits(packet.anchor_y), zero, as_float(back));
    // A vector of IDs put together on the stack would be loaded only when its parts have arrived in
    // the cache.
    for (uint32_t i = 0; i < count; ++i)
        walk.batch[i].setup.primitive_id = primitive_id(entries[i]);
    store_rows(first + offsetof(exec::PrimitiveSetup, z), kStride, bits(packet.z[0]),
               bits(packet.zx), F32::load(packet.zy), zero);
    store_rows(first + offsetof(exec::PrimitiveSetup, q), kStride, bits(packet.q[0]),
               bits(packet.qx), F32::load(packet.qy), zero);
    if (draw.shape->shapes)
        setup_points(walk, tile, entries, count, packet);
    for (uint32_t rest = tile.offset.enabled ? covering : 0; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<uint32_t>(__builtin_ctz(rest));
        exec::PrimitiveSetup& s = walk.batch[i].setup;
        if (entries[i].batch->facing == Facing::ByArea)
            s.z.a += depth_offset(tile.offset, packet, i);
    }
}

/// Finds the primitives of a packet that can share calls, and covers the small and medium ones;
/// returns false if there are too few.
/// hidden  lanes that hierarchical depth skips
inline bool begin_batch(TileWalk& walk,
                        const DrawRecord& draw,
                        const TileEntry* entries,
                        uint32_t count,
                        const SetupPacket& packet,
                        const DepthReach* reach,
                        Batch16& batch,
                        uint32_t& hidden) {
    const HiddenState& state = *draw.hidden;
    uint32_t shared = boxes_within(packet, 4) & ((2U << (count - 1)) - 1);
    hidden = 0;
    constexpr int kWorth = 4;
    if (__builtin_popcount(shared) < kWorth)
        return false;
    if (reach != nullptr || state.depth_written) {
        const BoxSquares squares = box_squares(packet);
        batch.squares = touched_squares(squares, shared);
        if (reach != nullptr) {
            hidden = hidden_boxes(walk, state, *reach, squares, batch.squares, shared);
            walk.statistics.primitives_hidden += static_cast<uint64_t>(__builtin_popcount(hidden));
            shared &= ~hidden;
        }
    }
    batch.small = small_boxes(packet) & shared;
    batch.medium = boxes_within(packet, 3) & shared & ~batch.small;
    // To cover a few one by one takes less time than to cover sixteen at once.
    constexpr int kTogether = 2 * kVectorRegisters;
    if (__builtin_popcount(batch.medium) < kTogether)
        batch.medium = 0;
    batch.apart = shared & ~batch.small & ~batch.medium;
    // If both variants are one kernel, it does not divide varyings by w and all lanes share calls.
    if (draw.fragment_kernel[0].entry != draw.fragment_kernel[1].entry)
        batch.variants = packet.constant_q;
    if ((batch.small | batch.medium) != 0)
        cover_boxes(packet, batch);
    batch.covering |= batch.apart;
    if (batch.covering != 0) {
        setup_primitives(walk, draw, entries, count, packet, batch.covering);
        batch.planes_ready =
            setup_common_slots(walk, *draw.tile, entries, count, packet, batch.covering);
    }
    return true;
}

/// Returns the first lanes of `rest` that one call can draw: all are in `group` and use one kernel.
inline uint32_t batch_part(const Batch16& batch, uint32_t rest, uint32_t group) {
    const uint32_t first = rest & (0 - rest);
    const uint32_t others = (batch.variants & first) != 0 ? ~batch.variants : batch.variants;
    const uint32_t stop = rest & (~group | others);
    return stop == 0 ? rest : rest & ((stop & (0 - stop)) - 1);
}

/// Counts the covered pixels in the blocks of some lanes. A loop over the existing blocks would
/// have an unpredictable length.
template <int Count>
inline uint64_t count_lanes(const I32 (&words)[Count], uint32_t lanes) {
    const I32 low = I32::set1(0xFFFF);
    const I32 high = I32::set1(static_cast<int32_t>(0xFFFF0000));
    const I32 zero = I32::set1(0);
    constexpr int kPairs = (Count + 1) / 2;
    alignas(64) int32_t masks[kPairs][16];
    for (int i = 0; i < kPairs; ++i) {
        const I32 lower = shift_right<16>(words[2 * i]) & low;
        const I32 pair = 2 * i + 1 < Count ? lower | (words[2 * i + 1] & high) : lower;
        select(lanes, zero, pair).store(masks[i]);
    }
    uint64_t pairs[kPairs * 8];
    __builtin_memcpy(pairs, masks, sizeof(pairs));
    uint64_t pixels = 0;
    for (const uint64_t pair : pairs)
        pixels += static_cast<uint64_t>(__builtin_popcountll(pair));
    return pixels;
}

/// Computes the varying slots of primitives whose planes are not computed yet.
inline void setup_rest(TileWalk& walk,
                       const TileState& tile,
                       const TileEntry* entries,
                       const SetupPacket& packet,
                       const Batch16& batch,
                       uint32_t lanes) {
    for (uint32_t rest = batch.planes_ready ? 0 : lanes & batch.covering; rest != 0;
         rest &= rest - 1) {
        const auto i = static_cast<uint32_t>(__builtin_ctz(rest));
        for (uint32_t k = 0; k < tile.slot_count; ++k)
            setup_slot(tile, tile.slots[k], entries[i], packet, i,
                       walk.batch[i].planes[tile.slots[k].slot]);
    }
}

/// Shades the first `count` blocks of the walk, a call for each primitive.
inline void call_each(TileWalk& walk, const exec::Kernel& kernel, uint32_t count) {
    constexpr uint16_t kBlockMask = (1U << exec::kPrimitiveShift) - 1;
    for (uint32_t first = 0; first < count;) {
        const unsigned primitive = walk.blocks[first].block >> exec::kPrimitiveShift;
        uint32_t end = first;
        for (; end < count && walk.blocks[end].block >> exec::kPrimitiveShift == primitive; ++end)
            walk.blocks[end].block &= kBlockMask;
        walk.call.primitive = &walk.batch[primitive].setup;
        walk.call.blocks = walk.blocks + first;
        walk.call.block_count = end - first;
        kernel.entry(kernel.self, &walk.call);
        first = end;
    }
}

/// Shades the first `count` blocks of the walk in one call of several primitives.
inline void call_together(TileWalk& walk, const exec::Kernel& kernel, uint32_t count) {
    walk.call.primitive = &walk.batch[0].setup;
    walk.call.primitive_count = kPacketSize;
    walk.call.blocks = walk.blocks;
    walk.call.block_count = count;
    if (kernel.batching == exec::Batching::Quads) {
        walk.call.quad_warps = walk.quad_warps;
        walk.call.quad_warp_count = pack_quads(walk, count);
    }
    kernel.entry(kernel.self, &walk.call);
    walk.call.primitive_count = 1;
}

/// Shades the first `count` blocks of the walk, which name primitives of `lanes`.
inline void call_batch(TileWalk& walk,
                       const DrawRecord& draw,
                       const Batch16& batch,
                       uint32_t lanes,
                       uint32_t count,
                       uint64_t pixels) {
    const HiddenState& state = *draw.hidden;
    walk.statistics.blocks_shaded += count;
    walk.statistics.pixels_covered += pixels;
    walk.statistics.invocations += pixels;
    const unsigned variant = (batch.variants & lanes) != 0 ? 1 : 0;
    walk.call.draw = draw.fragment[variant];
    const exec::Kernel& kernel = draw.fragment_kernel[variant];
    // Fuller blocks have so many quads that packed ones would be hardly fewer warps.
    constexpr uint32_t kMostPacked = 6;
    if (kernel.batching == exec::Batching::Quads && pixels > uint64_t{kMostPacked} * count)
        call_each(walk, kernel, count);
    else
        call_together(walk, kernel, count);
    walk.call.primitive = &walk.setup;
    if (state.depth_written) {
        const auto squares = static_cast<uint64_t>(__builtin_popcount(batch.squares));
        note_depth(walk, state, batch.squares, (pixels + squares - 1) / squares);
    }
}

/// Draws the primitives of `lanes` in one call. None is covered apart.
/// Words  of the boxes, kSmallWords if all are small
template <int Words>
inline void draw_batch(TileWalk& walk,
                       const DrawRecord& draw,
                       const TileEntry* entries,
                       const SetupPacket& packet,
                       const Batch16& batch,
                       uint32_t lanes) {
    static_assert(kPacketSize * (Words + 1) <= kTileBlocks, "all lists fit, and a vector behind");
    I32 words[Words];
    for (int k = 0; k < Words; ++k)
        words[k] = I32::load(batch.words[k]);
    uint32_t count = append_words(words, lanes, walk.blocks);
    uint64_t pixels = count_lanes(words, lanes);
    if (packet.cut) {
        count = clip_blocks(walk, draw.shape->rect, count);
        pixels = count_pixels(walk, count);
    }
    if (count == 0)
        return;
    setup_rest(walk, *draw.tile, entries, packet, batch, lanes);
    call_batch(walk, draw, batch, lanes, count, pixels);
}

/// Does the same if some are covered apart.
inline void draw_mixed_batch(TileWalk& walk,
                             const DrawRecord& draw,
                             const TileEntry* entries,
                             const SetupPacket& packet,
                             const Batch16& batch,
                             uint32_t lanes) {
    static_assert(kPacketSize * 16 <= kTileBlocks, "all lists fit");
    BlockWriter writer{walk, packet, 0};
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<uint32_t>(__builtin_ctz(rest));
        if ((batch.apart >> i & 1) == 0) {
            const int words = (batch.medium >> i & 1) != 0 ? kMediumWords : kSmallWords;
            for (int k = 0; k < words; ++k) {
                const auto word = static_cast<uint32_t>(batch.words[k][i]);
                walk.blocks[writer.count] = {static_cast<uint16_t>(word),
                                             static_cast<uint16_t>(word >> 16)};
                writer.count += word >> 16 != 0 ? 1 : 0;
            }
            continue;
        }
        Edges e;
        load_edges(packet, 1, i, e);
        const BlockBox box = box_of(packet, i);
        writer.primitive = i;
        cover_square(writer, e, box, box.x0, box.y0,
                     static_cast<int32_t>(i << exec::kPrimitiveShift));
    }
    if (packet.cut)
        writer.count = clip_blocks(walk, draw.shape->rect, writer.count);
    if (writer.count == 0)
        return;
    setup_rest(walk, *draw.tile, entries, packet, batch, lanes);
    call_batch(walk, draw, batch, lanes, writer.count, count_pixels(walk, writer.count));
}
