// Device memory test: refuses memory to device calls; the next picture is correct.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "raster/support/thread_pool.hpp"
#include "tests/memory/sweep.hpp"
#include "tests/support/plain_shaders.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <new>
#include <system_error>
#include <thread>

namespace valkyr::test {
namespace {

using namespace raster;

/// Four tiles.
constexpr uint32_t kSize = 80;
/// Enough small triangles to give all workers some.
constexpr uint32_t kInstances = 300;
using Pixels = std::array<uint32_t, size_t{kSize} * kSize>;

Result<DrawState> state_of(Device& device) {
    TextureDesc target;
    target.format = Format::R8G8B8A8_UNORM;
    target.width = target.height = kSize;
    target.render_target = true;
    VALKYR_TRY(color, device.create_texture(target));
    // The second triangle is clipped.
    const float vertices[9][4] = {{-1, -1, 0.5F, 1},   {1, -0.5F, 0.5F, 1}, {-0.25F, 1, 0.5F, 1},
                                  {-1.5F, 0, 0.5F, 1}, {1, 0.5F, 0.5F, 1},  {0.25F, 3, 0.5F, 1},
                                  {0, 0, 0.5F, 1},     {0.1F, 0, 0.5F, 1},  {0, 0.1F, 0.5F, 1}};
    VALKYR_TRY(buffer, device.create_buffer(sizeof(vertices), std::as_bytes(std::span(vertices))));
    PipelineDesc desc;
    VALKYR_TRY(vertex, device.create_shader(valkyr::test::kPlainVertex, "vs"));
    VALKYR_TRY(fragment, device.create_shader(valkyr::test::kPlainFragment, "fs"));
    desc.vertex = std::move(vertex);
    desc.fragment = std::move(fragment);
    desc.elements = {{0, 0, 0, Format::R32G32B32A32_FLOAT}};
    desc.strides = {16};
    DrawState state;
    VALKYR_TRY(pipeline, device.create_pipeline(desc));
    state.pipeline = std::move(pipeline);
    state.framebuffer = {{{color, 0, 0}}, {}};
    state.vertex_buffers = {{std::move(buffer), 0, UINT64_MAX}};
    state.viewport = Viewport::over(0, 0, kSize, kSize);
    return state;
}

Result<void> draw_twice(Device& device, const DrawState& state, Pixels& pixels) {
    ClearInfo clear;
    clear.color_targets = 1;
    VALKYR_TRY_VOID(device.clear(state.framebuffer, clear));
    DrawInfo draw;
    draw.count = 6;
    VALKYR_TRY(query, device.create_query(QueryKind::SamplesPassed));
    VALKYR_TRY_VOID(device.begin_query(query));
    VALKYR_TRY_VOID(device.draw(state, draw));
    draw.first = 6;
    draw.count = 3;
    draw.instance_count = kInstances;
    VALKYR_TRY_VOID(device.draw(state, draw));
    VALKYR_TRY_VOID(device.end_query(query));
    VALKYR_TRY_VOID(device.finish());
    return device.read_texture(state.framebuffer.color[0].texture, 0, {0, 0, 0, kSize, kSize, 1},
                               std::as_writable_bytes(std::span(pixels)), kSize * 4);
}

/// Uses a device as a program does. Like a program, it catches exceptions of its own allocations.
Result<void> use(Device& device, Pixels& pixels) {
    try {
        VALKYR_TRY(state, state_of(device));
        return draw_twice(device, state, pixels);
    } catch (const std::bad_alloc&) {
        return Error{Errc::OutOfMemory, {}, "the test's own"};
    }
}

DeviceOptions options_of(Engine engine, unsigned threads) {
    DeviceOptions options;
    options.engine = engine;
    options.threads = threads;
    return options;
}

/// The picture, drawn with enough memory.
const Pixels& expected_pixels() {
    static const Pixels pixels = [] {
        Pixels made{};
        auto device = gpu::create_device(options_of(Engine::Valhall, 1));
        REQUIRE(device.has_value());
        REQUIRE(use(**device, made).has_value());
        return made;
    }();
    return pixels;
}

void check_refusal(const Error& error) {
    CAPTURE(error.text);
    // System: no thread for a worker.
    CHECK((error.code == Errc::OutOfMemory || error.code == Errc::System));
    CHECK(!error.text.empty());
}

struct Setting {
    const char* name;
    Engine engine;
    unsigned threads;
};
constexpr std::array<Setting, 3> kSettings{{{"jit, 1 thread", Engine::Jit, 1},
                                            {"jit, 3 threads", Engine::Jit, 3},
                                            {"interpreter, 2 threads", Engine::Valhall, 2}}};

}  // namespace

TEST_CASE("a device that memory runs out for is refused, or draws the same picture") {
    for (const Setting& setting : kSettings) {
        CAPTURE(setting.name);
        const DeviceOptions options = options_of(setting.engine, setting.threads);
        const Pixels& expected = expected_pixels();
        auto pixels = std::make_unique<Pixels>();
        sweep_memory(60, [&](uint64_t first, uint64_t count) {
            pixels->fill(0);
            std::optional<Result<void>> done;
            uint64_t requests = 0;
            {
                const FailingMemory failing(first, count);
                auto device = gpu::create_device(options);
                done.emplace(device ? use(**device, *pixels) : Result<void>(device.error()));
                device = Error{};
                requests = FailingMemory::requests();
            }
            if (*done)
                CHECK(*pixels == expected);
            else
                check_refusal(done->error());
            CHECK((*done || first != UINT64_MAX));
            return requests;
        });
    }
}

TEST_CASE("a device that memory ran out for draws the right picture with the next calls") {
    for (const Setting& setting : kSettings) {
        CAPTURE(setting.name);
        const Pixels& expected = expected_pixels();
        auto pixels = std::make_unique<Pixels>();
        sweep_memory(60, [&](uint64_t first, uint64_t count) {
            auto device = gpu::create_device(options_of(setting.engine, setting.threads));
            REQUIRE(device.has_value());
            std::optional<Result<void>> done;
            uint64_t requests = 0;
            {
                const FailingMemory failing(first, count);
                done.emplace(use(**device, *pixels));
                requests = FailingMemory::requests();
            }
            if (*done)
                CHECK(*pixels == expected);
            else
                check_refusal(done->error());
            // The first finish() after lost draws reports the loss; this one at the latest.
            static_cast<void>((*device)->finish());
            pixels->fill(0);
            const auto again = use(**device, *pixels);
            CHECK_MESSAGE(again.has_value(), again.error().text);
            CHECK(*pixels == expected);
            return requests;
        });
    }
}

TEST_CASE("a state that was there before memory ran out can be drawn with afterwards") {
    const Pixels& expected = expected_pixels();
    auto pixels = std::make_unique<Pixels>();
    for (const Setting& setting : kSettings) {
        CAPTURE(setting.name);
        sweep_memory(60, [&](uint64_t first, uint64_t count) {
            auto device = gpu::create_device(options_of(setting.engine, setting.threads));
            REQUIRE(device.has_value());
            auto state = state_of(**device);
            REQUIRE(state.has_value());
            uint64_t requests = 0;
            {
                const FailingMemory failing(first, count);
                const auto done = draw_twice(**device, *state, *pixels);
                requests = FailingMemory::requests();
                if (!done)
                    CHECK(!done.error().text.empty());
            }
            static_cast<void>((*device)->finish());
            REQUIRE(draw_twice(**device, *state, *pixels).has_value());
            CHECK(*pixels == expected);
            return requests;
        });
    }
}

TEST_CASE("rendering that memory runs out for is an error of reads and of finish(), once") {
    auto device = gpu::create_device(options_of(Engine::Valhall, 2));
    REQUIRE(device.has_value());
    auto state = state_of(**device);
    REQUIRE(state.has_value());
    DrawInfo draw;
    draw.count = 6;
    REQUIRE((*device)->draw(*state, draw).has_value());
    auto pixels = std::make_unique<Pixels>();
    const auto read = [&] {
        return (*device)->read_texture(state->framebuffer.color[0].texture, 0,
                                       {0, 0, 0, kSize, kSize, 1},
                                       std::as_writable_bytes(std::span(*pixels)), kSize * 4);
    };
    Errc code = Errc::Syntax;
    {
        const FailingMemory failing(1, FailingMemory::kForever);
        const auto done = read();
        code = done ? Errc::Syntax : done.error().code;
    }
    CHECK(code == Errc::OutOfMemory);
    CHECK(!read());
    const auto finished = (*device)->finish();
    REQUIRE(!finished);
    CHECK(finished.error().code == Errc::OutOfMemory);
    CHECK((*device)->finish().has_value());
    CHECK(read().has_value());
}

TEST_CASE("a job that ends by an exception on some worker is finished by all others") {
    auto pool = ThreadPool::create(4);
    REQUIRE(pool.has_value());
    for (unsigned bad = 0; bad < 4; ++bad) {
        std::array<bool, 4> ended{};
        std::atomic<unsigned> begun = 0;
        const auto done = (*pool)->run(4, [&](unsigned worker) {
            // Worker 0 keeps the job open until all other workers have begun.
            ++begun;
            while (worker == 0 && begun != 4)
                std::this_thread::yield();
            if (worker == bad)
                throw std::bad_alloc();
            ended[worker] = true;
        });
        REQUIRE(!done);
        CHECK(done.error().code == Errc::OutOfMemory);
        CHECK(std::ranges::count(ended, true) == 3);
        CHECK((*pool)->run(4, [](unsigned) {}).has_value());
    }
    const auto refused = (*pool)->run(1, [](unsigned) {
        throw std::system_error(std::make_error_code(std::errc::too_many_files_open));
    });
    REQUIRE(!refused);
    CHECK(refused.error().code == Errc::System);
}

}  // namespace valkyr::test
