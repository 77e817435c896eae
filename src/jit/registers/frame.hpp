// Frame: lays out the stack frame of a kernel relative to Gp::Frame, aligned to 64 bytes.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/check.hpp"
#include "exec/abi.hpp"
#include "jit/guest/expansion.hpp"
#include "jit/host/lane_vector.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace valkyr::jit {

/// At least the staging registers of any message.
inline constexpr unsigned kMaxStaging = 10;
/// Most blocks shaded in step (block_pairs.hpp).
inline constexpr unsigned kMaxBlocks = 2;
/// Warps of texels in a strip (image_strips.hpp).
inline constexpr unsigned kStripRows = 2;
/// Guessed mip levels: messages with equal word numbers modulo this share one.
inline constexpr uint32_t kLevelGuesses = 16;
/// Room for what an expansion keeps, in Lanes arrays.
inline constexpr size_t kMaxExpansion = 64;

/// Fixed part of the frame.
struct FixedFrame {
    exec::Warp warp;                        ///< as message routines see it
    uint32_t live = 0;                      ///< lanes that are not helpers, bits of the whole warp
    uint32_t half = 0;                      ///< copy of Gp::Half, which calls destroy
    uint32_t covered = 0;                   ///< lanes with coverage, bits of the whole warp
    uint32_t sample = 0;                    ///< per-sample shading: the current sample
    uint64_t items_end = 0;                 ///< the end of Gp::Item
    uint64_t spare = 0;                     ///< a word passed from a scalar to a vector register
    uint64_t noted_row[kMaxBlocks] = {};    ///< see noted_row.hpp; by part
    uint64_t noted_order[kMaxBlocks] = {};  ///< of it
    uint32_t sample_bit = 0;                ///< 1 << sample
    float depth_low = 0;  ///< clamp range of depth, within the range of the format
    float depth_high = 0;
    uint32_t stencil_reference = 0;  ///< of the primitive's face
    uint32_t pair_mask = 0;          ///< BlockRef::mask of two blocks
    uint32_t loops_left = 0;         ///< until the next test of exec::LoopWatch
    uint32_t loop_rounds = 0;        ///< tests so far
    uint32_t strip_start = 0;        ///< pixel of the strip's first texel
    uint32_t strip_texels = 0;       ///< texels of the strip that loads may take
    uint64_t shared_level[kSharedLevels] = {};
    uint32_t level_guess[kLevelGuesses] = {};  ///< the level that a message has visited last
    alignas(64) uint8_t message[64] = {};      ///< a message struct with run-time members
    exec::Lanes rasterised = {};               ///< sample masks of the block's pixels
    exec::Lanes coverage[kMaxBlocks] = {};     ///< rasterised after early depth and stencil: r60
    exec::Lanes sample_coverage = {};          ///< per-sample shading: one sample of coverage
    exec::Lanes in[kMaxStaging] = {};
    exec::Lanes out[kMaxStaging] = {};
    exec::Lanes operand[3] = {};  ///< operands of a message beside its staging registers
    /// Values of an expansion meanwhile: a struct of its own, see ExpansionPlaces.
    alignas(64) std::byte expansion[kMaxExpansion * sizeof(exec::Lanes)] = {};
    exec::Lanes constant_color[exec::kMaxRenderTargets][4] = {};  ///< inline_blend_constant.hpp
    exec::Lanes strip[4][kStripRows] = {};  ///< decoded texels by component (image_strips.hpp)
    exec::Lanes shared_axis[kSharedAxisWords][kMaxBlocks] = {};
    // Positions of a fragment warp's pixels, as floats (inline_position.hpp).
    exec::Lanes origin_x[kMaxBlocks] = {};  ///< of the tile's first block (inline_position.cpp)
    exec::Lanes origin_y[kMaxBlocks] = {};
    exec::Lanes block_pixels = {};          ///< 4 * k
    exec::Lanes corner_x[kMaxBlocks] = {};  ///< window position of the top-left corner
    exec::Lanes corner_y[kMaxBlocks] = {};
    exec::Lanes centre_dx[kMaxBlocks] = {};  ///< centre relative to the anchor of the primitive
    exec::Lanes centre_dy[kMaxBlocks] = {};
    exec::Lanes reciprocal_q[kMaxBlocks] = {};  ///< 1/q in the centre
    // Packed quads (packed_quads.hpp).
    exec::Lanes quad_depth = {};  ///< FragmentCall::depth of the warp's quads
    exec::Lanes quad_color[exec::kMaxRenderTargets][4] = {};  ///< FragmentCall::color of them
};
static_assert(sizeof(FixedFrame) % 64 == 0);

#define VALKYR_FRAME(member)                                                                       \
    Address {                                                                                      \
        Gp::Frame, static_cast<int32_t>(offsetof(FixedFrame, member))                              \
    }

/// Lays a struct of an expansion over FixedFrame::expansion. The members only say where generated
/// code keeps their values: nothing reads or writes them.
template <typename Struct>
class ExpansionPlaces {
    static_assert(sizeof(Struct) <= sizeof(FixedFrame::expansion));
    static_assert(alignof(Struct) <= 64 && std::is_trivially_copyable_v<Struct>);

public:
    static const Struct& members() { return members_; }
    /// The place of a member of members(), or of a member's element.
    template <typename Member>
    static Address place(const Member& member) {
        const auto* const start = reinterpret_cast<const std::byte*>(&members_);
        const auto offset =
            static_cast<size_t>(reinterpret_cast<const std::byte*>(&member) - start);
        VALKYR_DCHECK(offset < sizeof(Struct));  // a member of members()
        return VALKYR_FRAME(expansion).plus(static_cast<int32_t>(offset));
    }
    template <typename Member, size_t count>
    static Address place(const Member (&members)[count], size_t index) {
        VALKYR_DCHECK(index < count);
        return place(members[index]);
    }

private:
    static inline const Struct members_ = {};
};

/// The rest of the frame: masks of 4 bytes each (lanes that wait at join blocks, then lanes parked
/// at resume points), then 64-byte slots.
class FrameLayout {
public:
    FrameLayout(unsigned joins, unsigned slots)
        : slots_at_((static_cast<uint32_t>(sizeof(FixedFrame)) + 4 * joins + 63) / 64 * 64)
        , bytes_(slots_at_ + 64 * slots) {}

    [[nodiscard]] static Address wait_mask(unsigned join) {
        return {Gp::Frame, static_cast<int32_t>(sizeof(FixedFrame) + 4 * join)};
    }
    [[nodiscard]] Address slot(unsigned index) const {
        return {Gp::Frame, static_cast<int32_t>(slots_at_ + 64 * index)};
    }
    [[nodiscard]] uint32_t bytes() const { return bytes_; }

private:
    uint32_t slots_at_;
    uint32_t bytes_;
};

}  // namespace valkyr::jit
