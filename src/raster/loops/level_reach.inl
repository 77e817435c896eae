// Depth reach: bounds the depth codes that primitives can have.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level. Bounds are only ever too wide.

/// Nearest depth code that a primitive can reach, in the form that square bounds are compared with:
/// the primitive is hidden in a square if its code is greater than the bound.
struct DepthReach {
    alignas(64) int32_t code[16];
};

/// Returns the float error bound of depth at the primitive's pixels, with a margin: each step of
/// set-up and interpolation errs by at most 2^-24 of its operands' magnitudes (1/16 of this bound).
inline F32 depth_error(const Corners& p, const SetupPacket& packet) {
    const F32 d1 = absolute(p.z[1] - p.z[0]);
    const F32 d2 = absolute(p.z[2] - p.z[0]);
    const F32 e1x = absolute(F32::load(packet.e1x));
    const F32 e1y = absolute(F32::load(packet.e1y));
    const F32 e2x = absolute(F32::load(packet.e2x));
    const F32 e2y = absolute(F32::load(packet.e2y));
    const F32 along_x = fma(d1, e2y, d2 * e1y) * max(e1x, e2x);
    const F32 along_y = fma(d2, e1x, d1 * e2x) * max(e1y, e2y);
    const F32 slope = (along_x + along_y) * absolute(F32::load(packet.r));
    const F32 size = absolute(p.z[0]) + absolute(p.z[1]) + absolute(p.z[2]);
    return (slope + size) * F32::set1(0x1p-20F);
}

/// Returns the code of a depth, rounded outwards by `slack` codes; `depth` may be anything, NaN
/// too.
inline I32
outer_code(const TileState& tile, const HiddenState& state, const F32& depth, int32_t slack) {
    // The operands' order turns NaN into a limit; both limits lie in 0..1.
    const F32 limited = min(max(depth, F32::set1(tile.depth_min)), F32::set1(tile.depth_max));
    if (state.depth_scale == 0)
        return max(as_int(limited), I32::set1(0));
    return to_int(limited * F32::set1(state.depth_scale)) + I32::set1(slack);
}

/// Computes the depth codes that each primitive can reach. A primitive with an infinite or NaN
/// depth is never hidden.
inline void setup_reach(const TileState& tile,
                        const HiddenState& state,
                        const Corners& p,
                        const SetupPacket& packet,
                        DepthReach& reach) {
    constexpr int32_t kSlack = 4;
    const F32 error = depth_error(p, packet);
    const bool less =
        state.depth_cull == DepthCull::Less || state.depth_cull == DepthCull::LessEqual;
    const bool equal_passes =
        state.depth_cull == DepthCull::LessEqual || state.depth_cull == DepthCull::GreaterEqual;
    const I32 equal_hides = I32::set1(equal_passes ? 0 : 1);
    if (less) {
        const F32 lowest = min(min(p.z[0], p.z[1]), p.z[2]) - error;
        (outer_code(tile, state, lowest, -kSlack) + equal_hides).store(reach.code);
    } else {
        const F32 highest = max(max(p.z[0], p.z[1]), p.z[2]) + error;
        (equal_hides - outer_code(tile, state, highest, kSlack)).store(reach.code);
    }
    const uint32_t known = greater_equal(F32::set1(1.0F), error);
    select(known, I32::set1(INT32_MIN), I32::load(reach.code)).store(reach.code);
}
