// Inline window test: footprints within few tiles and across their edges agree on all engines.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/jit/expand/texture/texture_case.hpp"
#include "tests/jit/harness.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

namespace valkyr::test {
namespace {

using exec::Format;
using exec::TextureKind;

constexpr Format kWordFormats[] = {
    Format::R8G8B8A8_UNORM,     Format::B8G8R8X8_UNORM,    Format::R8G8B8A8_SRGB,
    Format::R8G8B8A8_SNORM,     Format::R11G11B10_FLOAT,   Format::R9G9B9E5_FLOAT,
    Format::R32_FLOAT,          Format::R10G10B10A2_UNORM, Format::D24_UNORM_S8_UINT,
    Format::R16G16_FLOAT,       Format::R8_UNORM,          Format::R8G8_UNORM,
    Format::R16G16B16A16_FLOAT, Format::R8G8B8A8_UINT};

struct Place {
    double x, y;
};

/// The texel coordinates of lane (0, 0): on or between centres, often at an edge.
Place random_origin(Random& random, const Size& size) {
    const bool exact = random.one_in(2);
    const auto axis = [&](uint32_t texels) {
        const double whole = random.one_in(3)   ? static_cast<double>(random.below(9)) - 4
                             : random.one_in(2) ? texels - static_cast<double>(random.below(9))
                                                : static_cast<double>(random.below(texels));
        return whole + (exact ? 0.5 : static_cast<double>(uniform(random, 0, 1)));
    };
    return {axis(size.width), axis(size.height)};
}

/// Coordinates of a texture at about its own size, rotated or mirrored; sometimes a lane lies
/// elsewhere.
void fill_near(MessageCase& test, Random& random, const Size& size, bool texels) {
    constexpr double scales[] = {1, 1, 1, 0.5, 0.25, 0.9, 1.3, 0.01, 2};
    const double scale = pick(random, scales) * (random.one_in(4) ? -1 : 1);
    const double angle = random.one_in(2) ? 0 : static_cast<double>(uniform(random, 0, 6.3F));
    const Place origin = random_origin(random, size);
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        const double x = exec::lane_x(lane);
        const double y = exec::lane_y(lane);
        const double u = origin.x + scale * (std::cos(angle) * x - std::sin(angle) * y);
        const double v = origin.y + scale * (std::sin(angle) * x + std::cos(angle) * y);
        test.inputs[0].v[lane] = as_bits(static_cast<float>(texels ? u : u / size.width));
        test.inputs[1].v[lane] = as_bits(static_cast<float>(texels ? v : v / size.height));
    }
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float specials[] = {infinity, -infinity, 1e10F,
                                  std::numeric_limits<float>::quiet_NaN(), -0.75F};
    if (random.one_in(6))
        test.inputs[random.below(2)].v[random.below(exec::kLanes)] =
            as_bits(pick(random, specials));
}

struct Shape {
    TextureKind kind;
    const char* dimension;
    unsigned coordinates;
    unsigned slices;
    bool array;
};
constexpr Shape kShapes[] = {{TextureKind::Tex2D, "2d", 2, 1, false},
                             {TextureKind::Tex2D, "2d", 2, 1, false},
                             {TextureKind::Tex2DArray, "2d.array_enable", 2, 4, true},
                             {TextureKind::Rect, "2d", 2, 1, false},
                             {TextureKind::Tex3D, "3d", 3, 5, false}};

void check_near(uint64_t seed, Format format, const std::vector<exec::Wrap>& wraps) {
    Random random(seed);
    const Shape shape = pick(random, kShapes);
    exec::SamplerDescriptor state = random_sampler(random, wraps);
    if (random.one_in(2)) {
        state.modes.mip_filter = exec::MipFilter::None;
        state.modes.min_filter = state.modes.mag_filter = exec::Filter::Linear;
    }
    if (random.one_in(8) && shape.coordinates == 2)
        state.modes.max_anisotropy = 4;
    state.modes.compare_enable = random.one_in(2);
    state.modes.compare = static_cast<exec::CompareFunc>(random.below(8));
    const std::vector<Size> sizes = mip_sizes(random, shape.kind, shape.slices);
    SampleCase sample(random, shape.kind, format, sizes, state);
    const bool shadow = exec::format_info(format).layout == exec::FormatLayout::DepthStencil &&
                        shape.coordinates == 2 && !shape.array;
    const unsigned operands = shape.coordinates + (shadow || shape.array ? 1 : 0);
    bool lod = false;
    do
        sample.test.body =
            sample_text(random, (std::string(shape.dimension) + (shadow ? ".shadow" : "")).c_str(),
                        operands, lod);
    while (lod && operands == kMessageInputs);
    const bool texels = shape.kind == TextureKind::Rect || !state.modes.normalized;
    fill_coordinates(sample.test, random, 3, texels ? 4.0F : 1.0F);
    const exec::TextureDescriptor& view = sample.texture.descriptor;
    fill_near(sample.test, random, sizes[view.first_level], texels);
    if (shape.array) {
        const uint32_t layer = as_bits(static_cast<float>(random.below(4)));
        fill_layers(random, sample.test.inputs[2]);
        if (random.one_in(2))
            for (uint32_t& word : sample.test.inputs[2].v)
                word = layer;
    }
    if (shadow)
        fill_depths(sample.texture.descriptor, random, sample.test, 2);
    if (lod)
        fill_lod(sample.test, random, operands);
    check(sample);
}

/// A load in a branch that the corners of the block do not take: they lie before the level in some
/// axes, the other lanes in its first texels.
void check_corners_before(uint64_t seed, Format format) {
    Random random(seed);
    exec::SamplerDescriptor state = random_sampler(random, kSimpleWraps);
    state.modes.normalized = true;
    state.modes.mip_filter = exec::MipFilter::None;
    state.modes.min_filter = state.modes.mag_filter = exec::Filter::Linear;
    const Size size{8 + random.below(40), 8 + random.below(40), 1};
    SampleCase sample(random, TextureKind::Tex2D, format, {size}, state);
    sample.test.body = "ICMP.u32.eq.m1 r3, r2, 0x0, 0x0\n"
                       "BRANCHZ.eq.reconverge r3.h0, offset:out\n"
                       "TEX_SINGLE.slot0.f.32.2d.zero.wait0 @r8:r9:r10:r11, @r0:r1, u0\n"
                       "out: NOP.reconverge\n";
    const uint32_t axes = 1 + random.below(3);
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        const bool corner = lane % 5 == 0;
        const auto texel = [&](unsigned axis, uint32_t texels) {
            const double place = corner && (axes >> axis & 1) != 0 ? -2.75 : 0.75 + lane % 3;
            return as_bits(static_cast<float>(place / texels));
        };
        sample.test.inputs[0].v[lane] = texel(0, size.width);
        sample.test.inputs[1].v[lane] = texel(1, size.height);
        sample.test.inputs[2].v[lane] = corner ? 1 : 0;
    }
    check(sample);
}

}  // namespace

TEST_CASE("corners that do not run choose no window before the level") {
    for (unsigned i = 0; i < rounds(60); ++i)
        check_corners_before(0x3EA40000 + i, kWordFormats[i % std::size(kWordFormats)]);
}

TEST_CASE("pictures at about their own size") {
    for (unsigned i = 0; i < rounds(600); ++i)
        check_near(0x3EA20000 + i, kWordFormats[i % std::size(kWordFormats)], kSimpleWraps);
}

TEST_CASE("pictures at about their own size, any wrap mode") {
    for (unsigned i = 0; i < rounds(300); ++i)
        check_near(0x3EA30000 + i, kWordFormats[i % std::size(kWordFormats)], kAllWraps);
}

}  // namespace valkyr::test
