// Texture LOD test: checks accuracy, exact values, clamps, levels and probes of the LOD rule.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "raster/messages/texture_lod.hpp"

#include <cmath>
#include <doctest/doctest.h>

using namespace valkyr;
using raster::fixed_lod;
using raster::half_log2;

namespace {

raster::WarpCoordinates planar(float dudx, float dvdx, float dudy, float dvdy) {
    raster::WarpCoordinates at{};
    at.count = 2;
    at.running = 0xFFFF;
    for (unsigned lane = 0; lane < 16; ++lane) {
        const auto x = static_cast<float>(exec::lane_x(lane));
        const auto y = static_cast<float>(exec::lane_y(lane));
        at.c[0].v[lane] = as_bits(dudx * x + dudy * y);
        at.c[1].v[lane] = as_bits(dvdx * x + dvdy * y);
    }
    return at;
}

constexpr std::array<float, 3> kUnit{1, 1, 1};

}  // namespace

TEST_CASE("half_log2 is monotonic, exact at powers of two and within 0.0009 of log2") {
    float before = half_log2(1.0F);
    unsigned falling = 0;
    long double worst = 0;
    for (uint32_t mantissa = 1; mantissa < 1U << 23; mantissa += 3) {
        const float x = as_float(0x3F800000 + mantissa);
        const float now = half_log2(x);
        falling += now < before;
        before = now;
        if (mantissa % 64 == 1)
            worst = std::max(worst, std::fabs(2.0L * now - std::log2(static_cast<long double>(x))));
    }
    CHECK(falling == 0);
    CHECK(before <= half_log2(2.0F));
    CHECK(worst < 0.0009L);
    for (int e = -60; e <= 60; ++e)
        CHECK(half_log2(std::ldexp(1.0F, e)) == static_cast<float>(e) / 2);
}

TEST_CASE("the footprint is the larger of the two squared lengths in texels") {
    const auto at = planar(0.25F, 0, 0, 0.5F);
    for (unsigned lane = 0; lane < 16; ++lane) {
        const raster::Footprint f = raster::footprint_of(at, {16, 8, 1}, lane);
        CHECK(f.rho_squared_max == 16);
        CHECK(f.rho_squared_min == 16);
    }
    const raster::Footprint f = raster::footprint_of(planar(3, 4, 1, 0), kUnit, 0);
    CHECK(f.rho_squared_max == 25);
    CHECK(f.rho_squared_min == 1);
    CHECK(f.longer[0] == 3);
    CHECK(f.longer[1] == 4);
    CHECK(raster::footprint_of(planar(3, 4, 1, 0), kUnit, 1).longer[0] == -3);
}

TEST_CASE("lanes outside the running group, NaN and infinity give the limits") {
    auto at = planar(1, 0, 0, 2);
    at.running = 0b0001;
    CHECK(raster::footprint_of(at, kUnit, 0).rho_squared_max == 0x1p-60F);
    at.running = 0b0011;
    CHECK(raster::footprint_of(at, kUnit, 0).rho_squared_max == 1);
    at = planar(1, 0, 0, 2);
    at.c[0].v[2] = as_bits(std::nanf(""));  // the y neighbour of lane 0
    CHECK(raster::footprint_of(at, kUnit, 0).rho_squared_max == 1);
    at.c[0].v[2] = as_bits(INFINITY);
    CHECK(raster::footprint_of(at, kUnit, 0).rho_squared_max == 0x1p60F);
}

TEST_CASE("cubes: neighbours on another face do not count, the quad's largest does") {
    auto at = planar(1, 0, 0, 4);
    at.face.v[2] = at.face.v[3] = 1;
    for (unsigned lane = 0; lane < 4; ++lane) {
        CHECK(raster::footprint_of(at, kUnit, lane).rho_squared_max == 1);
        CHECK(raster::quad_rho_squared(at, kUnit, lane) == 1);
    }
    at.face.v[3] = 0;  // now only lanes 1 and 3 are vertical neighbours on one face
    for (unsigned lane = 0; lane < 4; ++lane)
        CHECK(raster::quad_rho_squared(at, kUnit, lane) == 16);
}

TEST_CASE("biases add up, then the range limits, then 1/256 steps") {
    exec::SamplerDescriptor sampler;
    sampler.lod_bias = 128;
    CHECK(fixed_lod(1.0F, 128, 0, sampler) == 384);
    CHECK(fixed_lod(-3.0F, 0, 0, sampler) == 0);  // min_lod is 0
    CHECK(fixed_lod(40.0F, 0, 0, sampler) == 0x1FFF);
    sampler.min_lod = 512;
    sampler.max_lod = 1024;
    CHECK(fixed_lod(1.0F, 0, 0, sampler) == 512);
    CHECK(fixed_lod(1.0F, 0, 700, sampler) == 700);
    CHECK(fixed_lod(1.0F, 0, 2000, sampler) == 1024);
    CHECK(fixed_lod(3.0F + 0x1p-10F, 0, 0, sampler) == 768);
    CHECK(fixed_lod(3.0F + 0x1p-9F, 0, 0, sampler) == 768);  // a tie goes to the even step
    CHECK(fixed_lod(3.0F + 3 * 0x1p-9F, 0, 0, sampler) == 770);
}

TEST_CASE("levels: magnification at 0, nearest at halves, linear weights, the last level") {
    using exec::MipFilter;
    const auto choose = [](int32_t lod, MipFilter mip) {
        return raster::choose_levels(lod, mip, 4);
    };
    CHECK(choose(0, MipFilter::Linear).magnify);
    CHECK(choose(-9, MipFilter::Linear).magnify);
    CHECK(!choose(1, MipFilter::Linear).magnify);
    CHECK(choose(700, MipFilter::None).level == 0);
    CHECK(!choose(700, MipFilter::None).magnify);
    CHECK(choose(128, MipFilter::Nearest).level == 0);
    CHECK(choose(129, MipFilter::Nearest).level == 1);
    CHECK(choose(384, MipFilter::Nearest).level == 1);
    CHECK(choose(385, MipFilter::Nearest).level == 2);
    CHECK(choose(5000, MipFilter::Nearest).level == 3);
    CHECK(choose(300, MipFilter::Linear).level == 1);
    CHECK(choose(300, MipFilter::Linear).second == 2);
    CHECK(choose(300, MipFilter::Linear).weight == 44);
    CHECK(choose(768, MipFilter::Linear).level == 3);
    CHECK(choose(767, MipFilter::Linear).weight == 255);
    CHECK(choose(5001, MipFilter::Linear).level == 3);
    CHECK(choose(5001, MipFilter::Linear).weight == 0);
}

TEST_CASE("probes: as many as the longer axis is longer, less a quarter, up to the limit") {
    const auto probes = [](float longer, unsigned limit) {
        return raster::probe_count({longer * longer, 1, {}}, limit);
    };
    CHECK(probes(1, 16) == 1);
    CHECK(probes(1.25F, 16) == 1);
    CHECK(probes(1.26F, 16) == 2);
    CHECK(probes(2, 16) == 2);
    CHECK(probes(7.25F, 16) == 7);
    CHECK(probes(7.5F, 16) == 8);
    CHECK(probes(100, 16) == 16);
    CHECK(probes(100, 4) == 4);
    CHECK(probes(3, 2) == 2);
}
