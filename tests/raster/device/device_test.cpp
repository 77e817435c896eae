// Device test: checks clears, transfers, order, threads and errors.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/raster/native_scene.hpp"

#include <doctest/doctest.h>
#include <random>

namespace valkyr::raster::test {
namespace {

/// color = color * 31 + primitive ID + 1, so that any change of the order shows.
void fold_id(const Sample& s) {
    uint32_t value;
    std::memcpy(&value, s.call.color[0] + s.index * 4, 4);
    value = value * 31 + s.call.primitive->primitive_id + 1;
    std::memcpy(s.call.color[0] + s.index * 4, &value, 4);
}

std::vector<TestVertex> random_triangles(unsigned seed, uint32_t count, float size, float span) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> at(0, span);
    std::uniform_real_distribution<float> offset(-size, size);
    std::vector<TestVertex> list;
    for (uint32_t i = 0; i < count; ++i) {
        const float x = at(random);
        const float y = at(random);
        for (unsigned k = 0; k < 3; ++k)
            list.push_back({{x + offset(random), y + offset(random), 0.5F, 1}, {}});
    }
    return list;
}

Errc code_of(const Result<void>& result) {
    REQUIRE(!result.has_value());
    CHECK(!result.error().text.empty());
    return result.error().code;
}
template <typename T>
Errc code_of(const Result<T>& result) {
    REQUIRE(!result.has_value());
    CHECK(!result.error().text.empty());
    return result.error().code;
}

/// Pseudo-random bytes, for transfers.
std::vector<std::byte> pattern(size_t size) {
    std::vector<std::byte> bytes(size);
    std::mt19937 random(5);
    for (std::byte& b : bytes)
        b = static_cast<std::byte>(random());
    return bytes;
}

}  // namespace

TEST_CASE("viewports: a picture with row 0 on top, and rectangles of the window") {
    CHECK(Viewport::of(256, 128) == Viewport{{128, -64, 0.5F}, {128, 64, 0.5F}});
    CHECK(Viewport::of(3, 5) == Viewport{{1.5F, -2.5F, 0.5F}, {1.5F, 2.5F, 0.5F}});
    CHECK(Viewport::over(10, 20, 30, 40) == Viewport{{15, 20, 0.5F}, {25, 40, 0.5F}});
    CHECK(Viewport::over(0, 0, 2, 2, 0.25F, 1) == Viewport{{1, 1, 0.375F}, {1, 1, 0.625F}});
}

TEST_CASE("clears in floats name their targets one by one; places beyond the last are left out") {
    ClearInfo info;
    info.set_color(0, {0, 0.5F, 1, -2}).set_color(2, {1, 1, 1, 1});
    CHECK(info.color_targets == 0b101);
    CHECK(info.color[0] == std::array<uint32_t, 4>{0, 0x3F000000, 0x3F800000, 0xC0000000});
    CHECK(info.color[1] == std::array<uint32_t, 4>{});
    for (const uint32_t beyond : {exec::kMaxRenderTargets, 32U, UINT32_MAX})
        info.set_color(beyond, {1, 1, 1, 1});
    CHECK(info.color_targets == 0b101);
}

TEST_CASE("the picture does not depend on the number of threads") {
    const auto large = random_triangles(1, 200, 150, 500);
    const auto small = random_triangles(2, 30000, 4, 500);
    std::vector<uint32_t> expected;
    for (const unsigned threads : {1U, 2U, 3U, 7U}) {
        DeviceOptions options;
        options.threads = threads;
        Scene scene(500, 500, options);
        scene.pipeline({}, vertex_stage(large), fragment_stage(fold_id));
        scene.draw(static_cast<uint32_t>(large.size()));
        scene.pipeline({}, vertex_stage(small), fragment_stage(fold_id));
        scene.draw(static_cast<uint32_t>(small.size()));
        scene.pipeline({}, vertex_stage(large), fragment_stage(fold_id));
        for (uint32_t i = 0; i < 60; ++i)
            scene.draw(30, 3 * i);
        const std::vector<uint32_t> pixels = scene.read();
        if (expected.empty())
            expected = pixels;
        CHECK(pixels == expected);
    }
}

