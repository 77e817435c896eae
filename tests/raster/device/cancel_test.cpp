// Cancel test: long work ends after Device::cancel() or when its time budget is over.
// SPDX-License-Identifier: MIT
//
// A call on a device that was cancelled before shall do no work: every loop checks the flag before
// its first piece. bench/cancellation.cpp measures how soon a loop checks again.
#include "gpu/create_device.hpp"
#include "raster/resource/bytes.hpp"
#include "raster/resource/resource.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/raster/resource/whole_blit.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <doctest/doctest.h>
#include <thread>

using namespace valkyr;
using namespace valkyr::raster;
using namespace valkyr::raster::test;

namespace {

constexpr uint32_t kSide = 64;
constexpr Box kWhole{.width = kSide, .height = kSide};

std::unique_ptr<Device> make_device(uint32_t budget_ms = 0, Engine engine = Engine::Jit) {
    DeviceOptions options;
    options.threads = 1;
    options.draw_budget_ms = budget_ms;
    options.engine = engine;
    return must(gpu::create_device(options));
}

TextureRef texture(Device& device, Format format, uint32_t side = kSide, uint32_t samples = 1) {
    TextureDesc desc;
    desc.kind = samples > 1 ? TextureKind::Tex2DMs : TextureKind::Tex2D;
    desc.format = format;
    desc.width = desc.height = side;
    desc.samples = samples;
    return must(device.create_texture(desc));
}

/// Whether all texels in memory are zero, as a new texture's are.
bool untouched(const TextureRef& texture) {
    auto& own = static_cast<TextureImpl&>(*texture);
    const uint8_t* first = own.slice(0, 0);
    return std::all_of(first, first + own.level(0).slice_bytes, [](uint8_t b) { return b == 0; });
}
bool untouched(const BufferRef& buffer) {
    const auto& own = static_cast<const BufferImpl&>(*buffer);
    return std::all_of(own.data(), own.data() + own.size(), [](uint8_t b) { return b == 0; });
}

/// A texture of ones.
TextureRef filled(Device& device, Format format, uint32_t samples = 1) {
    const TextureRef made = texture(device, format, kSide, samples);
    must(device.clear_texture(made, 0, kWhole, {0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000}));
    CHECK_FALSE(untouched(made));
    return made;
}

constexpr const char* kVertex = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n"
                                "  0: MOV OUT[0], IN[0]\n  1: END\n";
constexpr const char* kFragment = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 { 1.0, 1.0, 1.0, 1.0}\n"
                                  "  0: MOV OUT[0], IMM[0]\n  1: END\n";

/// A fragment shader that loops for ever over `body` instructions.
std::string endless(uint32_t body) {
    std::string text = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0..1]\nDCL TEMP[0..1]\n0: BGNLOOP\n";
    uint32_t line = 1;
    for (uint32_t i = 0; i < body; ++i)
        text += std::to_string(line++) + ": MAD TEMP[" + std::to_string(i % 2) +
                "], TEMP[0].yzwx, CONST[1], TEMP[1]\n";
    for (const char* rest :
         {"IF CONST[0].xxxx", "BRK", "ENDIF", "ENDLOOP", "MOV OUT[0], TEMP[0]", "END"})
        text += std::to_string(line++) + ": " + rest + "\n";
    return text;
}

/// A target of 8x8 pixels and the state for drawing a triangle over it.
struct Drawing {
    explicit Drawing(Device& device_of_state)
        : device(device_of_state) {
        constexpr std::array<Position, 3> kCorners{{{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}}};
        TextureDesc desc;
        desc.format = Format::R8G8B8A8_UNORM;
        desc.width = desc.height = 8;
        desc.render_target = true;
        target = must(device.create_texture(desc));
        state.framebuffer.color = {{target}};
        state.viewport = Viewport::over(0, 0, 8, 8);
        state.scissor = {0, 0, 8, 8};
        state.vertex_buffers = {
            {must(device.create_buffer(sizeof kCorners, std::as_bytes(std::span(kCorners))))}};
        state.fragment().constants = {std::vector<uint32_t>(8)};
    }
    void draw(const std::string& fragment) {
        PipelineDesc desc;
        desc.vertex = must(device.create_shader(kVertex));
        desc.fragment = must(device.create_shader(fragment));
        desc.elements = {{0, 0, 0, Format::R32G32B32A32_FLOAT}};
        desc.strides = {16};
        state.pipeline = must(device.create_pipeline(desc));
        must(device.draw(state, {.count = 3}));
    }
    uint32_t pixel() {
        uint32_t word = 0;
        must(device.read_texture(target, 0, {.width = 1, .height = 1},
                                 std::as_writable_bytes(std::span(&word, 1)), 4));
        return word;
    }

    Device& device;
    TextureRef target;
    DrawState state;
};

}  // namespace

