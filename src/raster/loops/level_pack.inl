// Packed quads: gathers the covered quads of a block list into full warps.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level. Warps run in order, so a quad that
// several primitives cover must get them in different warps, in order. The first primitives of all
// quads are one layer, the second ones the next layer, and so on: quads of a layer differ, so they
// can share warps.

/// A covered quad of a block list, in one word.
namespace packed_quad {
// From the lowest bit: 4 * block + quad of the block; number of the primitive; covered pixels.
constexpr uint32_t kPrimitive = 10;
constexpr uint32_t kPixels = 16;
constexpr uint32_t number(uint32_t quad) {
    return quad & (exec::kTileQuads - 1);
}
static_assert(kPacketSize <= 1U << (kPixels - kPrimitive));
static_assert(exec::kPrimitiveShift + 2 == kPrimitive && exec::kTileQuads == 1U << kPrimitive);
}  // namespace packed_quad

/// Writes the covered quads of up to sixteen blocks, in the order of the blocks, and returns their
/// number. Up to 64 words are written.
inline uint32_t list_quads(const exec::BlockRef* blocks, uint32_t count, uint32_t* list) {
    const I32 words = I32::load(reinterpret_cast<const int32_t*>(blocks));
    const I32 names = shift_left<2>(words & I32::set1(0xFFFF));
    const I32 pixels = I32::set1(0xF << packed_quad::kPixels);
    const I32 quads[4] = {names | (words & pixels),
                          names | (shift_right<4>(words) & pixels) | I32::set1(1),
                          names | (shift_right<8>(words) & pixels) | I32::set1(2),
                          names | (shift_right<12>(words) & pixels) | I32::set1(3)};
    return append_words(quads, count < 16 ? (1U << count) - 1 : 0xFFFF, list);
}

/// The quads of some blocks by layer.
struct QuadLayers {
    static constexpr uint32_t kBlocks = 64;
    static constexpr uint32_t kQuads = 4 * kBlocks;
    uint32_t count[kPacketSize + 1] = {};  ///< the last one stays 0
    uint32_t quads[kPacketSize][kQuads];
    uint8_t seen[exec::kTileQuads] = {};  ///< layers that have the quad

    void add(uint32_t quad) {
        uint8_t& layers = seen[packed_quad::number(quad)];
        const uint32_t layer = layers++;
        quads[layer][count[layer]++] = quad;
    }
};

/// Appends quads to warps.
class QuadWriter {
public:
    explicit QuadWriter(exec::QuadWarp* warps)
        : warps_(warps) {}

    void add_layer(const uint32_t* quads, uint32_t count) {
        if (fill_ != 0 && shares_quads(quads, count))
            end_warp();
        for (uint32_t i = 0; i < count; ++i)
            add(quads[i]);
    }

    /// Ends the last warp; returns the number of warps.
    uint32_t finish() {
        if (fill_ != 0)
            end_warp();
        return used_;
    }

private:
    /// Whether quads of the unfinished warp would be in it again.
    [[nodiscard]] bool shares_quads(const uint32_t* quads, uint32_t count) const {
        bool shares = false;
        for (uint32_t i = 0; i < count && i < 4 - fill_; ++i)
            for (uint32_t k = 0; k < fill_; ++k)
                shares |= warps_[used_].quads[k].pixel == 16 * packed_quad::number(quads[i]);
        return shares;
    }

    void add(uint32_t quad) {
        exec::QuadWarp& warp = warps_[used_];
        const uint32_t number = packed_quad::number(quad);
        const uint32_t primitive = quad >> packed_quad::kPrimitive &
                                   ((1U << (packed_quad::kPixels - packed_quad::kPrimitive)) - 1);
        // Bits of the number, from the lowest: x and y in the block, x and y of the block.
        const uint32_t corner = (number & 1) << 1 | (number & 0x3C) |
                                ((number & 2) | (number & 0x3C0) >> 4) << exec::kQuadYShift;
        const uint32_t corners[4] = {corner, corner, corner, corner};
        __builtin_memcpy(warp.corner + size_t{4} * fill_, corners, sizeof(corners));
        warp.quads[fill_].pixel = 16 * number;
        warp.quads[fill_].primitive =
            primitive * static_cast<uint32_t>(sizeof(exec::BatchPrimitive));
        mask_ |= quad >> packed_quad::kPixels << (4 * fill_);
        if (++fill_ == 4)
            end_warp();
    }

    void end_warp() {
        exec::QuadWarp& warp = warps_[used_++];
        for (uint32_t k = fill_; k < 4; ++k) {
            __builtin_memcpy(warp.corner + size_t{4} * k, warp.corner, 4 * sizeof(uint32_t));
            warp.quads[k] = warp.quads[0];
        }
        warp.mask = mask_;
        mask_ = 0;
        fill_ = 0;
    }

    exec::QuadWarp* warps_;
    uint32_t used_ = 0;  ///< finished warps
    uint32_t fill_ = 0;  ///< quads of the next one
    uint32_t mask_ = 0;  ///< its pixels
};

/// Packs the covered quads of the first `count` blocks of the walk, which name primitives; returns
/// the number of warps.
inline uint32_t pack_quads(TileWalk& walk, uint32_t count) {
    QuadWriter writer(walk.quad_warps);
    for (uint32_t first = 0; first < count; first += QuadLayers::kBlocks) {
        QuadLayers layers;
        const uint32_t end =
            count - first < QuadLayers::kBlocks ? count : first + QuadLayers::kBlocks;
        for (uint32_t i = first; i < end; i += 16) {
            alignas(64) uint32_t list[64];
            const uint32_t found = list_quads(walk.blocks + i, end - i, list);
            for (uint32_t k = 0; k < found; ++k)
                layers.add(list[k]);
        }
        for (uint32_t layer = 0; layers.count[layer] != 0; ++layer)
            writer.add_layer(layers.quads[layer], layers.count[layer]);
    }
    return writer.finish();
}