TEST_CASE("a pass whose vertices need more memory than is kept draws the same in rounds") {
    // 32 slots make records of 544 bytes; 130000 triangles need 218 MB.
    const auto list = random_triangles(3, 1000, 6, 100);
    exec::ProgramInfo info;
    info.stage = exec::Stage::Vertex;
    info.varying_slot_count = exec::kMaxVaryingSlots;
    const auto wide = std::make_shared<NativeVertexStage>(info, 0, [&](exec::VertexCall& call) {
        for (uint32_t i = 0; i < call.count; ++i) {
            const Position& p = list[call.vertex_ids[i] % list.size()].position;
            const Position clip{clip_of(p[0]), clip_of(p[1]), p[2], p[3]};
            std::memcpy(call.records + size_t{i} * call.record_stride, clip.data(), 16);
        }
    });
    std::vector<uint32_t> expected;
    for (const unsigned threads : {1U, 2U}) {
        DeviceOptions options;
        options.threads = threads;
        Scene scene(100, 100, options);
        scene.pipeline({}, wide, fragment_stage(fold_id));
        scene.draw(3 * 130000);
        const std::vector<uint32_t> pixels = scene.read();
        if (expected.empty())
            expected = pixels;
        CHECK(pixels == expected);
    }
    // Compares with many small passes. IDs restart with every draw, so only hits are compared.
    Scene counted(100, 100);
    counted.pipeline({}, wide, fragment_stage(count_hit));
    counted.draw(3 * 130000);
    Scene pieces(100, 100);
    pieces.pipeline({}, wide, fragment_stage(count_hit));
    for (uint32_t i = 0; i < 130; ++i) {
        pieces.draw(3000, i * 3000);
        must(pieces.device->finish());
    }
    CHECK(counted.read() == pieces.read());
}

TEST_CASE("draws wait for nothing that they do not need and keep their order over targets") {
    const auto list = random_triangles(4, 50, 30, 64);
    Scene scene(64, 64);
    scene.pipeline({}, vertex_stage(list), fragment_stage(fold_id));
    const TextureRef first = scene.target;
    TextureDesc desc = first->desc();
    const TextureRef second = must(scene.device->create_texture(desc));
    for (int round = 0; round < 3; ++round)
        for (const TextureRef& target : {first, second}) {
            scene.state.framebuffer.color = {{target, 0, 0}};
            scene.draw(150);
        }
    scene.target = first;
    const std::vector<uint32_t> a = scene.read();
    scene.target = second;
    CHECK(scene.read() == a);
}

TEST_CASE("clears fill whole targets of any size, with fast clears and without") {
    for (const bool fast : {true, false}) {
        DeviceOptions options;
        options.fast_clear = fast;
        Scene scene(131, 70, options);
        scene.clear(0x01020304);
        CHECK(scene.read() == std::vector<uint32_t>(131 * 70, 0x01020304));
        scene.clear(7);
        // Covers one pixel of one tile; the other tiles keep the clear value.
        const std::vector<TestVertex> one{
            {{66, 2, 0, 1}, {}}, {{68, 2, 0, 1}, {}}, {{66, 4, 0, 1}, {}}};
        scene.pipeline({}, vertex_stage(one), fragment_stage(count_hit));
        scene.draw(3);
        std::vector<uint32_t> expected(131 * 70, 7);
        expected[2 * 131 + 66] = 8;
        CHECK(scene.read() == expected);
        scene.clear(9);
        scene.draw(3);
        scene.clear(10);
        CHECK(scene.read() == std::vector<uint32_t>(131 * 70, 10));
    }
}

TEST_CASE("depth and stencil are cleared apart") {
    for (const bool fast : {true, false}) {
        DeviceOptions options;
        options.engine = Engine::Valhall;
        options.threads = 1;
        options.fast_clear = fast;
        auto device = must(gpu::create_device(options));
        TextureDesc desc;
        desc.format = Format::D24_UNORM_S8_UINT;
        desc.width = desc.height = 70;
        desc.render_target = true;
        const TextureRef zs = must(device->create_texture(desc));
        Framebuffer framebuffer;
        framebuffer.depth_stencil = {zs, 0, 0};
        const auto clear = [&](bool depth, bool stencil, float z, uint8_t s) {
            ClearInfo info;
            info.depth = depth;
            info.stencil = stencil;
            info.depth_value = z;
            info.stencil_value = s;
            must(device->clear(framebuffer, info));
        };
        const auto texel = [&] {
            uint32_t value = 0;
            must(device->read_texture(zs, 0, {69, 69, 0, 1, 1, 1},
                                      std::as_writable_bytes(std::span(&value, 1)), 4));
            return value;
        };
        clear(true, true, 1, 0x12);
        CHECK(texel() == 0x12FFFFFF);
        clear(true, false, 0, 0);
        CHECK(texel() == 0x12000000);
        clear(false, true, 0, 0x34);
        clear(true, false, 1, 0);
        CHECK(texel() == 0x34FFFFFF);
        clear(false, true, 0, 0x56);
        CHECK(texel() == 0x56FFFFFF);
    }
}

