// Clip test: varyings of clipped vertices without perspective are linear in the window.
// SPDX-License-Identifier: MIT
#include "raster/front/clip.hpp"

#include <array>
#include <doctest/doctest.h>

namespace valkyr::raster::test {
namespace {

/// Position, four other numbers, two varying slots.
using Record = std::array<float, 16>;

const uint8_t* bytes(const Record& record) {
    return reinterpret_cast<const uint8_t*>(record.data());
}

TileState two_slots() {
    static constexpr SlotSource kSlots[] = {{SlotKind::Perspective, 0, {32, 32}},
                                            {SlotKind::Linear, 1, {48, 48}}};
    TileState tile;
    tile.slots = kSlots;
    tile.slot_count = 2;
    return tile;
}

}  // namespace

TEST_CASE("a linear varying of a cut edge is that of the place in the window") {
    // The middle between w = 1 and w = 3 is, in the window, at 1/2 * 3 / 2 = 3/4 of the edge.
    const Record in{0, 0, 0, 1};
    const Record out{0, 0, -4, 3, 0, 0, 0, 0, 8, 8, 8, 8, 8, 16, 24, 32};
    Record middle{0, 0, -2, 2, 0, 0, 0, 0, 4, 4, 4, 4, 4, 8, 12, 16};
    set_linear_varyings(two_slots(), bytes(in), bytes(out), 0.5F,
                        reinterpret_cast<uint8_t*>(middle.data()));
    CHECK(middle == Record{0, 0, -2, 2, 0, 0, 0, 0, 4, 4, 4, 4, 6, 12, 18, 24});
}

TEST_CASE("a cut in the eye's plane leaves linear varyings as they are") {
    const Record in{0, 0, 0, 1};
    const Record out{0, 0, 0, -1, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8};
    Record middle{0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4};
    const Record before = middle;
    set_linear_varyings(two_slots(), bytes(in), bytes(out), 0.5F,
                        reinterpret_cast<uint8_t*>(middle.data()));
    CHECK(middle == before);
}

}  // namespace valkyr::raster::test
