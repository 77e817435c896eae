// Hierarchical depth: finds the squares of a tile that hide a primitive for certain.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level. Bounds are only ever too wide:
// skipped pixels would all have failed the depth test, and failing has no effect there
// (hidden_work).

/// Returns the largest lane.
inline int32_t largest(const I32& a) {
    alignas(64) int32_t lanes[16];
    a.store(lanes);
    int32_t result = lanes[0];
    for (const int32_t lane : lanes)
        result = lane > result ? lane : result;
    return result;
}

/// Finds the largest code of a square if Sign is 1, or the largest negated one if it is -1.
template <int Sign>
inline int32_t find_bound(const TileWalk& walk, unsigned square) {
    const size_t block = 4 * (exec::lane_y(square) * exec::kBlocksPerRow + exec::lane_x(square));
    I32 rows[4];
    for (size_t row = 0; row < 4; ++row) {
        const uint32_t* codes = walk.call.depth + (block + row * exec::kBlocksPerRow) * 16;
        const auto at = [&](size_t i) {
            return I32::load(reinterpret_cast<const int32_t*>(codes + 16 * i));
        };
        rows[row] = Sign > 0 ? max(max(at(0), at(1)), max(at(2), at(3)))
                             : I32::set1(0) - min(min(at(0), at(1)), min(at(2), at(3)));
    }
    return largest(max(max(rows[0], rows[1]), max(rows[2], rows[3])));
}

/// Returns the squares (in lane order) that a box of blocks touches.
inline uint32_t squares_of(const BlockBox& box) {
    const int32_t sx = box.x0 >> 2;
    const int32_t sy = box.y0 >> 2;
    if (sx == box.x1 >> 2 && sy == box.y1 >> 2)
        return 1U << exec::lane_at(static_cast<unsigned>(sx), static_cast<unsigned>(sy));
    return lanes_in_box(sx, sy, box.x1 >> 2, box.y1 >> 2);
}

/// Returns whether a square hides primitives of this reach. It recomputes the bound if much was
/// drawn since; the less often that helps, the more must be drawn before the next time.
inline bool hides(TileWalk& walk, bool less, int32_t reach, unsigned square) {
    DepthBounds& bounds = walk.bounds;
    int32_t& bound = less ? bounds.farthest[square] : bounds.nearest[square];
    if (reach > bound)
        return true;
    if (bounds.written[square] < bounds.renew)
        return false;
    bounds.written[square] = 0;
    bound = less ? find_bound<1>(walk, square) : find_bound<-1>(walk, square);
    const bool hidden = reach > bound;
    if (hidden)
        bounds.renew = DepthBounds::kRenew;
    else if (bounds.renew < DepthBounds::kRenewLate)
        bounds.renew *= 2;
    return hidden;
}

/// Returns the subset of `squares` in which a primitive of this reach is hidden everywhere.
inline uint32_t
hidden_squares(TileWalk& walk, const HiddenState& state, int32_t reach, uint32_t squares) {
    const bool less =
        state.depth_cull == DepthCull::Less || state.depth_cull == DepthCull::LessEqual;
    uint32_t hidden = 0;
    for (uint32_t rest = squares; rest != 0; rest &= rest - 1) {
        const auto square = static_cast<unsigned>(__builtin_ctz(rest));
        hidden |= hides(walk, less, reach, square) ? 1U << square : 0U;
    }
    return hidden;
}

/// Notes that up to `pixels` pixels in some squares may have new depths.
inline void
note_depth(TileWalk& walk, const HiddenState& state, uint32_t squares, uint64_t pixels) {
    constexpr uint64_t kSquarePixels = 256;
    const auto added = static_cast<uint32_t>(pixels < kSquarePixels ? pixels : kSquarePixels);
    for (uint32_t rest = squares; rest != 0; rest &= rest - 1) {
        const auto square = static_cast<unsigned>(__builtin_ctz(rest));
        walk.bounds.written[square] += added;
        if (!state.depth_lowers)
            walk.bounds.farthest[square] = INT32_MAX;
        if (!state.depth_raises)
            walk.bounds.nearest[square] = INT32_MAX;
    }
}