TEST_CASE("copies, blits and clears of textures do nothing once the device is cancelled") {
    const auto device = make_device();
    const TextureRef bytes = filled(*device, Format::R8G8B8A8_UNORM);
    const TextureRef halves = filled(*device, Format::R16G16B16A16_FLOAT);
    const TextureRef samples = filled(*device, Format::R8G8B8A8_UNORM, 4);
    const TextureRef to_bytes = texture(*device, Format::R8G8B8A8_UNORM);
    const TextureRef to_other = texture(*device, Format::B8G8R8A8_UNORM);
    const TextureRef to_halves = texture(*device, Format::R16G16B16A16_FLOAT);
    const TextureRef to_samples = texture(*device, Format::R8G8B8A8_UNORM, kSide, 4);
    const TextureRef depth = texture(*device, Format::D32_FLOAT);
    const TextureRef blocks = texture(*device, Format::BC1_RGB_UNORM);
    device->cancel();
    CHECK(device->cancelled());
    must(device->copy_texture(to_bytes, 0, 0, 0, 0, bytes, 0, kWhole));
    must(device->copy_texture(to_samples, 0, 0, 0, 0, samples, 0, kWhole));
    must(device->blit(whole(bytes, to_other)));
    must(device->blit(whole(samples, to_other)));
    must(device->blit(whole(bytes, to_halves)));
    must(device->blit(whole(halves, to_bytes)));
    must(device->clear_texture(to_bytes, 0, kWhole, {1, 2, 3, 4}));
    must(device->clear_texture(depth, 0, kWhole, {0x3F800000, 0, 0, 0}));
    const std::vector<std::byte> data(size_t{kSide} * kSide * 4, std::byte{1});
    must(device->write_texture(to_bytes, 0, kWhole, data, size_t{kSide} * 4));
    must(device->write_texture(blocks, 0, kWhole, data, size_t{kSide} * 2));
    for (const TextureRef& to : {to_bytes, to_other, to_halves, to_samples, depth, blocks})
        CHECK(untouched(to));
    std::vector<std::byte> read(size_t{kSide} * kSide * 4);
    for (const TextureRef& from : {bytes, samples})
        must(device->read_texture(from, 0, kWhole, read, size_t{kSide} * 4));
    CHECK(std::ranges::all_of(read, [](std::byte b) { return b == std::byte{0}; }));
}

TEST_CASE("clears of a cancelled device that are states of tiles never reach memory") {
    const auto device = make_device();
    TextureDesc desc;
    desc.format = Format::R8G8B8A8_UNORM;
    desc.width = desc.height = 4 * kSide;
    desc.render_target = true;
    const TextureRef target = must(device->create_texture(desc));
    Framebuffer framebuffer;
    framebuffer.color = {{target}};
    ClearInfo info;
    info.set_color(0, {1, 1, 1, 1});
    must(device->clear(framebuffer, info));
    device->cancel();
    uint32_t texel = 0;
    must(device->read_texture(target, 0, {.width = 1, .height = 1},
                              std::as_writable_bytes(std::span(&texel, 1)), 4));
    info.rect = Rect{1, 1, 100, 100};
    must(device->clear(framebuffer, info));
    CHECK(untouched(target));
}

TEST_CASE("writes, copies and fills of buffers do nothing once the device is cancelled") {
    constexpr size_t kBytes = 4096;
    const auto device = make_device();
    const std::vector<std::byte> ones(kBytes, std::byte{1});
    const BufferRef from = must(device->create_buffer(kBytes, ones));
    const BufferRef to = must(device->create_buffer(kBytes));
    device->cancel();
    must(device->write_buffer(to, 0, ones));
    must(device->copy_buffer(to, 0, from, 0, kBytes));
    CHECK(untouched(to));
    std::vector<std::byte> read(kBytes);
    must(device->read_buffer(from, 0, read));
    CHECK(read[0] == std::byte{0});
}

