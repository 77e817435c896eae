// Packed tile pixels: brings the pixels of a warp of packed quads together, and back to the tile.
// SPDX-License-Identifier: MIT
#include "jit/kernel/packed_tile.hpp"

#include "exec/format.hpp"
#include "jit/context/lane_group.hpp"
#include "jit/expand/fragment/inline_depth.hpp"
#include "jit/expand/fragment/inline_texel.hpp"
#include "jit/expand/fragment/packed_quads.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace valkyr::jit {

namespace {

constexpr unsigned kQuadBytes = 16;  // of four pixels with four bytes each
constexpr unsigned kQuads = exec::kLanes / 4;

/// A buffer of the tile: the member of the call that points to it.
struct TileBuffer {
    size_t member;
    unsigned pixel_bytes;
    bool written;
};

/// Calls f(TileBuffer) for each buffer that a draw may read or write.
template <typename F>
void each_buffer(const exec::FragmentKey& key, F f) {
    if (has_depth_buffer(key.zs))
        f(TileBuffer{offsetof(exec::FragmentCall, depth), 4, key.zs.depth_write});
    for (unsigned t = 0; t < exec::kMaxRenderTargets; ++t) {
        const exec::BlendKey& blend = key.blend[t];
        if (blend.format != exec::Format::None && blend.write_mask != 0)
            f(TileBuffer{offsetof(exec::FragmentCall, color) + sizeof(uint8_t*) * t,
                         exec::format_info(blend.format).block_bytes, true});
    }
}

/// Moves the pixels of one buffer between the tile and the frame.
class PixelMove {
public:
    PixelMove(EmitContext& context, const TileBuffer& buffer)
        : c(context)
        , h(context.h)
        , bytes_(buffer.pixel_bytes)
        , tile_(c.load64({Gp::Call, static_cast<int32_t>(buffer.member)}))
        , packed_(packed_pixels(buffer.member)) {}

    void gather() {
        if (bytes_ == 4)
            gather_registers();
        else
            each_quad([&](Address tile, Address packed) { copy(packed, tile); });
    }

    /// The last quads first: if quad 0 has copies, it is written after them.
    void scatter() {
        if (bytes_ == 4)
            scatter_registers();
        else
            each_quad([&](Address tile, Address packed) { copy(tile, packed); });
    }

private:
    /// The place of a quad in the tile. `offset` is used for it.
    Address place(unsigned quad, Gp offset) {
        h.load32(offset, quad_word({}, offsetof(exec::QuadPlace, pixel), quad));
        if (bytes_ < 4)
            h.shift_right32(offset, static_cast<unsigned>(std::countr_zero(4 / bytes_)));
        const auto scale = static_cast<uint8_t>(std::countr_zero(std::max(bytes_ / 4, 1U)));
        return {tile_, 0, offset, scale};
    }

    template <typename F>
    void each_quad(F f) {
        const Scalar offset = c.scalar();
        for (unsigned quad = kQuads; quad-- > 0;)
            f(place(quad, offset), packed_.plus(static_cast<int32_t>(4 * bytes_ * quad)));
    }

    /// Pixels of four bytes fill registers, which later code loads whole.
    void gather_registers() {
        const Scalar offset = c.scalar();
        each_chunk(c, [&](const LaneGroup& group) {
            const Temp v = c.scratch();
            for (unsigned q = 0; q < h.traits().lanes / 4; ++q) {
                const Address tile = place(group.first / 4 + q, offset);
                if (q == 0)
                    h.load_quad(v, tile);
                else
                    h.insert_quad(v, q, tile);
            }
            h.store(group.of(packed_), v);
        });
    }

    void scatter_registers() {
        const unsigned lanes = h.traits().lanes;
        const Scalar offset = c.scalar();
        for (unsigned first = exec::kLanes; first != 0;) {
            first -= lanes;
            const Temp v = c.scratch();
            h.load(v, LaneGroup{first}.of(packed_));
            for (unsigned q = lanes / 4; q-- > 0;)
                h.store_quad(place(first / 4 + q, offset), q, v);
        }
    }

    /// Copies the four pixels of a quad.
    void copy(Address to, Address from) {
        if (bytes_ > 4) {
            const Temp v = c.scratch();
            for (unsigned k = 0; k < 4 * bytes_ / kQuadBytes; ++k) {
                const auto offset = static_cast<int32_t>(kQuadBytes * k);
                h.load_quad(v, from.plus(offset));
                h.store_quad(to.plus(offset), 0, v);
            }
            return;
        }
        const Scalar pixels = c.scalar();
        if (bytes_ == 1) {
            h.load32(pixels, from);
            h.store32(to, pixels);
        } else {
            h.load64(pixels, from);
            h.store64(to, pixels);
        }
    }

    EmitContext& c;
    HostAssembler& h;
    unsigned bytes_;
    Scalar tile_;
    Address packed_;
};

}  // namespace

bool can_pack_pixels(const exec::FragmentKey& key) {
    bool can = true;
    each_buffer(key,
                [&](const TileBuffer& buffer) { can &= texels_are_words(buffer.pixel_bytes); });
    return can;
}

void gather_pixels(EmitContext& c) {
    each_buffer(*c.key.fragment, [&](const TileBuffer& buffer) { PixelMove(c, buffer).gather(); });
}

void scatter_pixels(EmitContext& c) {
    each_buffer(*c.key.fragment, [&](const TileBuffer& buffer) {
        if (buffer.written)
            PixelMove(c, buffer).scatter();
    });
}

}  // namespace valkyr::jit