TEST_CASE("texels come back as they were written, for every texel size and any box") {
    Scene scene(4, 4);
    Device& device = *scene.device;
    for (const Format format :
         {Format::R8_UNORM, Format::R8G8_UNORM, Format::R8G8B8_UNORM, Format::R8G8B8A8_UNORM,
          Format::R16G16B16A16_FLOAT, Format::R32G32B32_FLOAT, Format::R32G32B32A32_FLOAT}) {
        const size_t bytes = exec::format_info(format).block_bytes;
        TextureDesc desc;
        desc.kind = TextureKind::Tex2DArray;
        desc.format = format;
        desc.width = 37;
        desc.height = 22;
        desc.layers = 3;
        desc.levels = 2;
        const TextureRef texture = must(device.create_texture(desc));
        const size_t stride = 37 * bytes + 5;
        const size_t slice = stride * 22 + 3;
        const std::vector<std::byte> data = pattern(slice * 3);
        must(device.write_texture(texture, 0, {0, 0, 0, 37, 22, 3}, data, stride, slice));
        // Overwrites a box in the middle of one layer and reads it back.
        const std::vector<std::byte> patch = pattern(9 * 7 * bytes);
        must(device.write_texture(texture, 0, {3, 6, 1, 9, 7, 1}, patch, 9 * bytes, 0));
        std::vector<std::byte> back(37 * 22 * 3 * bytes);
        must(device.read_texture(texture, 0, {0, 0, 0, 37, 22, 3}, back, 37 * bytes,
                                 37 * 22 * bytes));
        size_t wrong = 0;
        for (size_t z = 0; z < 3; ++z)
            for (size_t y = 0; y < 22; ++y)
                for (size_t x = 0; x < 37; ++x) {
                    const bool patched = z == 1 && x >= 3 && x < 12 && y >= 6 && y < 13;
                    const std::byte* expected =
                        patched ? patch.data() + ((y - 6) * 9 + (x - 3)) * bytes
                                : data.data() + z * slice + y * stride + x * bytes;
                    wrong += std::memcmp(back.data() + ((z * 22 + y) * 37 + x) * bytes, expected,
                                         bytes) != 0
                                 ? 1
                                 : 0;
                }
        CHECK(wrong == 0);
    }
}

TEST_CASE("compressed textures take whole blocks and are not drawn to") {
    Scene scene(4, 4);
    Device& device = *scene.device;
    TextureDesc desc;
    desc.format = Format::BC1_RGBA_UNORM;
    desc.width = desc.height = 10;
    const TextureRef texture = must(device.create_texture(desc));
    std::vector<std::byte> data(3 * 3 * 8);
    CHECK(device.write_texture(texture, 0, {0, 0, 0, 10, 10, 1}, data, 24, 0).has_value());
    CHECK(device.write_texture(texture, 0, {4, 4, 0, 4, 6, 1}, data, 8, 0).has_value());
    const auto refused = [&](Box box, size_t size) {
        return code_of(device.write_texture(texture, 0, box, std::span(data).first(size), 24, 0));
    };
    CHECK(refused({1, 0, 0, 4, 4, 1}, 72) == Errc::OutOfRange);
    CHECK(refused({0, 0, 0, 3, 4, 1}, 72) == Errc::OutOfRange);
    CHECK(refused({0, 0, 0, 10, 10, 1}, 71) == Errc::OutOfRange);
    desc.render_target = true;
    CHECK(code_of(device.create_texture(desc)) == Errc::Unsupported);
}

TEST_CASE("the scissor is a half-open rectangle") {
    const std::vector<TestVertex> all{
        {{-300, -300, 0, 1}, {}}, {{900, -300, 0, 1}, {}}, {{-300, 900, 0, 1}, {}}};
    for (const Rect& rect :
         {Rect{5, 7, 70, 66}, Rect{64, 64, 65, 65}, Rect{10, 10, 10, 20}, Rect{-50, -50, 1000, 3},
          Rect{INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX}, Rect{50, 50, 10, 10}}) {
        Scene scene(150, 140);
        PipelineDesc desc;
        desc.rasterizer.scissor = true;
        scene.state.scissor = rect;
        scene.pipeline(desc, vertex_stage(all), fragment_stage(count_hit));
        scene.draw(3);
        const std::vector<uint32_t> pixels = scene.read();
        size_t wrong = 0;
        for (int32_t y = 0; y < 140; ++y)
            for (int32_t x = 0; x < 150; ++x) {
                const bool inside = x >= rect.x0 && x < rect.x1 && y >= rect.y0 && y < rect.y1;
                wrong += pixels[static_cast<size_t>(y * 150 + x)] != (inside ? 1U : 0U) ? 1 : 0;
            }
        CHECK(wrong == 0);
    }
}

