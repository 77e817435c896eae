// Draw sharing: compares the parts of draws by pointer.
// SPDX-License-Identifier: MIT
#include "raster/record/draw_sharing.hpp"

#include <algorithm>
#include <cstring>

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

/// The first words of an indirect draw. Vectors compare them all at once.
using Words = uint32_t __attribute__((vector_size(16)));
static_assert(IndirectWords::kCount == 0 && IndirectWords::kInstanceCount == 1 &&
              IndirectWords::kFirst == 2 && IndirectWords::kBaseVertex == 3 &&
              IndirectWords::first_instance(false) == 3 &&
              IndirectWords::first_instance(true) == 4);

/// Draws whose words are compared with those of draws that follow each other without gaps.
template <bool kIndexed>
struct DrawRun {
    Words expected;  ///< first words of the next draw
    Words step;      ///< from one draw to the next
    uint32_t first_instance;

    /// Returns whether `kCount` draws from `words` on are those expected; if so, goes on behind
    /// them.
    template <uint32_t kCount>
    bool take(const uint32_t* words, size_t stride) {
        Words next = expected;
        Words unlike{};
        uint32_t unlike_last = 0;
#pragma GCC unroll 4
        for (uint32_t i = 0; i < kCount; ++i, next += step) {
            const uint32_t* const draw = words + i * stride;
            Words read;
            std::memcpy(&read, draw, sizeof(read));
            unlike |= read ^ next;
            if constexpr (kIndexed)
                unlike_last |= draw[IndirectWords::first_instance(true)] ^ first_instance;
        }
        if ((unlike[0] | unlike[1] | unlike[2] | unlike[3] | unlike_last) != 0)
            return false;
        expected = next;
        return true;
    }
};

/// Does equal_draws() for draws with indices, or for those without.
template <bool kIndexed>
uint32_t count_equal(const DrawInfo& draw, const IndirectWords& next, uint32_t first) {
    constexpr uint32_t kAtOnce = 4;  // one branch for some draws costs less than one for each
    const uint32_t count = next.words[IndirectWords::kCount];
    const uint32_t fourth =
        kIndexed ? static_cast<uint32_t>(draw.base_vertex) : draw.first_instance;
    DrawRun<kIndexed> run{
        {count, draw.instance_count, first, fourth}, {0, 0, count, 0}, draw.first_instance};
    uint32_t taken = 0;
    for (; next.count - taken >= kAtOnce; taken += kAtOnce)
        if (!run.template take<kAtOnce>(next.from(taken).words, next.stride))
            break;
    for (; taken < next.count; ++taken)
        if (!run.template take<1>(next.from(taken).words, next.stride))
            break;
    return taken;
}

/// Returns how many draws, from the first of `next` on, have as many elements as that, of which the
/// first one is element `first` and the others follow without gaps, and are else like `draw`.
uint32_t equal_draws(const DrawInfo& draw, const IndirectWords& next, uint32_t first) {
    return next.indexed ? count_equal<true>(draw, next, first)
                        : count_equal<false>(draw, next, first);
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
