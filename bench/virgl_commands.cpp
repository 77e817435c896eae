// Virgl commands: times commands of an OpenGL client up to rasterization (bench_virgl).
// SPDX-License-Identifier: MIT
//
// Streams of many commands go through Context::execute on a device with one thread. Rendering is
// not timed.
#include "base/bits.hpp"
#include "gpu/create_device.hpp"
#include "virgl/commands/context.hpp"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace valkyr::virgl {
namespace {

constexpr uint32_t kCommands = 1000;
constexpr uint32_t kTargetHandle = 1;
constexpr uint32_t kBufferHandle = 2;
constexpr uint32_t kFirstTextureHandle = 3;
constexpr uint32_t kFirstViewHandle = 30;
constexpr uint32_t kTextures = 4;
constexpr uint32_t kTexturedHandle = 19;

// Command numbers of the virgl protocol (src/virgl/protocol).
enum : uint32_t {
    kCreateObject = 1,
    kBindObject = 2,
    kDestroyObject = 3,
    kSetViewport = 4,
    kSetFramebuffer = 5,
    kSetVertexBuffers = 6,
    kDraw = 8,
    kSetSamplerViews = 10,
    kSetIndexBuffer = 11,
    kSetConstants = 12,
    kBindSamplers = 18,
    kBindShader = 31,
};

constexpr std::string_view kVertexText =
    "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
constexpr std::string_view kFragmentText =
    "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0..7]\nMOV OUT[0], CONST[0]\nEND\n";
constexpr std::string_view kTexturedText =
    "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL CONST[0..7]\n"
    "DCL TEMP[0]\nTEX TEMP[0], CONST[0], SAMP[0], 2D\nMOV OUT[0], TEMP[0]\nEND\n";

class Silent final : public Observer {
public:
    void log(std::string_view /*client*/, std::string_view line) override {
        std::fprintf(stderr, "bench_virgl: %.*s\n", static_cast<int>(line.size()), line.data());
    }
    void shader(std::string_view /*client*/, std::string_view /*text*/) override {}
    bool wants_frame(uint64_t /*number*/) override { return false; }
    void frame(uint64_t /*number*/, const FramePixels& /*pixels*/) override {}
    void finished(std::string_view /*client*/, const Figures& /*figures*/) override {}
};

template <typename T>
T required(Result<T> result) {
    if (result)
        return std::move(*result);
    std::fprintf(stderr, "bench_virgl: %s\n", result.error().text.c_str());
    std::exit(1);
}

class Commands {
public:
    Commands& add(uint32_t command, const std::vector<uint32_t>& payload, uint32_t type = 0) {
        words.push_back(command | type << 8 | static_cast<uint32_t>(payload.size()) << 16);
        words.insert(words.end(), payload.begin(), payload.end());
        return *this;
    }
    Commands& text(uint32_t handle, uint32_t stage, std::string_view source) {
        std::vector<uint32_t> payload{handle, stage, static_cast<uint32_t>(source.size() + 1), 0,
                                      0};
        const size_t at = payload.size();
        payload.resize(at + source.size() / 4 + 1);
        std::memcpy(payload.data() + at, source.data(), source.size());
        return add(kCreateObject, payload, 4);
    }
    std::vector<uint32_t> words;
};

raster::DeviceOptions one_thread() {
    raster::DeviceOptions options;
    options.threads = 1;
    return options;
}

/// A client that has bound everything that a draw needs.
class Fixture {
public:
    Fixture()
        : device_(required(gpu::create_device(one_thread())))
        , context_(*device_, observer_) {
        ResourceDesc target;
        target.target = Target::Tex2D;
        target.format = 1;
        target.width = target.height = 256;
        required(context_.create_resource(kTargetHandle, target, 0));
        ResourceDesc buffer;
        buffer.format = 64;
        buffer.width = 4096;
        required(context_.create_resource(kBufferHandle, buffer, 4096));
        Commands s;
        s.add(kCreateObject, {10, kTargetHandle, 1, 0, 0}, 8).add(kSetFramebuffer, {1, 0, 10});
        const uint32_t half = as_bits(128.0F);
        s.add(kSetViewport, {0, half, half, as_bits(0.5F), half, half, as_bits(0.5F)});
        for (const uint32_t handle : {21U, 11U}) {
            // Handle 21 blends additively.
            const uint32_t equation =
                handle == 21 ? 1U | 1U << 4 | 1U << 9 | 1U << 17 | 1U << 22 : 0;
            std::vector<uint32_t> blend{handle, 0, 0};
            blend.resize(11, 0xFU << 27 | equation);
            s.add(kCreateObject, blend, 1);
        }
        s.add(kBindObject, {11}, 1);
        for (const uint32_t handle : {12U, 22U}) {
            const uint32_t cull = handle == 22 ? 1U << 8 : 0;
            s.add(kCreateObject,
                  {handle, 1U << 1 | 1U << 29 | cull, as_bits(1), 0, 0, as_bits(1), 0, 0, 0}, 2);
        }
        s.add(kBindObject, {12}, 2);
        s.add(kCreateObject, {13, 0, 0, 0, 0}, 3).add(kBindObject, {13}, 3);
        s.add(kCreateObject, {14, 0, 0, 0, 31}, 5).add(kBindObject, {14}, 5);
        s.text(15, 0, kVertexText).text(16, 1, kFragmentText);
        s.add(kBindShader, {15, 0}).add(kBindShader, {16, 1});
        s.add(kCreateObject, {17, 0, 0, 0, 0, 0, 0, 0, 0}, 7);
        s.add(kCreateObject, {18, kTargetHandle, 1, 0, 0, 05210}, 6);
        s.text(kTexturedHandle, 1, kTexturedText);
        for (uint32_t i = 0; i < kTextures; ++i) {
            target.width = target.height = 16;
            required(context_.create_resource(kFirstTextureHandle + i, target, 0));
            s.add(kCreateObject, {kFirstViewHandle + i, kFirstTextureHandle + i, 1, 0, 0, 05210},
                  6);
        }
        s.add(kSetVertexBuffers, {16, 0, kBufferHandle})
            .add(kSetIndexBuffer, {kBufferHandle, 2, 0});
        s.add(kSetConstants, std::vector<uint32_t>(34, 0));
        run(s);
    }

