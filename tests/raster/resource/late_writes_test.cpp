// Late writes test: draws read the bytes of their time, and a write copies only its own bytes.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "raster/resource/late_writes.hpp"
#include "tests/pictures/scenes/shaders.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <doctest/doctest.h>
#include <random>

namespace valkyr::raster::test {
namespace {

using scenes::SceneKit;

/// Position and colour.
constexpr uint32_t kFloats = 8;
constexpr uint32_t kBytes = kFloats * sizeof(float);

std::vector<std::byte> bytes_of(const std::vector<float>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

/// A random triangle that covers a part of the picture.
std::vector<float> triangle(std::mt19937& random) {
    std::uniform_real_distribution<float> place(-1, 1);
    std::uniform_real_distribution<float> shade(0, 1);
    std::vector<float> values;
    const float color[4] = {shade(random), shade(random), shade(random), 1};
    for (int v = 0; v < 3; ++v) {
        values.insert(values.end(), {place(random), place(random), 0, 1});
        values.insert(values.end(), color, color + 4);
    }
    return values;
}

std::vector<float> triangles(uint32_t count, std::mt19937& random) {
    std::vector<float> values;
    for (uint32_t i = 0; i < count; ++i) {
        const auto one = triangle(random);
        values.insert(values.end(), one.begin(), one.end());
    }
    return values;
}

struct Streamed {
    std::unique_ptr<Device> device = must(gpu::create_device({}));
    SceneKit kit{*device};
    BufferRef vertices;

    explicit Streamed(const std::vector<float>& values) {
        kit.size(64, 64);
        kit.add_color();
        kit.clear(0, 0, 0, 1);
        kit.shaders(scenes::kVertexColor, scenes::kFragmentColor);
        kit.vertices(values, {4, 4});
        vertices = kit.state.vertex_buffers[0].buffer;
    }
    void write(uint32_t vertex, const std::vector<float>& values) {
        must(device->write_buffer(vertices, uint64_t{vertex} * kBytes, bytes_of(values)));
    }
    std::vector<uint8_t> picture() { return kit.shots()[0].bytes; }
};

constexpr uint32_t kLarge = 100000;  // triangles; 9.6 MB

}  // namespace

TEST_CASE("ranges of a buffer are read where their newest bytes are") {
    using Place = LateWrites::Place;
    LateWrites late;
    CHECK(late.may_write_now(1, {0, 100}));
    late.note_read(1, {20, 40});
    late.note_read(1, {50, 60});
    CHECK(late.may_write_now(1, {0, 20}));
    CHECK(late.may_write_now(1, {60, 61}));
    CHECK_FALSE(late.may_write_now(1, {45, 46}));  // only the bounds of reads are kept
    CHECK(late.may_write_now(2, {20, 40}));        // another pass

    std::vector<std::byte> data(100, std::byte{1});
    const std::vector<std::byte> first(20, std::byte{2});
    const std::vector<std::byte> second(10, std::byte{3});
    late.add({20, 40}, first.data());
    late.add({30, 40}, second.data());
    CHECK_FALSE(late.may_write_now(2, {39, 50}));  // an older late write would overwrite it
    CHECK(late.place_of({0, 20}) == Place::Buffer);
    CHECK(late.place_of({31, 40}) == Place::Copy);
    CHECK(late.copy_of({31, 40}) == second.data() + 1);
    CHECK(late.place_of({20, 30}) == Place::Copy);
    CHECK(late.copy_of({22, 30}) == first.data() + 2);
    CHECK(late.place_of({20, 31}) == Place::Mixed);
    CHECK(late.place_of({30, 41}) == Place::Mixed);
    std::vector<std::byte> gathered(24);
    late.gather({18, 42}, data.data(), gathered.data());
    late.apply(data.data());
    CHECK(std::equal(gathered.begin(), gathered.end(), data.begin() + 18));
    CHECK(data[19] == std::byte{1});
    CHECK(data[29] == std::byte{2});
    CHECK(data[39] == std::byte{3});
    CHECK(data[40] == std::byte{1});
    CHECK(late.count() == 0);
}

TEST_CASE("a write takes the place of older ones where they overlap") {
    LateWrites late;
    const std::vector<std::byte> bytes(100);
    late.add({10, 30}, bytes.data());
    for (int i = 0; i < 10; ++i)
        late.add({40, 50}, bytes.data());
    CHECK(late.count() == 2);
    late.add({38, 50}, bytes.data());
    CHECK(late.count() == 2);
    late.add({42, 44}, bytes.data());  // splits the one before
    CHECK(late.count() == 4);
    late.add({41, 45}, bytes.data());
    CHECK(late.count() == 4);
    late.add({20, 60}, bytes.data());
    CHECK(late.count() == 2);
    late.add({30, 30}, bytes.data());  // nothing
    CHECK(late.count() == 2);
}

TEST_CASE("random writes leave the bytes of the newest ones") {
    constexpr size_t kSize = 64;
    std::mt19937 random(3);
    const auto range = [&] {
        const uint64_t begin = random() % kSize;
        return ByteRange{begin, begin + 1 + random() % (kSize - begin)};
    };
    using Place = LateWrites::Place;
    std::array<unsigned, 3> places{};
    for (int round = 0; round < 200; ++round) {
        LateWrites late;
        std::vector<std::byte> data(kSize);
        std::vector<std::byte> expected(kSize);
        std::vector<int> writer(kSize, -1);  // of the newest bytes
        std::deque<std::vector<std::byte>> kept;
        for (int i = 0; i < 20; ++i) {
            ByteRange written = range();
            written.end = std::min(written.end, written.begin + 12);
            const std::vector<std::byte>& bytes =
                kept.emplace_back(written.size(), static_cast<std::byte>(random()));
            late.add(written, bytes.data());
            std::copy(bytes.begin(), bytes.end(), expected.begin() + written.begin);
            std::fill(writer.begin() + written.begin, writer.begin() + written.end, i);

            const ByteRange read = range();
            const auto* const first = &writer[read.begin];
            const bool alike =
                std::all_of(first, first + read.size(), [&](int other) { return other == *first; });
            const Place place = late.place_of(read);
            ++places[static_cast<size_t>(place)];
            CHECK((place == Place::Buffer) == (alike && *first == -1));
            CHECK((place == Place::Copy) == (alike && *first != -1));
            std::vector<std::byte> gathered(read.size());
            late.gather(read, data.data(), gathered.data());
            CHECK(std::equal(gathered.begin(), gathered.end(), expected.begin() + read.begin));
            if (place == Place::Copy)
                CHECK(std::equal(gathered.begin(), gathered.end(), late.copy_of(read)));
        }
        late.apply(data.data());
        CHECK(data == expected);
    }
    CHECK(*std::min_element(places.begin(), places.end()) > 100);
}

TEST_CASE("writing a small part of a large buffer that draws read copies that part") {
    std::mt19937 random(1);
    Streamed s(triangles(kLarge, random));
    (void)s.device->take_statistics();
    uint64_t written = 0;
    std::vector<std::vector<float>> drawn;
    for (int i = 0; i < 600; ++i) {  // more than the writes that may wait
        drawn.push_back(triangle(random));
        s.write(300, drawn.back());
        written += drawn.back().size() * sizeof(float);
        s.kit.draw({.first = 300, .count = 3});
    }
    const std::vector<uint8_t> picture = s.picture();
    const Statistics statistics = s.device->take_statistics();
    CHECK(statistics.passes == 1);
    CHECK(statistics.late_bytes <= written);
    CHECK(statistics.late_bytes >=
          written - 96);  // the first write was immediate: no draw had read the range

    Streamed expected(triangles(100, random));
    for (const auto& one : drawn) {
        expected.write(0, one);
        expected.kit.draw(3);
        must(expected.device->finish());
    }
    CHECK(picture == expected.picture());
    // All late writes have been applied.
    std::vector<std::byte> last(96);
    must(s.device->read_buffer(s.vertices, 300 * kBytes, last));
    CHECK(last == bytes_of(drawn.back()));
}

TEST_CASE("writing what no draw reads copies nothing and renders nothing") {
    std::mt19937 random(2);
    Streamed s(triangles(kLarge, random));
    (void)s.device->take_statistics();
    for (uint32_t i = 0; i < 50; ++i) {
        s.write(9 * i, triangles(3, random));
        s.kit.draw({.first = 9 * i, .count = 9});
    }
    (void)s.picture();
    const Statistics statistics = s.device->take_statistics();
    CHECK(statistics.passes == 1);
    CHECK(statistics.late_bytes == 0);
}

TEST_CASE("random writes between random draws make the pictures of waiting for each draw") {
    constexpr uint32_t kTriangles = 4000;  // 384 kB: ranges are gathered, or the pass is rendered
    constexpr uint32_t kIndices = 3000;
    for (uint32_t seed = 0; seed < 12; ++seed) {
        CAPTURE(seed);
        std::vector<uint8_t> pictures[2];
        for (const bool waits : {false, true}) {
            std::mt19937 random(seed);
            const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
            Streamed s(triangles(kTriangles, random));
            std::vector<uint16_t> indices;
            for (uint32_t i = 0; i < kIndices; ++i)
                indices.push_back(static_cast<uint16_t>(random() % (3 * kTriangles)));
            s.kit.indices(indices);
            const BufferRange bound = s.kit.state.index_buffer;
            for (int step = 0; step < 150; ++step) {
                const uint32_t action = below(8);
                if (action < 3) {
                    const uint32_t count = below(5) == 0 ? 400 : 1 + below(4);
                    const auto values = triangles(count, random);
                    s.write(below(3 * (kTriangles - count)), values);
                } else if (action == 3) {
                    std::vector<uint16_t> some(1 + below(40));
                    const uint32_t base = below(3 * kTriangles - 8);
                    for (uint16_t& index : some)
                        index = static_cast<uint16_t>(below(6) == 0 ? 0xFFFF : base + below(8));
                    must(s.device->write_buffer(bound.buffer, uint64_t{2} * below(kIndices - 40),
                                                std::as_bytes(std::span(some))));
                } else {
                    DrawInfo info;
                    const bool indexed = action < 6;
                    s.kit.state.index_type = indexed ? IndexType::U16 : IndexType::None;
                    s.kit.state.index_buffer = indexed ? bound : BufferRange{};
                    info.count = 3 * (1 + below(below(4) == 0 ? 300 : 10));
                    info.first = below((indexed ? kIndices : 3 * kTriangles) - info.count + 2);
                    info.base_vertex =
                        indexed && below(3) == 0 ? static_cast<int32_t>(below(9)) - 4 : 0;
                    info.primitive_restart = true;
                    info.restart_index = 0xFFFF;
                    s.kit.pipeline.primitive =
                        below(2) == 0 ? Primitive::Triangles : Primitive::TriangleStrip;
                    s.kit.draw(info);
                }
                if (waits)
                    must(s.device->finish());
            }
            pictures[waits ? 1 : 0] = s.picture();
        }
        CHECK(pictures[0] == pictures[1]);
    }
}

}  // namespace valkyr::raster::test
