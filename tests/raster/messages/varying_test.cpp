// Varying test: checks LD_VAR_BUF and LD_VAR_SPECIAL (positions, perspective, flat, half).
// SPDX-License-Identifier: MIT
#include "raster/messages/interpolate.hpp"
#include "tests/raster/messages/fixture.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <random>

using namespace valkyr;
using namespace valkyr::test;
using exec::SampleMode;

namespace {

exec::VaryingMessage message(uint32_t offset, unsigned components) {
    exec::VaryingMessage m{};
    m.offset = offset;
    m.sample = SampleMode::Center;
    m.components = static_cast<uint8_t>(components);
    return m;
}

std::array<Lanes, 4> load(FragmentFixture& f,
                          const exec::VaryingMessage& m,
                          const Lanes& position = {},
                          const Lanes& coverage = {}) {
    std::array<Lanes, 4> out{};
    f.draw.environment->varying(f.warp, m, coverage, position, out.data());
    return out;
}

struct Vertex {
    float x, y, q, value;
};

/// Planes by docs/rules/raster-rules.md, in its order of operations. The tests check that the
/// routine gives the vertices' values back.
struct Triangle {
    std::array<Vertex, 3> v;  ///< v[0] is the anchor
    bool perspective;

    void set_up(FragmentFixture& f, unsigned slot, unsigned component) const {
        const Vertex& a = v[0];
        const float e1x = v[1].x - a.x, e1y = v[1].y - a.y;
        const float e2x = v[2].x - a.x, e2y = v[2].y - a.y;
        const auto area =
            static_cast<float>(static_cast<double>(e1x) * e2y - static_cast<double>(e1y) * e2x);
        const float r = 1.0F / area;
        const auto gradient = [&](float d1, float d2, float& cx, float& cy) {
            cx = std::fma(d1, e2y, -(d2 * e1y)) * r;
            cy = std::fma(d2, e1x, -(d1 * e2x)) * r;
        };
        f.primitive.anchor_x = a.x;
        f.primitive.anchor_y = a.y;
        f.primitive.q.a = a.q;
        gradient(v[1].q - a.q, v[2].q - a.q, f.primitive.q.cx, f.primitive.q.cy);
        float d1 = v[1].value - a.value;
        float d2 = v[2].value - a.value;
        if (perspective) {
            d1 *= v[1].q;
            d2 *= v[2].q;
        }
        f.slots[slot].a[component] = a.value;
        gradient(d1, d2, f.slots[slot].cx[component], f.slots[slot].cy[component]);
    }
};

/// The varying at offset (x, y) from the corner of lane 0's pixel.
float at_point(FragmentFixture& f, float x, float y) {
    exec::VaryingMessage m = message(0, 1);
    m.sample = SampleMode::Explicit;
    const auto fixed = [](float value) {
        return static_cast<uint32_t>(static_cast<int32_t>(value * 256)) & 0xFFFF;
    };
    return as_float(load(f, m, splat(fixed(x) | fixed(y) << 16))[0].v[0]);
}

}  // namespace

TEST_CASE("an affine triangle gives the vertex values back exactly") {
    // A right triangle whose legs are powers of two, so that every operation of the rule is exact.
    FragmentFixture f;
    f.key.constant_w = true;
    const Triangle t{{{{8, 4, 1, 0.25F}, {40, 4, 1, 0.75F}, {8, 20, 1, -1.5F}}}, false};
    t.set_up(f, 0, 0);
    for (const Vertex& v : t.v)
        CHECK(at_point(f, v.x, v.y) == v.value);
    CHECK(at_point(f, 24, 4) == 0.5F);
    CHECK(at_point(f, 24, 12) == (0.75F - 1.5F) / 2);
}

TEST_CASE("a perspective triangle gives the vertex values back, the anchor's exactly") {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> q(0.25F, 2.0F);
    std::uniform_real_distribution<float> value(-8, 8);
    for (unsigned i = 0; i < 500; ++i) {
        FragmentFixture f;
        const Triangle t{{{{2, 2, 0.2F, value(random)},
                           {62, 6, q(random), value(random)},
                           {10, 50, q(random), value(random)}}},
                         true};
        t.set_up(f, 0, 0);
        CHECK(at_point(f, t.v[0].x, t.v[0].y) == t.v[0].value);
        CHECK(std::fabs(at_point(f, t.v[1].x, t.v[1].y) - t.v[1].value) < 2e-5F);
        CHECK(std::fabs(at_point(f, t.v[2].x, t.v[2].y) - t.v[2].value) < 2e-5F);
    }
}

