// Fuzz target: makes tessellation shaders of bytes, and draws with them on devices that must agree.
// SPDX-License-Identifier: MIT
#include "tests/fuzz/engines.hpp"
#include "tests/fuzz/primitive_draw.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/random_patches.hpp"

namespace valkyr::fuzz {

void patches(std::span<const uint8_t> bytes) {
    const test::RandomPatches made = test::random_patches(test::choices_of(bytes));
    PrimitiveDraw draw;
    draw.control = made.control;
    draw.evaluation = made.evaluation;
    draw.info.count = made.count;
    draw.info.patch_vertices = made.vertices;
    draw.provoking_first = made.provoking_first;
    draw.outer = made.outer;
    draw.inner = made.inner;
    check_engines(made.control + made.evaluation,
                  [&](raster::Device& device) { return draw_primitives(device, draw); });
}

}  // namespace valkyr::fuzz