TEST_CASE("statistics count what was drawn") {
    Scene scene(64, 64);
    const std::vector<TestVertex> two{{{0, 0, 0, 1}, {}},  {{8, 0, 0, 1}, {}},
                                      {{0, 8, 0, 1}, {}},  {{-9, 0, 0, 1}, {}},
                                      {{-1, 0, 0, 1}, {}}, {{-9, 8, 0, 1}, {}}};
    scene.pipeline({}, vertex_stage(two), fragment_stage(count_hit));
    scene.draw(6);
    must(scene.device->finish());
    const Statistics s = scene.device->take_statistics();
    CHECK(s.draws == 1);
    CHECK(s.vertices == 6);
    CHECK(s.triangles_in == 2);
    CHECK(s.triangles_culled == 1);
    CHECK(s.triangles_binned == 1);
    CHECK(s.blocks_shaded == 3);
    CHECK(s.pixels_covered == 28);
    CHECK(scene.device->take_statistics().draws == 0);
}

TEST_CASE("resources with impossible descriptions are refused") {
    Scene scene(4, 4);
    Device& device = *scene.device;
    const auto texture = [&](auto change) {
        TextureDesc desc;
        desc.format = Format::R8G8B8A8_UNORM;
        desc.width = desc.height = 16;
        change(desc);
        return code_of(device.create_texture(desc));
    };
    CHECK(texture([](TextureDesc& d) { d.width = 0; }) == Errc::InvalidState);
    CHECK(texture([](TextureDesc& d) { d.width = 16385; }) == Errc::OutOfRange);
    CHECK(texture([](TextureDesc& d) { d.height = UINT32_MAX; }) == Errc::OutOfRange);
    CHECK(texture([](TextureDesc& d) { d.levels = 6; }) == Errc::OutOfRange);
    CHECK(texture([](TextureDesc& d) { d.levels = 0; }) == Errc::OutOfRange);
    CHECK(texture([](TextureDesc& d) { d.samples = 3; }) == Errc::OutOfRange);
    CHECK(texture([](TextureDesc& d) { d.samples = 4; }) == Errc::OutOfRange);
    CHECK(texture([](TextureDesc& d) { d.format = Format::None; }) == Errc::InvalidState);
    CHECK(texture([](TextureDesc& d) { d.layers = 2; }) == Errc::InvalidState);
    CHECK(texture([](TextureDesc& d) {
              d.kind = TextureKind::Cube;
              d.layers = 5;
          }) == Errc::InvalidState);
    CHECK(texture([](TextureDesc& d) {
              d.kind = TextureKind::Tex2DArray;
              d.width = d.height = 16384;
              d.layers = 2048;
          }) == Errc::OutOfRange);
    CHECK(code_of(device.create_buffer(UINT64_MAX)) == Errc::OutOfRange);
}

TEST_CASE("transfers outside their texture or data are refused") {
    Scene scene(16, 16);
    Device& device = *scene.device;
    std::vector<std::byte> data(16 * 16 * 4);
    const auto write = [&](uint32_t level, Box box, size_t size, size_t stride) {
        return code_of(
            device.write_texture(scene.target, level, box, std::span(data).first(size), stride, 0));
    };
    CHECK(write(1, {0, 0, 0, 1, 1, 1}, 4, 4) == Errc::OutOfRange);
    CHECK(write(0, {16, 0, 0, 1, 1, 1}, 4, 4) == Errc::OutOfRange);
    CHECK(write(0, {1, 0, 0, UINT32_MAX, 1, 1}, 4, 4) == Errc::OutOfRange);
    CHECK(write(0, {0, 0, 1, 1, 1, 1}, 4, 4) == Errc::OutOfRange);
    CHECK(write(0, {0, 0, 0, 2, 2, 1}, 15, 8) == Errc::OutOfRange);
    CHECK(write(0, {0, 0, 0, 2, 2, 1}, 16, 4) == Errc::OutOfRange);
    CHECK(write(0, {0, 0, 0, 2, 2, 1}, 16, SIZE_MAX) == Errc::OutOfRange);
    CHECK(device.write_texture(scene.target, 0, {0, 0, 0, 0, 0, 0}, {}, 0, 0).has_value());
    CHECK(code_of(device.write_texture(nullptr, 0, {}, {}, 0, 0)) == Errc::InvalidState);
    const BufferRef buffer = must(device.create_buffer(8));
    CHECK(code_of(device.write_buffer(buffer, 5, std::span(data).first(4))) == Errc::OutOfRange);
    CHECK(code_of(device.write_buffer(buffer, UINT64_MAX, std::span(data).first(4))) ==
          Errc::OutOfRange);
}