TEST_CASE("a varying that is equal at the three vertices is reproduced exactly everywhere") {
    FragmentFixture f(1, 3, 2);
    const Triangle t{{{{2, 2, 0.3F, 0.1F}, {61, 7, 0.9F, 0.1F}, {9, 55, 1.7F, 0.1F}}}, true};
    t.set_up(f, 0, 0);
    const Lanes out = load(f, message(0, 1))[0];
    for (unsigned lane = 0; lane < 16; ++lane)
        CHECK(as_float(out.v[lane]) == 0.1F);
}

TEST_CASE("each lane is evaluated in the centre of its own pixel") {
    FragmentFixture f(1, 5, 7);
    f.key.linear_slots = 1;
    f.slots[0].cx[0] = 1;  // component 0 is x, component 1 is y
    f.slots[0].cy[1] = 1;
    const auto out = load(f, message(0, 2));
    for (unsigned lane = 0; lane < 16; ++lane) {
        CHECK(as_float(out[0].v[lane]) == 20.5F + static_cast<float>(exec::lane_x(lane)));
        CHECK(as_float(out[1].v[lane]) == 28.5F + static_cast<float>(exec::lane_y(lane)));
    }
}

TEST_CASE("sample modes: a sample by its number, the centroid, and explicit offsets") {
    FragmentFixture f(4);
    f.key.linear_slots = 1;
    f.slots[0].cx[0] = 16;  // in sixteenths of a pixel, the unit of sample positions
    f.slots[0].cy[1] = 16;
    exec::VaryingMessage m = message(0, 2);
    const auto xy = [&](const Lanes& position, const Lanes& coverage) {
        const auto out = load(f, m, position, coverage);
        return std::pair(as_float(out[0].v[0]), as_float(out[1].v[0]));
    };
    using Pair = std::pair<float, float>;
    m.sample = SampleMode::Sample;
    CHECK(xy(splat(0U << 16 | 0xF), {}) == Pair{6, 2});
    CHECK(xy(splat(1U << 16 | 0xF), {}) == Pair{14, 6});
    CHECK(xy(splat(2U << 16 | 0xF), {}) == Pair{2, 10});
    CHECK(xy(splat(3U << 16 | 0xF), {}) == Pair{10, 14});
    m.sample = SampleMode::Centroid;
    CHECK(xy({}, splat(0xFU)) == Pair{8, 8});
    CHECK(xy({}, splat(0x0U)) == Pair{8, 8});
    CHECK(xy({}, splat(0xCU)) == Pair{2, 10});
    CHECK(xy({}, splat(0x8U)) == Pair{10, 14});
    m.sample = SampleMode::Explicit;
    CHECK(xy(splat(0x0080'0040U), {}) == Pair{4, 8});
    CHECK(xy(splat(0xFF80'0000U), {}) == Pair{0, -8});
}

TEST_CASE("perspective divides by the interpolated q, linear slots do not") {
    FragmentFixture f;
    f.primitive.q = {.a = 0.5F, .cx = 0, .cy = 0, .pad = 0};
    f.slots[0].a[0] = 1;
    f.slots[0].cx[0] = 1;
    f.slots[1] = f.slots[0];
    f.key.linear_slots = 2;
    CHECK(as_float(load(f, message(0, 1))[0].v[0]) == 2.0F);  // 1 + 0.5 / 0.5
    CHECK(as_float(load(f, message(16, 1))[0].v[0]) == 1.5F);
    f.key.constant_w = true;
    CHECK(as_float(load(f, message(0, 1))[0].v[0]) == 1.5F);
}

TEST_CASE("flat varyings are bits; halves pack two by two") {
    FragmentFixture f;
    f.key.linear_slots = 1;
    f.slots[0].a[0] = as_float(0x7FA12345);  // a signalling NaN would change in arithmetic
    f.slots[0].a[1] = 65519.0F;
    f.slots[0].a[2] = -1.0F;
    exec::VaryingMessage m = message(0, 1);
    m.flat = true;
    CHECK(load(f, m)[0].v[3] == 0x7FA12345);
    m = message(4, 2);
    m.half = true;
    CHECK(load(f, m)[0].v[9] == 0xBC007BFF);
    m = message(2, 1);
    m.flat = m.half = m.source_half = true;
    CHECK(load(f, m)[0].v[0] == 0x7FA1);
}

TEST_CASE("slots of halves have eight numbers; others read as 0 by a message of halves") {
    FragmentFixture f;
    f.key.linear_slots = 3;
    f.info.varyings[0].half = true;
    for (size_t i = 0; i < 4; ++i) {
        f.slots[0].a[i] = static_cast<float>(i);
        f.slots[exec::kMaxVaryingSlots].a[i] = static_cast<float>(4 + i);
        f.slots[exec::kMaxVaryingSlots].cx[i] = 2;
        f.slots[1].a[i] = 77;
    }
    exec::VaryingMessage m = message(6, 4);
    m.source_half = true;
    auto out = load(f, m);
    for (size_t i = 0; i < 4; ++i)  // number 3, then 4 to 6 with their gradient
        CHECK(as_float(out[i].v[0]) == static_cast<float>(3 + i) + (i == 0 ? 0.0F : 1.0F));
    m.half = true;
    out = load(f, m);
    CHECK(out[0].v[0] == 0x45004200);  // 5, 3
    CHECK(out[1].v[1] == 0x48804800);  // 8, 9: one pixel to the right
    m.offset = 16;
    CHECK(load(f, m)[0].v[0] == 0);
}

TEST_CASE("components run on into the next slot; unwritten and missing slots are 0") {
    FragmentFixture f;
    f.key.constant_w = true;
    f.slots[0].a[3] = 3;
    f.slots[1].a[0] = 4;
    auto out = load(f, message(12, 2));
    CHECK(as_float(out[0].v[0]) == 3);
    CHECK(as_float(out[1].v[0]) == 4);
    f.info.varyings[1].written = false;
    CHECK(load(f, message(12, 2))[1].v[0] == 0);
    f.info.varying_slot_count = 1;
    CHECK(load(f, message(16, 1))[0].v[0] == 0);
    CHECK(load(f, message(0xFFFFFFF0, 4))[0].v[0] == 0);
}

TEST_CASE("only running lanes are written") {
    FragmentFixture f;
    f.slots[0].a[0] = 5;
    f.key.constant_w = true;
    f.warp.running = 0x0101;
    std::array<Lanes, 4> out{splat(77U)};
    f.draw.environment->varying(f.warp, message(0, 1), {}, {}, out.data());
    for (unsigned lane = 0; lane < 16; ++lane)
        CHECK(out[0].v[lane] == (lane % 8 == 0 ? as_bits(5.0F) : 77));
}

TEST_CASE("specials: point coordinate, fragment w and z") {
    FragmentFixture f;
    f.primitive.point_s = {.a = 0.25F, .cx = 1, .cy = 0, .pad = 0};
    f.primitive.point_t = {.a = 0.5F, .cx = 0, .cy = -1, .pad = 0};
    f.primitive.q = {.a = 2, .cx = 0, .cy = 0, .pad = 0};
    f.primitive.z = {.a = 0.125F, .cx = 0, .cy = 2, .pad = 0};
    const auto special = [&](uint32_t index) {
        std::array<Lanes, 2> out{};
        f.draw.environment->varying_special(f.warp, index, SampleMode::Center, {}, out.data());
        return out;
    };
    CHECK(as_float(special(0)[0].v[1]) == 1.75F);
    CHECK(as_float(special(0)[1].v[2]) == -1.0F);
    CHECK(as_float(special(2)[0].v[15]) == 2.0F);
    CHECK(as_float(special(3)[0].v[2]) == 3.125F);
    CHECK(special(1)[0].v[0] == 0);
}

TEST_CASE("specials take samples and centroids from r61") {
    FragmentFixture f(4);
    f.primitive.q = {.a = 0, .cx = 16, .cy = 0, .pad = 0};
    const auto q = [&](SampleMode mode, uint32_t r61) {
        std::array<Lanes, 2> out{};
        f.draw.environment->varying_special(f.warp, 2, mode, splat(r61), out.data());
        return as_float(out[0].v[0]);
    };
    CHECK(q(SampleMode::Center, 0x3000C) == 8);
    CHECK(q(SampleMode::Sample, 0x3000C) == 10);
    CHECK(q(SampleMode::Centroid, 0x3000C) == 2);
    CHECK(q(SampleMode::Centroid, 0x3000F) == 8);
}

TEST_CASE("sample positions are the standard patterns, one sample is the centre") {
    CHECK(raster::sample_positions(1)[0] == raster::SamplePosition{8, 8});
    for (const unsigned samples : {2U, 4U, 8U, 16U}) {
        const auto positions = raster::sample_positions(samples);
        REQUIRE(positions.size() == samples);
        // Every sample has its own row and its own column, also with 2 and 16 samples.
        uint32_t rows = 0;
        uint32_t columns = 0;
        for (const raster::SamplePosition p : positions) {
            rows |= 1U << p.y;
            columns |= 1U << p.x;
        }
        CHECK(std::popcount(rows) == static_cast<int>(samples));
        CHECK(std::popcount(columns) == static_cast<int>(samples));
    }
}
