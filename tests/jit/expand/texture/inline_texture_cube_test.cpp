// Cube corners test: footprints around the corners of cubes agree on all engines, without routines.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/jit/expand/texture/texture_case.hpp"
#include "tests/jit/harness.hpp"

#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

using exec::Format;
using exec::TextureKind;

/// A message that reads texels around a corner.
struct CornerCase {
    const char* message;  ///< up to the modifiers that choose a component or level
    bool shadow;
    bool gathers;
};
constexpr CornerCase kCases[] = {{"TEX_SINGLE.slot0.f.32.cube.computed", false, false},
                                 {"TEX_SINGLE.slot0.f.32.cube.zero", false, false},
                                 {"TEX_SINGLE.slot0.f.32.cube.shadow.computed", true, false},
                                 {"TEX_GATHER.slot0.f.32.cube.gather4_r", false, true},
                                 {"TEX_GATHER.slot0.f.32.cube.gather4_a", false, true},
                                 {"TEX_GATHER.slot0.f.32.cube.shadow.gather4_r", true, true}};

constexpr Format kIntegers[] = {Format::R8G8B8A8_UINT, Format::R16G16_SINT, Format::R32_UINT};

Format format_of(const CornerCase& corner, Random& random) {
    if (corner.shadow)
        return pick(random, kDepthFormats);
    switch (random.below(corner.gathers ? 4 : 3)) {
    case 0: return pick(random, kSmallFormats);
    case 1: return pick(random, kNumberFormats);
    case 2: return pick(random, kStepFormats);
    default: return pick(random, kIntegers);
    }
}

/// Places most lanes within half a texel of a corner and some beyond it.
void fill_corners(Random& random, MessageCase& test, uint32_t size) {
    const uint32_t face = random.below(6);
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        const auto near_end = [&] {
            const float from_end =
                uniform(random, random.one_in(8) ? -1 : 0, 0.6F) / static_cast<float>(size);
            return random.one_in(2) ? from_end : 1 - from_end;
        };
        const float s = near_end();
        const uint32_t own = random.one_in(4) ? random.below(6) : face;
        test.inputs[0].v[lane] = own << 29 | (as_bits(s < 0 ? 0.0F : s) & 0x1FFFFFFF);
        test.inputs[1].v[lane] = as_bits(random.one_in(6) ? uniform(random, 0, 1) : near_end());
    }
}

void check_corner(uint64_t seed, const CornerCase& corner) {
    constexpr uint32_t kSizes[] = {1, 2, 3, 4, 16};
    Random random(seed);
    exec::SamplerDescriptor state = random_sampler(random, kAllWraps);
    state.modes.seamless_cube = true;
    state.modes.normalized = true;
    state.modes.compare_enable = corner.shadow;
    state.modes.compare = static_cast<exec::CompareFunc>(random.below(8));
    const uint32_t size = pick(random, kSizes);
    std::vector<Size> sizes;
    for (uint32_t s = size; s != 0; s /= 2)
        sizes.push_back({s, s, 6});
    SampleCase sample(random, TextureKind::Cube, format_of(corner, random), sizes, state);
    fill_corners(random, sample.test, size);
    if (corner.shadow)
        fill_depths(sample.texture.descriptor, random, sample.test, 2);
    sample.test.body = std::string(corner.message) + ".wait0 @r8:r9:r10:r11, " +
                       run_of(0, corner.shadow ? 3 : 2) + ", u0\n";
    check(sample);
    sample.test.lanes = 0xFFFF;
    CHECK_MESSAGE(!calls_routine(sample.test), sample.test.body);
}

}  // namespace

TEST_CASE("footprints around the corners of cubes") {
    for (unsigned i = 0; i < rounds(600); ++i) {
        CAPTURE(i);
        check_corner(0xC0123000 + i, kCases[i % std::size(kCases)]);
    }
}

TEST_CASE("gathers of NaNs beside corners keep their bits, as if no lane had a corner") {
    check_corner(0xC0123771, kCases[3]);  // of three-component floats, some of them NaN
}

}  // namespace valkyr::test