TEST_CASE("many bytes are moved, cleared and repeated in pieces, and not at all when cancelled") {
    exec::LoopWatch watch;
    std::vector<uint8_t> bytes(10 << 20);
    for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<uint8_t>(i * 7 + (i >> 12));
    // Overlapping ranges, in both directions.
    for (const auto& [to, from] : {std::pair<size_t, size_t>{3, 100'000}, {5'000'001, 7}}) {
        std::vector<uint8_t> moved = bytes;
        std::vector<uint8_t> wanted = bytes;
        const size_t size = bytes.size() - std::max(to, from);
        std::memmove(wanted.data() + to, wanted.data() + from, size);
        copy_bytes(moved.data() + to, moved.data() + from, size, &watch);
        CHECK(moved == wanted);
    }
    constexpr std::array<std::byte, 3> kPattern{std::byte{1}, std::byte{2}, std::byte{3}};
    std::vector<uint8_t> repeated(1'000'001);
    repeat_bytes(repeated.data(), repeated.size(), kPattern, &watch);
    for (size_t i = 0; i < repeated.size(); ++i)
        if (repeated[i] != i % 3 + 1)
            FAIL("byte " << i);
    for (const size_t size : {1U, 2U, 4U, 7U}) {
        std::vector<uint8_t> few(8, 9);
        repeat_bytes(few.data(), size, kPattern, &watch);
        for (size_t i = 0; i < few.size(); ++i)
            CHECK(few[i] == (i < size ? i % 3 + 1 : 9));
    }
    clear_bytes(bytes.data(), bytes.size(), &watch);
    CHECK(std::ranges::all_of(bytes, [](uint8_t b) { return b == 0; }));
    watch.cancelled = exec::kCancelledFromOutside;
    std::vector<uint8_t> left(5 << 20, 9);
    clear_bytes(left.data(), left.size(), &watch);
    repeat_bytes(left.data(), left.size(), kPattern, &watch);
    CHECK(left[0] == 1);  // the pattern's first copy is written before the flag is checked
    CHECK(left.back() == 9);
}

TEST_CASE("copies of boxes that overlap in one slice move the old texels") {
    const auto device = make_device();
    // More rows than one piece has.
    constexpr uint32_t kWide = 256;
    constexpr uint32_t kHigh = 2048;
    TextureDesc desc;
    desc.format = Format::R32_UINT;
    desc.width = kWide;
    desc.height = kHigh;
    std::vector<uint32_t> texels(size_t{kWide} * kHigh);
    for (size_t i = 0; i < texels.size(); ++i)
        texels[i] = static_cast<uint32_t>(i);
    for (const int32_t shift : {5, -5, 300, -300}) {
        const TextureRef t = must(device->create_texture(desc));
        must(device->write_texture(t, 0, {.width = kWide, .height = kHigh},
                                   std::as_bytes(std::span(texels)), size_t{kWide} * 4));
        const auto from = static_cast<uint32_t>(std::max(0, -shift));
        const auto to = static_cast<uint32_t>(std::max(0, shift));
        const uint32_t rows = kHigh - from - to;
        must(device->copy_texture(t, 0, 0, to, 0, t, 0,
                                  {.y = from, .width = kWide, .height = rows}));
        std::vector<uint32_t> read(texels.size());
        must(device->read_texture(t, 0, {.width = kWide, .height = kHigh},
                                  std::as_writable_bytes(std::span(read)), size_t{kWide} * 4));
        for (uint32_t y = 0; y < rows; ++y)
            if (read[size_t{to + y} * kWide + 7] != (from + y) * kWide + 7)
                FAIL("row " << y << ", shift " << shift);
    }
}

TEST_CASE("a cancelled device refuses shaders and draws nothing") {
    const auto device = make_device();
    Drawing drawing(*device);
    drawing.draw(kFragment);
    CHECK(drawing.pixel() == 0xFFFFFFFF);
    device->cancel();
    const auto shader = device->create_shader(kFragment);
    REQUIRE_FALSE(shader.has_value());
    CHECK(shader.error().code == Errc::Cancelled);
    (void)device->take_statistics();
    must(device->draw(drawing.state, {.count = 3}));
    must(device->finish());
    CHECK(device->take_statistics().draws == 0);
}

TEST_CASE("indices that are all restarts are looked at until the device is cancelled") {
    const auto device = make_device();
    Drawing drawing(*device);
    drawing.state.index_buffer = {must(device->create_buffer(64))};
    drawing.state.index_type = IndexType::U32;
    drawing.draw(kFragment);
    must(device->finish());
    std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        device->cancel();
    });
    // Indices behind the buffer are 0, and index 0 restarts: 400 draws walk over 2^32 - 1 indices
    // each.
    const DrawInfo info{.count = UINT32_MAX, .primitive_restart = true, .restart_index = 0};
    for (unsigned i = 0; i < 400; ++i)
        must(device->draw(drawing.state, info));
    must(device->finish());
    canceller.join();
}

TEST_CASE("a loop without an end is cancelled, however long its body") {
    for (const Engine engine : {Engine::Jit, Engine::Valhall})
        for (const uint32_t body : {1U, 700U, 30000U}) {
            CAPTURE(body);
            const auto device = make_device(0, engine);
            Drawing drawing(*device);
            drawing.draw(endless(body));
            std::thread canceller([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
                device->cancel();
            });
            must(device->finish());
            canceller.join();
        }
}

TEST_CASE("a draw that takes longer than its budget is ended and reported, and the next is drawn") {
    for (const uint32_t body : {1U, 700U}) {
        const auto device = make_device(20);
        Drawing drawing(*device);
        drawing.draw(endless(body));
        const auto late = device->finish();
        REQUIRE_FALSE(late.has_value());
        CHECK(late.error().code == Errc::InvalidState);
        CHECK(late.error().text.find("more than 20 ms") != std::string::npos);
        CHECK_FALSE(device->cancelled());
        drawing.draw(kFragment);
        must(device->finish());
        CHECK(drawing.pixel() == 0xFFFFFFFF);
        // A pause between draws does not count, even if it is longer than the budget.
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        must(device->finish());
    }
}

TEST_CASE("a blit that takes longer than its budget is ended and reported") {
    const auto device = make_device(1);
    const TextureRef from = texture(*device, Format::R8G8B8A8_UNORM, 4096);
    const TextureRef to = texture(*device, Format::R16G16B16A16_FLOAT, 4096);
    must(device->blit(whole(from, to)));
    const auto late = device->finish();
    REQUIRE_FALSE(late.has_value());
    CHECK(late.error().text.find("more than 1 ms") != std::string::npos);
    must(device->finish());
}
