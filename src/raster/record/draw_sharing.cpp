// Draw sharing: compares the parts of draws by pointer.
// SPDX-License-Identifier: MIT
#include "raster/record/draw_sharing.hpp"

#include <algorithm>

namespace valkyr::raster {
namespace {

/// Returns whether so many elements are whole primitives of a kind that share none with the next.
/// Divisors are constants: this is asked for each of thousands of indirect draws.
constexpr bool whole_primitives(Primitive primitive, uint32_t count) {
    switch (primitive) {
    case Primitive::Points: return true;
    case Primitive::Lines: return count % 2 == 0;
    case Primitive::Triangles: return count % 3 == 0;
    default: return false;
    }
}

/// Returns whether the elements of `next` follow those of `draw` in the buffers, begin with a
/// primitive of their own, and nothing else differs. Neither may have restart indices.
bool continues(const AssemblyState& draw, const AssemblyState& next) {
    if (!whole_primitives(next.primitive, draw.count) || draw.instance_count != 1 ||
        uint64_t{draw.first} + draw.count != next.first || next.count > UINT32_MAX - draw.count)
        return false;
    AssemblyState same = next;
    same.first = draw.first;
    same.count = draw.count;
    return draw == same;
}

/// Returns how many draws, from the first of `next` on, have as many elements as that, of which the
/// first one is element `first` and the others follow without gaps, and are else like `draw`.
uint32_t equal_draws(const DrawInfo& draw, const IndirectWords& next, uint32_t first) {
    using W = IndirectWords;
    const uint32_t count = next.words[W::kCount];
    const uint32_t first_instance = W::first_instance(next.indexed);
    const auto base_vertex = static_cast<uint32_t>(draw.base_vertex);
    uint32_t taken = 0;
    for (; taken < next.count; ++taken) {
        const uint32_t* const w = next.from(taken).words;
        // One branch for a draw costs less than one for each word.
        uint32_t unlike = (w[W::kCount] ^ count) | (w[W::kFirst] ^ first) |
                          (w[W::kInstanceCount] ^ draw.instance_count) |
                          (w[first_instance] ^ draw.first_instance);
        if (next.indexed)
            unlike |= w[W::kBaseVertex] ^ base_vertex;
        if (unlike != 0)
            break;
        first += count;
    }
    return taken;
}

}  // namespace

uint32_t continue_draw(Primitive primitive, DrawInfo& draw, const IndirectWords& next) {
    if (draw.instance_count != 1)
        return 0;
    uint32_t taken = 0;
    while (taken < next.count && whole_primitives(primitive, draw.count)) {
        const uint64_t end = uint64_t{draw.first} + draw.count;
        if (end > UINT32_MAX)
            break;
        const IndirectWords left = next.from(taken);
        const uint32_t count = left.words[IndirectWords::kCount];
        uint32_t equal = equal_draws(draw, left, static_cast<uint32_t>(end));
        if (count != 0)
            equal = std::min(equal, static_cast<uint32_t>(UINT32_MAX - end) / count);
        if (!whole_primitives(primitive, count))
            equal = std::min(equal, 1U);
        if (equal == 0)
            break;
        draw.count += equal * count;
        taken += equal;
    }
    return taken;
}

bool share_tiles(const DrawRecord& a, const DrawRecord& b) {
    return a.shape == b.shape && a.tile == b.tile && a.hidden == b.hidden &&
           a.fragment[0] == b.fragment[0] && a.fragment[1] == b.fragment[1] &&
           a.counters == b.counters;
}

bool join(DrawRecord& last, const DrawRecord& next, const PipelineImpl& pipeline) {
    if (pipeline.tells_draws_apart() || !share_tiles(last, next) || last.vertex != next.vertex ||
        next.viewports != nullptr || next.assembly.restart ||
        !continues(last.assembly, next.assembly))
        return false;
    last.assembly.count += next.assembly.count;
    return true;
}

}  // namespace valkyr::raster
