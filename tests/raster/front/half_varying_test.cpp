// Half varying test: checks interpolation of varyings that vertex programs store as binary16.
// SPDX-License-Identifier: MIT
#include "raster/formats/small_float.hpp"
#include "raster/messages/environment.hpp"
#include "tests/raster/native_scene.hpp"

#include <bit>
#include <cmath>
#include <doctest/doctest.h>

namespace valkyr::raster::test {
namespace {

using Halves = std::array<uint16_t, 8>;

float value_of(uint16_t half) {
    return std::bit_cast<float>(decode_small_float(kFloat16, half));
}
uint16_t half_of(float value) {
    return static_cast<uint16_t>(encode_small_float(kFloat16, std::bit_cast<uint32_t>(value)));
}

/// Number i of vertex v.
float number(size_t v, size_t i) {
    constexpr std::array<float, 3> kBase{1, 5, -3};
    return kBase[v] + static_cast<float>(i) / 4;
}

struct HalfVertex {
    Position position;
    Halves halves;
};

std::array<HalfVertex, 3> with_numbers(const std::array<Position, 3>& positions) {
    std::array<HalfVertex, 3> vertices{};
    for (size_t v = 0; v < 3; ++v) {
        vertices[v].position = positions[v];
        for (size_t i = 0; i < 8; ++i)
            vertices[v].halves[i] = half_of(number(v, i));
    }
    return vertices;
}

exec::ProgramInfo info_of(exec::Stage stage, exec::Interpolation interpolation) {
    exec::ProgramInfo info;
    info.stage = stage;
    info.varying_slot_count = 2;
    info.varyings[0].half = true;
    info.varyings[0].interpolation = interpolation;
    info.varyings[1].interpolation = interpolation;
    return info;
}

StageRef vertex_stage(const std::array<HalfVertex, 3>& vertices,
                      exec::Interpolation interpolation) {
    return std::make_shared<NativeVertexStage>(
        info_of(exec::Stage::Vertex, interpolation), 0, [vertices](exec::VertexCall& call) {
            constexpr std::array<float, 4> kPlain{0.5F, 0.5F, 0.5F, 0.5F};
            for (uint32_t i = 0; i < call.count; ++i) {
                const HalfVertex& v = vertices.at(call.vertex_ids[i] % 3);
                uint8_t* record = call.records + size_t{i} * call.record_stride;
                std::memcpy(record, v.position.data(), 16);
                std::memcpy(record + exec::kRecordVaryings, v.halves.data(), 16);
                std::memcpy(record + exec::kRecordVaryings + 16, kPlain.data(), 16);
            }
        });
}

/// The result of LD_VAR_BUF of numbers `first` and `first` + 1 in every pixel, as two binary16
/// numbers.
struct Numbers {
    std::vector<uint32_t> pixels;
    [[nodiscard]] float low(size_t x, size_t y) const {
        return value_of(static_cast<uint16_t>(pixels[y * 32 + x]));
    }
    [[nodiscard]] float high(size_t x, size_t y) const {
        return value_of(static_cast<uint16_t>(pixels[y * 32 + x] >> 16));
    }
};

Numbers draw(const std::array<HalfVertex, 3>& vertices,
             unsigned first,
             exec::Interpolation interpolation = exec::Interpolation::Perspective,
             bool flat = false) {
    Scene scene(32, 32);
    const auto shade = [=](exec::FragmentCall& call) {
        for (uint32_t b = 0; b < call.block_count; ++b) {
            exec::Warp warp;
            warp.draw = call.draw;
            warp.fragment = &call;
            warp.block = call.blocks[b].block;
            warp.x = call.tile_x + call.blocks[b].block % 16 * 4;
            warp.y = call.tile_y + call.blocks[b].block / 16 * 4;
            warp.running = warp.live = call.blocks[b].mask;
            exec::VaryingMessage message{};
            message.offset = 2 * first;
            message.components = 2;
            message.half = message.source_half = true;
            message.flat = flat;
            exec::Lanes out[4];
            call.draw->environment->varying(warp, message, {}, {}, out);
            for (uint32_t lane = 0; lane < 16; ++lane)
                if ((warp.running >> lane & 1) != 0)
                    std::memcpy(call.color[0] + (size_t{warp.block} * 16 + lane) * 4,
                                &out[0].v[lane], 4);
        }
    };
    scene.pipeline({}, vertex_stage(vertices, interpolation),
                   std::make_shared<NativeFragmentStage>(
                       info_of(exec::Stage::Fragment, interpolation), 0, shade));
    scene.clear(0);
    scene.draw(3);
    return {scene.read()};
}

/// A right triangle at (0, 0) with legs of 32 pixels, so that values are exact.
std::array<Position, 3> right_triangle() {
    return {{{0, 0, 0, 1}, {clip_of(32), 0, 0, 1}, {0, clip_of(32), 0, 1}}};
}

}  // namespace

TEST_CASE("eight numbers of 16 bits are interpolated and rounded once to 16 bits") {
    const auto vertices = with_numbers(right_triangle());
    for (const unsigned first : {0U, 2U, 3U, 6U}) {
        const Numbers numbers = draw(vertices, first);
        for (size_t y = 0; y < 32; ++y)
            for (size_t x = 0; x + y < 31; ++x) {
                // The value is 1 at the corner; it grows by 4/32 per pixel in x and falls by 4/32
                // in y.
                const double at = (static_cast<double>(x) - static_cast<double>(y)) / 8;
                CHECK(numbers.low(x, y) == static_cast<float>(1 + at + first / 4.0));
                CHECK(numbers.high(x, y) == static_cast<float>(1 + at + (first + 1) / 4.0));
            }
    }
}

TEST_CASE("halves of a triangle that is clipped are those of the whole one") {
    // Half of each edge to the third vertex lies in front of the near plane.
    auto positions = right_triangle();
    positions[0][2] = positions[1][2] = 1;
    positions[2] = {0, clip_of(8), -1, 0.25F};
    const auto vertices = with_numbers(positions);
    const Numbers numbers = draw(vertices, 4);
    size_t seen = 0;
    for (size_t y = 0; y < 32; ++y)
        for (size_t x = 0; x < 32; ++x) {
            if (numbers.pixels[y * 32 + x] == 0)
                continue;
            ++seen;
            // The weights b, c of vertices 1 and 2 follow from window x = 32 b / w, y = 8 c / w, w
            // = 1 - 0.75 c.
            const double c =
                (static_cast<double>(y) + 0.5) / (8 + 0.75 * (static_cast<double>(y) + 0.5));
            const double b = (static_cast<double>(x) + 0.5) * (1 - 0.75 * c) / 32;
            const double expected = 2 + 4 * b - 4 * c;
            CHECK(std::fabs(static_cast<double>(numbers.low(x, y)) - expected) < 0.002);
        }
    CHECK(seen > 100);
}

TEST_CASE("flat halves are bits, NaN included") {
    auto vertices = with_numbers(right_triangle());
    vertices[2].halves[5] = 0x7D01;  // a signalling NaN
    vertices[2].halves[6] = 0x0001;
    const Numbers numbers = draw(vertices, 5, exec::Interpolation::Flat, true);
    CHECK(numbers.pixels[0] == 0x00017D01);
    CHECK(numbers.pixels[32 * 8 + 8] == 0x00017D01);
}

}  // namespace valkyr::raster::test
