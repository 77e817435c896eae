// Fixture: provides a draw, a primitive and a warp for tests of single message routines.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/bits.hpp"
#include "exec/abi.hpp"
#include "raster/messages/environment.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace valkyr::test {

using exec::Lanes;

/// One word in every lane.
inline Lanes splat(uint32_t value) {
    Lanes lanes{};
    for (uint32_t& v : lanes.v)
        v = value;
    return lanes;
}
inline Lanes splat(float value) {
    return splat(as_bits(value));
}

/// One fragment warp: block (bx, by) of a tile at the window's origin. It cannot be moved, since
/// members point to each other.
struct FragmentFixture {
    exec::FragmentKey key;
    exec::ProgramInfo info;
    exec::DrawContext draw;
    exec::PrimitiveSetup primitive{};
    std::array<exec::SlotPlanes, 2 * exec::kMaxVaryingSlots> slots{};
    exec::FragmentCall call;
    exec::Warp warp;
    std::vector<uint8_t> color;
    std::vector<uint32_t> depth;
    std::vector<uint8_t> stencil;

    explicit FragmentFixture(unsigned samples = 1, unsigned bx = 0, unsigned by = 0) {
        key.samples = static_cast<uint8_t>(samples);
        info.stage = exec::Stage::Fragment;
        info.varying_slot_count = exec::kMaxVaryingSlots;
        draw.environment = &raster::raster_environment();
        draw.key = &key;
        draw.info = &info;
        primitive.slots = slots.data();
        primitive.q.a = 1;
        call.draw = &draw;
        call.primitive = &primitive;
        depth.resize(size_t{256} * samples * 16);
        stencil.resize(depth.size());
        call.depth = depth.data();
        call.stencil = stencil.data();
        warp.draw = &draw;
        warp.fragment = &call;
        warp.block = by * exec::kBlocksPerRow + bx;
        warp.x = static_cast<int32_t>(4 * bx);
        warp.y = static_cast<int32_t>(4 * by);
        warp.running = 0xFFFF;
        warp.live = 0xFFFF;
    }
    FragmentFixture(const FragmentFixture&) = delete;
    FragmentFixture& operator=(const FragmentFixture&) = delete;

    /// Gives target 0 a format and a tile of zeros.
    void bind_target(exec::Format format, unsigned target = 0) {
        key.blend[target].format = format;
        color.assign(depth.size() * exec::format_info(format).block_bytes, 0);
        call.color[target] = color.data();
    }
    /// First byte of a lane's sample in target 0.
    [[nodiscard]] uint8_t* texel(unsigned lane, unsigned sample = 0, unsigned target = 0) {
        return color.data() +
               element(lane, sample) * exec::format_info(key.blend[target].format).block_bytes;
    }
    /// Index of a lane's sample in the depth and stencil tiles.
    [[nodiscard]] size_t element(unsigned lane, unsigned sample = 0) const {
        return (size_t{warp.block} * key.samples + sample) * 16 + lane;
    }
};

}  // namespace valkyr::test