TEST_CASE("draws with missing or foreign state are refused and leave the device usable") {
    const auto list = random_triangles(4, 50, 30, 64);
    Scene scene(64, 64);
    Scene other(64, 64);
    scene.pipeline({}, vertex_stage(list), fragment_stage(count_hit));
    other.pipeline({}, vertex_stage(list), fragment_stage(count_hit));
    DrawInfo info;
    info.count = 3;
    const auto draw = [&](auto change) {
        DrawState state = scene.state;
        DrawInfo changed = info;
        change(state, changed);
        return code_of(scene.device->draw(state, changed));
    };
    CHECK(draw([](DrawState& s, DrawInfo&) { s.pipeline = nullptr; }) == Errc::InvalidState);
    CHECK(draw([&](DrawState& s, DrawInfo&) { s.pipeline = other.state.pipeline; }) ==
          Errc::InvalidState);
    CHECK(draw([&](DrawState& s, DrawInfo&) { s.framebuffer = other.state.framebuffer; }) ==
          Errc::InvalidState);
    CHECK(draw([](DrawState& s, DrawInfo&) { s.framebuffer = {}; }) == Errc::InvalidState);
    CHECK(draw([](DrawState& s, DrawInfo&) { s.framebuffer.color[0].layer = 1; }) ==
          Errc::InvalidState);
    CHECK(draw([](DrawState& s, DrawInfo&) { s.framebuffer.color.resize(9); }) == Errc::OutOfRange);
    CHECK(draw([](DrawState& s, DrawInfo&) { s.index_type = IndexType::U16; }) ==
          Errc::InvalidState);
    CHECK(draw([](DrawState&, DrawInfo& i) {
              i.count = UINT32_MAX;
              i.instance_count = UINT32_MAX;
          }) == Errc::OutOfRange);
    CHECK(draw([](DrawState& s, DrawInfo&) { s.fragment().constants.resize(17); }) ==
          Errc::OutOfRange);
    CHECK(draw([](DrawState& s, DrawInfo&) { s.fragment().textures.resize(33); }) ==
          Errc::OutOfRange);
    info.count = 0;
    CHECK(scene.device->draw(scene.state, info).has_value());
    scene.draw(150);
    CHECK(scene.device->finish().has_value());
}

TEST_CASE("pipelines with impossible state are refused") {
    Scene scene(4, 4);
    const auto pipeline = [&](auto change) {
        PipelineDesc desc;
        desc.vertex = std::make_shared<Shader>();
        change(desc);
        return code_of(scene.device->create_native_pipeline(
            desc, linked_stages(vertex_stage({}), fragment_stage(count_hit))));
    };
    CHECK(pipeline([](PipelineDesc& d) { d.vertex = nullptr; }) == Errc::InvalidState);
    CHECK(pipeline([](PipelineDesc& d) { d.elements.resize(33); }) == Errc::OutOfRange);
    CHECK(pipeline([](PipelineDesc& d) {
              d.elements = {{0, 0, 0, Format::R32_FLOAT}};
          }) == Errc::InvalidState);
    CHECK(pipeline([](PipelineDesc& d) {
              d.elements = {{0, 0, 0, Format::D16_UNORM}};
              d.strides = {4};
          }) == Errc::InvalidState);
    CHECK(pipeline([](PipelineDesc& d) { d.strides = {1U << 20}; }) == Errc::OutOfRange);
    CHECK(pipeline([](PipelineDesc& d) { d.primitive = static_cast<Primitive>(99); }) ==
          Errc::InvalidState);
    DeviceOptions options;
    options.threads = 1000;
    CHECK(code_of(gpu::create_device(options)) == Errc::OutOfRange);
}

}  // namespace valkyr::raster::test
