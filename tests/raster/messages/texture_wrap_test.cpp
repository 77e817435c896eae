// Texture wrap test: compares wrap modes with exact arithmetic on rational coordinates.
// SPDX-License-Identifier: MIT
#include "raster/messages/texture_wrap.hpp"
#include "tests/raster/messages/exact_axis.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;
using exec::Wrap;
using raster::Axis;

namespace {

constexpr std::array<int64_t, 9> kSizes{1, 2, 3, 5, 8, 13, 64, 100, 1000};

Taps routine_taps(float u, const Axis& axis) {
    const raster::LinearTexels t = raster::linear_texels(u, axis);
    const auto key = [](int64_t i) { return i == raster::kBorderTexel ? kBorder : i; };
    Taps taps;
    taps[key(t.first)] += 256 - t.weight;
    if (t.weight != 0)
        taps[key(t.second)] += t.weight;
    return taps;
}

float grid(int64_t num) {
    return static_cast<float>(num) / kGrid;
}

Axis axis_of(Wrap wrap, int64_t size, int offset = 0) {
    return {
        .wrap = wrap, .size = static_cast<uint32_t>(size), .normalized = true, .offset = offset};
}

}  // namespace

TEST_CASE("linear: all wrap modes select the texels and weights of exact arithmetic") {
    for (unsigned mode = 0; mode < 8; ++mode)
        for (const int64_t size : kSizes) {
            const auto wrap = static_cast<Wrap>(mode);
            unsigned wrong = 0;
            for (int64_t num = -3 * kGrid; num <= 3 * kGrid; num += 7)
                wrong +=
                    routine_taps(grid(num), axis_of(wrap, size)) != linear_taps({num, size}, wrap);
            // Texel centres and edges, where weights and wrapping change.
            for (int64_t num = -2 * kGrid; num <= 2 * kGrid; num += kGrid / 8)
                wrong +=
                    routine_taps(grid(num), axis_of(wrap, size)) != linear_taps({num, size}, wrap);
            CHECK_MESSAGE(wrong == 0, "mode " << mode << " size " << size);
        }
}

TEST_CASE("linear: texel offsets move the footprint before it wraps") {
    for (unsigned mode = 0; mode < 8; ++mode)
        for (const int64_t size : {1, 2, 8, 64}) {
            const auto wrap = static_cast<Wrap>(mode);
            if (is_gl_clamp(wrap))
                continue;
            unsigned wrong = 0;
            for (int64_t num = -2 * kGrid; num <= 2 * kGrid; num += 64)
                for (int offset = -8; offset <= 7; ++offset)
                    wrong += routine_taps(grid(num), axis_of(wrap, size, offset)) !=
                             linear_taps({num, size}, wrap, offset);
            CHECK_MESSAGE(wrong == 0, "mode " << mode << " size " << size);
        }
}

TEST_CASE("linear: a 1:1 mapping hits texels exactly, even with rounded coordinates") {
    for (uint32_t size = 1; size <= 2000; size += 3)
        for (uint32_t i = 0; i < size; i += 1 + size / 50) {
            const float u = (static_cast<float>(i) + 0.5F) / static_cast<float>(size);
            const raster::LinearTexels t = raster::linear_texels(u, axis_of(Wrap::Repeat, size));
            REQUIRE(t.first == i);
            REQUIRE(t.weight == 0);
        }
}

TEST_CASE("nearest: the texel that holds the coordinate, wrapped") {
    const auto expected = [](int64_t num, Wrap wrap, int64_t size) {
        // u is mirrored before the floor, so that an edge belongs to the texel on the side away
        // from the texture's origin.
        int64_t folded = num;
        if (wrap == Wrap::MirrorRepeat) {
            folded = modulo(num, 2 * kGrid);
            folded = std::min(folded, 2 * kGrid - folded);
        } else if (wrap == Wrap::MirrorClamp || wrap == Wrap::MirrorClampToEdge ||
                   wrap == Wrap::MirrorClampToBorder) {
            folded = std::abs(num);
        }
        const int64_t texel = floor_div(folded * size, kGrid);
        switch (wrap) {
        case Wrap::Repeat: return modulo(texel, size);
        case Wrap::ClampToBorder:
        case Wrap::MirrorClampToBorder: return texel < 0 || texel >= size ? kBorder : texel;
        default: return std::clamp<int64_t>(texel, 0, size - 1);
        }
    };
    for (unsigned mode = 0; mode < 8; ++mode)
        for (const int64_t size : kSizes) {
            const auto wrap = static_cast<Wrap>(mode);
            unsigned wrong = 0;
            for (int64_t num = -3 * kGrid; num <= 3 * kGrid; num += 8) {
                int64_t got = raster::nearest_texel(grid(num), axis_of(wrap, size));
                if (got == raster::kBorderTexel)
                    got = kBorder;
                wrong += got != expected(num, wrap, size);
            }
            CHECK_MESSAGE(wrong == 0, "mode " << mode << " size " << size);
        }
}

TEST_CASE("coordinates that count texels: scale 1, and repeating modes clamp to the edge") {
    Axis axis = axis_of(Wrap::ClampToEdge, 10);
    axis.normalized = false;
    CHECK(routine_taps(3.5F, axis) == Taps{{3, 256}});
    CHECK(routine_taps(3.75F, axis) == Taps{{3, 192}, {4, 64}});
    CHECK(raster::nearest_texel(9.99F, axis) == 9);
    for (const Wrap wrap : {Wrap::Repeat, Wrap::MirrorRepeat}) {
        axis.wrap = wrap;
        CHECK(routine_taps(12.0F, axis) == Taps{{9, 256}});
        CHECK(raster::nearest_texel(-5.0F, axis) == 0);
    }
    axis.wrap = Wrap::ClampToBorder;
    CHECK(routine_taps(10.0F, axis) == Taps{{9, 128}, {kBorder, 128}});
}

TEST_CASE("NaN and infinities select some texel of the axis or the border") {
    for (unsigned mode = 0; mode < 8; ++mode)
        for (const float u : {std::nanf(""), INFINITY, -INFINITY, 3e38F, -3e38F, 1e-45F, -1e-45F}) {
            const Axis axis = axis_of(static_cast<Wrap>(mode), 7);
            const raster::LinearTexels t = raster::linear_texels(u, axis);
            for (const int64_t i : {t.first, t.second, raster::nearest_texel(u, axis)}) {
                CHECK(i >= raster::kBorderTexel);
                CHECK(i < 7);
            }
        }
    CHECK(raster::linear_texels(std::nanf(""), axis_of(Wrap::Repeat, 7)).first == 0);
    CHECK(raster::nearest_texel(std::nanf(""), axis_of(Wrap::ClampToBorder, 7)) == 0);
}