    void run(const Commands& s) {
        const auto done = context_.execute(s.words);
        if (!done) {
            std::fprintf(stderr, "bench_virgl: %s\n", done.error().text.c_str());
            std::exit(1);
        }
    }
    void finish() { context_.finish(); }

private:
    Silent observer_;
    std::unique_ptr<raster::Device> device_;
    Context context_;
};

/// Executes the commands that `make` adds for i = 0, 1, ...; the time is per command.
template <typename Make>
void measure(benchmark::State& state, uint32_t per_step, Make&& make) {
    Fixture fixture;
    Commands s;
    for (uint32_t i = 0; i < kCommands; ++i)
        make(s, i);
    fixture.run(s);
    fixture.finish();
    for ([[maybe_unused]] auto _ : state) {
        fixture.run(s);
        state.PauseTiming();
        fixture.finish();
        state.ResumeTiming();
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kCommands * per_step);
    state.counters["ns"] =
        benchmark::Counter(static_cast<double>(state.iterations()) * kCommands * per_step * 1e-9,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void add_draw(Commands& s, bool indexed) {
    s.add(kDraw, {0, 3, 4, indexed ? 1U : 0U, 1, 0, 0, 0, 0, 0, 0xFFFFFFFF, 0});
}

// The time of these three is per draw, including the command that makes the named change.
void draw_that_changes_nothing(benchmark::State& state) {
    measure(state, 1, [](Commands& s, uint32_t) { add_draw(s, false); });
}
void draw_that_changes_uniforms(benchmark::State& state) {
    measure(state, 1, [](Commands& s, uint32_t i) {
        std::vector<uint32_t> constants(34, i);
        constants[0] = 1;
        constants[1] = 0;
        s.add(kSetConstants, constants);
        add_draw(s, false);
    });
}
void draw_that_changes_textures_and_blend(benchmark::State& state) {
    measure(state, 1, [](Commands& s, uint32_t i) {
        if (i == 0)
            s.add(kBindShader, {kTexturedHandle, 1}).add(kBindSamplers, {1, 0, 17});
        s.add(kSetSamplerViews, {1, 0, kFirstViewHandle + i % kTextures});
        s.add(kBindObject, {i % 2 == 0 ? 11U : 21U}, 1);
        add_draw(s, false);
    });
}
void draw_indexed(benchmark::State& state) {
    measure(state, 1, [](Commands& s, uint32_t) { add_draw(s, true); });
}
void draw_with_changes(benchmark::State& state) {
    measure(state, 4, [](Commands& s, uint32_t i) {
        std::vector<uint32_t> constants(34, i);
        constants[0] = 1;
        constants[1] = 0;
        s.add(kSetConstants, constants);
        s.add(kSetVertexBuffers, {16, i % 64, kBufferHandle});
        s.add(kSetIndexBuffer, {kBufferHandle, 2, i % 16 * 2});
        add_draw(s, true);
    });
}
void draw_after_rasterizer(benchmark::State& state) {
    measure(state, 2, [](Commands& s, uint32_t i) {
        s.add(kBindObject, {i % 2 == 0 ? 12U : 22U}, 2);
        add_draw(s, false);
    });
}
void set_constants(benchmark::State& state) {
    measure(state, 1,
            [](Commands& s, uint32_t) { s.add(kSetConstants, std::vector<uint32_t>(34, 0)); });
}
void set_vertex_buffers(benchmark::State& state) {
    measure(state, 1, [](Commands& s, uint32_t) {
        s.add(kSetVertexBuffers, {16, 0, kBufferHandle, 16, 16, kBufferHandle});
    });
}
void set_index_buffer(benchmark::State& state) {
    measure(state, 1, [](Commands& s, uint32_t) { s.add(kSetIndexBuffer, {kBufferHandle, 2, 0}); });
}
void bind_object(benchmark::State& state) {
    measure(state, 1,
            [](Commands& s, uint32_t i) { s.add(kBindObject, {i % 2 == 0 ? 12U : 22U}, 2); });
}
void bind_shader(benchmark::State& state) {
    measure(state, 1, [](Commands& s, uint32_t) { s.add(kBindShader, {16, 1}); });
}
void set_sampler_views(benchmark::State& state) {
    measure(state, 1, [](Commands& s, uint32_t) { s.add(kSetSamplerViews, {1, 0, 18}); });
}
void bind_samplers(benchmark::State& state) {
    measure(state, 1, [](Commands& s, uint32_t) { s.add(kBindSamplers, {1, 0, 17}); });
}
void create_and_destroy(benchmark::State& state) {
    measure(state, 2, [](Commands& s, uint32_t) {
        s.add(kCreateObject, {99, 1U << 1 | 1U << 29, as_bits(1), 0, 0, as_bits(1), 0, 0, 0}, 2);
        s.add(kDestroyObject, {99}, 2);
    });
}

BENCHMARK(draw_that_changes_nothing);
BENCHMARK(draw_that_changes_uniforms);
BENCHMARK(draw_that_changes_textures_and_blend);
BENCHMARK(draw_indexed);
BENCHMARK(draw_with_changes);
BENCHMARK(draw_after_rasterizer);
BENCHMARK(set_constants);
BENCHMARK(set_vertex_buffers);
BENCHMARK(set_index_buffer);
BENCHMARK(bind_object);
BENCHMARK(bind_shader);
BENCHMARK(set_sampler_views);
BENCHMARK(bind_samplers);
BENCHMARK(create_and_destroy);

}  // namespace
}  // namespace valkyr::virgl

BENCHMARK_MAIN();
