// Attribute test: checks addressing, defaults, register formats and bounds of LD_ATTR.
// SPDX-License-Identifier: MIT
#include "tests/raster/messages/fixture.hpp"

#include <cstring>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;
using exec::Format;
using exec::RegisterFormat;

namespace {

struct VertexFixture {
    exec::DrawContext draw;
    exec::Warp warp;
    std::vector<exec::AttributeDescriptor> attributes;
    Lanes vertex_id{};
    Lanes instance_id{};

    VertexFixture() {
        warp.draw = &draw;
        warp.running = 0xFFFF;
        for (unsigned lane = 0; lane < 16; ++lane)
            vertex_id.v[lane] = lane;
    }
    std::array<Lanes, 4>
    load(uint32_t index, unsigned components = 4, RegisterFormat format = RegisterFormat::Auto) {
        draw.tables.attributes = attributes.data();
        draw.tables.attribute_count = static_cast<uint32_t>(attributes.size());
        std::array<Lanes, 4> out{};
        raster::raster_environment().attribute(warp,
                                               {index, format, static_cast<uint8_t>(components)},
                                               vertex_id, instance_id, out.data());
        return out;
    }
};

template <typename T>
exec::AttributeDescriptor describe(const std::vector<T>& data, Format format, uint32_t stride) {
    exec::AttributeDescriptor attribute;
    attribute.address = reinterpret_cast<const uint8_t*>(data.data());
    attribute.size = data.size() * sizeof(T);
    attribute.stride = stride;
    attribute.format = format;
    return attribute;
}

std::array<float, 4> floats(const std::array<Lanes, 4>& out, unsigned lane) {
    return {as_float(out[0].v[lane]), as_float(out[1].v[lane]), as_float(out[2].v[lane]),
            as_float(out[3].v[lane])};
}

using Four = std::array<float, 4>;

}  // namespace

TEST_CASE("float attributes come by vertex and stride; missing components are 0, 0, 0, 1") {
    std::vector<float> data;
    for (int i = 0; i < 64; ++i)
        data.push_back(static_cast<float>(i));
    VertexFixture f;
    f.attributes.push_back(describe(data, Format::R32G32B32_FLOAT, 16));
    f.attributes.push_back(describe(data, Format::R32G32_FLOAT, 0));
    const auto out = f.load(0);
    for (unsigned lane = 0; lane < 16; ++lane) {
        const auto first = static_cast<float>(4 * lane);
        CHECK(floats(out, lane) == Four{first, first + 1, first + 2, 1});
    }
    CHECK(floats(f.load(1), 9) == Four{0, 1, 0, 1});
}

TEST_CASE("a divisor counts instances instead of vertices") {
    std::vector<float> data{10, 11, 12, 13};
    VertexFixture f;
    f.attributes.push_back(describe(data, Format::R32_FLOAT, 4));
    f.attributes[0].divisor = 3;
    for (unsigned lane = 0; lane < 16; ++lane)
        f.instance_id.v[lane] = lane;
    const auto out = f.load(0, 1);
    for (unsigned lane = 0; lane < 16; ++lane)
        CHECK(as_float(out[0].v[lane]) == (lane < 12 ? 10 + lane / 3 : 0));
}

TEST_CASE("an element that does not lie wholly inside its buffer reads as 0 bits") {
    std::vector<uint8_t> data(10, 255);
    VertexFixture f;
    f.attributes.push_back(describe(data, Format::R8G8B8A8_UNORM, 4));
    const auto out = f.load(0);
    CHECK(floats(out, 1) == Four{1, 1, 1, 1});
    CHECK(floats(out, 2) == Four{0, 0, 0, 0});  // bytes 8..11 of 10
    f.attributes[0].format = Format::R8G8B8_UNORM;
    CHECK(floats(f.load(0), 15) == Four{0, 0, 0, 1});  // the format has no alpha
    f.vertex_id = splat(0xFFFFFFFFU);
    f.attributes[0].stride = 0xFFFFFFFF;
    CHECK(floats(f.load(0), 0) == Four{0, 0, 0, 1});
    f.attributes[0].size = 2;
    f.vertex_id = splat(0U);
    CHECK(floats(f.load(0), 0) == Four{0, 0, 0, 1});
}

TEST_CASE("unbound attributes are 0, 0, 0, 1; attributes past the table are 0") {
    VertexFixture f;
    f.attributes.emplace_back();
    CHECK(floats(f.load(0), 0) == Four{0, 0, 0, 1});
    CHECK(floats(f.load(1), 0) == Four{0, 0, 0, 0});
    f.draw.tables = {};
    std::array<Lanes, 4> out{};
    raster::raster_environment().attribute(f.warp, {0, RegisterFormat::F32, 4}, f.vertex_id,
                                           f.instance_id, out.data());
    CHECK(floats(out, 0) == Four{0, 0, 0, 0});
}

TEST_CASE("integer attributes stay integers whatever 32-bit register format is asked for") {
    std::vector<int16_t> data{-3, 7};
    VertexFixture f;
    f.vertex_id = splat(0U);
    f.attributes.push_back(describe(data, Format::R16G16_SINT, 4));
    for (const auto format : {RegisterFormat::Auto, RegisterFormat::S32, RegisterFormat::F32}) {
        const auto out = f.load(0, 4, format);
        CHECK(out[0].v[0] == 0xFFFFFFFD);
        CHECK(out[1].v[0] == 7);
        CHECK(out[2].v[0] == 0);
        CHECK(out[3].v[0] == 1);
    }
}

TEST_CASE("16-bit registers hold two components, floats rounded, integers clamped") {
    std::vector<float> data{1.0F, 65536.0F, -2.0F, 0.5F};
    VertexFixture f;
    f.vertex_id = splat(0U);
    f.attributes.push_back(describe(data, Format::R32G32B32A32_FLOAT, 16));
    auto out = f.load(0, 4, RegisterFormat::F16);
    CHECK(out[0].v[0] == 0x7C003C00);
    CHECK(out[1].v[0] == 0x3800C000);
    std::vector<int32_t> integers{-70000, 70000, -1, 5};
    f.attributes[0] = describe(integers, Format::R32G32B32A32_SINT, 16);
    out = f.load(0, 4, RegisterFormat::S16);
    CHECK(out[0].v[0] == 0x7FFF8000);
    CHECK(out[1].v[0] == 0x0005FFFF);
    out = f.load(0, 3, RegisterFormat::U16);
    CHECK(out[0].v[0] == 0xFFFF0000);
    CHECK(out[1].v[0] == 0);
}

TEST_CASE("normalised and scaled attributes convert to numbers") {
    std::vector<int8_t> data{127, -128, 64, 1};
    VertexFixture f;
    f.vertex_id = splat(0U);
    f.attributes.push_back(describe(data, Format::R8G8B8A8_SNORM, 4));
    CHECK(floats(f.load(0), 0) ==
          Four{1, -1, static_cast<float>(64 / 127.0), static_cast<float>(1 / 127.0)});
    f.attributes[0].format = Format::R8G8B8A8_SSCALED;
    CHECK(floats(f.load(0), 0) == Four{127, -128, 64, 1});
}
