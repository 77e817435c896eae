// Cancellation: times how soon long work ends after Device::cancel() (bench_cancel).
// SPDX-License-Identifier: MIT
//
// A thread starts work that takes seconds to hours on a device. After a delay, another thread calls
// Device::cancel(), as the server does when a client disconnects or the server is stopped. The
// measured time lasts from that call until the work has returned. Each kind of work is cancelled
// after several delays; the counter `worst_ms` is the slowest. Up to 9 GiB of memory are used.
#include "gpu/create_device.hpp"
#include "raster/device.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace valkyr::raster {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kLarge = 16384;  ///< side of the largest texture
constexpr std::string_view kPlainVertex =
    "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n";
constexpr std::string_view kPlainFragment =
    "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 { 1.0, 0.5, 0.25, 1.0}\n"
    "  0: MOV OUT[0], IMM[0]\n  1: END\n";
constexpr std::string_view kEndless =
    "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nDCL TEMP[0]\n"
    "  0: BGNLOOP\n  1:   ADD TEMP[0], TEMP[0], CONST[0]\n  2:   IF CONST[0].yyyy\n"
    "  3:     BRK\n  4:   ENDIF\n  5: ENDLOOP\n  6: MOV OUT[0], TEMP[0]\n  7: END\n";

template <typename T>
T required(Result<T> result) {
    if (result)
        return std::move(*result);
    std::fprintf(stderr, "bench_cancel: %s\n", result.error().text.c_str());
    std::exit(1);
}
void required(const Result<void>& result) {
    if (result)
        return;
    std::fprintf(stderr, "bench_cancel: %s\n", result.error().text.c_str());
    std::exit(1);
}

/// A fragment shader of `count` instructions made by `line(i)`, between a head with 16 temporaries
/// and an end that reads all of them.
std::string long_shader(uint32_t count,
                        std::string_view head,
                        const std::function<std::string(uint32_t)>& line) {
    std::string text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
                       "DCL TEMP[0..15]\nDCL CONST[0..255]\n";
    text += head;
    uint32_t number = 0;
    const auto add = [&](const std::string& instruction) {
        text += std::to_string(number++) + ": " + instruction + "\n";
    };
    for (uint32_t i = 0; i < 16; ++i)
        add("MOV TEMP[" + std::to_string(i) + "], IN[0]");
    for (uint32_t i = 0; i < count; ++i)
        add(line(i));
    for (uint32_t i = 1; i < 16; ++i)
        add("ADD TEMP[0], TEMP[0], TEMP[" + std::to_string(i) + "]");
    add("MOV OUT[0], TEMP[0]");
    add("END");
    return text;
}

std::string temp(uint32_t i) {
    return "TEMP[" + std::to_string(i % 16) + "]";
}

/// The largest accepted shaders, each slow in another part of the compilers.
std::string many_powers() {
    return long_shader(65000, "", [](uint32_t i) {
        return "POW " + temp(i) + ", " + temp(i * 7 + 3) + ".xxxx, " + temp(i * 5 + 1) + ".yyyy";
    });
}
std::string many_products() {
    return long_shader(65000, "", [](uint32_t i) {
        return "MAD " + temp(i) + ", CONST[" + std::to_string(i % 256) + "], " + temp(i * 5 + 1) +
               ".yzwx, " + temp(i * 11 + 2);
    });
}
std::string nested_loops() {
    constexpr uint32_t kDepth = 120;
    constexpr uint32_t kEach = 500;
    constexpr uint32_t kOpened = kDepth * (kEach + 4);
    return long_shader(kOpened + kDepth, "", [](uint32_t i) {
        const uint32_t k = i % (kEach + 4);
        if (i >= kOpened)
            return std::string("ENDLOOP");
        if (k == 0)
            return std::string("BGNLOOP");
        if (k < 4)
            return std::array{std::string("IF ") + temp(i / kEach) + ".xxxx", std::string("BRK"),
                              std::string("ENDIF")}[k - 1];
        return "MAD TEMP[" + std::to_string(i % 4) + "], TEMP[" + std::to_string(i * 7 % 4) +
               "], TEMP[" + std::to_string(i * 3 % 4) + "].yzwx, TEMP[1]";
    });
}
std::string many_branches() {
    return long_shader(64000, "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n", [](uint32_t i) {
        switch (i % 4) {
        case 0: return "IF TEMP[" + std::to_string(i % 3) + "].xxxx";
        case 1: return "TEX TEMP[" + std::to_string(i % 4) + "], TEMP[2], SAMP[0], 2D";
        case 2: return std::string("ADD TEMP[1], TEMP[1], TEMP[3]");
        default: return std::string("ENDIF");
        }
    });
}
std::string many_samples(std::string_view target) {
    return long_shader(
        65000, "DCL SAMP[0]\nDCL SVIEW[0], " + std::string(target) + ", FLOAT\n", [&](uint32_t i) {
            return "TEX " + temp(i) + ", " + temp(i * 7 + 3) + ", SAMP[0], " + std::string(target);
        });
}
/// A loop without an end whose body is `count` instructions long.
std::string long_loop(uint32_t count) {
    return long_shader(count + 5, "", [count](uint32_t i) {
        if (i == 0)
            return std::string("BGNLOOP");
        if (i <= 3)
            return std::array{"IF CONST[0].yyyy", "BRK", "ENDIF"}[i - 1] + std::string();
        if (i == count + 4)
            return std::string("ENDLOOP");
        return "MAD " + temp(i) + ", " + temp(i * 7 + 3) + ", " + temp(i * 5 + 1) + ".yzwx, " +
               temp(i * 11 + 2);
    });
}

/// A device with a pipeline, a triangle that covers everything, and a target.
class Bench {
public:
    explicit Bench(Host host = Host::Auto) {
        DeviceOptions options;
        options.host = host;
        device = required(gpu::create_device(options));
    }

    TextureRef texture(Format format, uint32_t side, uint32_t samples = 1, uint32_t levels = 1) {
        TextureDesc desc;
        desc.kind = samples > 1 ? TextureKind::Tex2DMs : TextureKind::Tex2D;
        desc.format = format;
        desc.width = desc.height = side;
        desc.samples = samples;
        desc.levels = levels;
        desc.render_target = true;
        return required(device->create_texture(desc));
    }

    /// A triangle over a target of `side` pixels a side.
    void set_up(uint32_t side, std::string_view vertex, std::string_view fragment) {
        constexpr std::array<std::array<float, 4>, 3> kCorners{
            {{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}}};
        const BufferRef corners =
            required(device->create_buffer(sizeof kCorners, std::as_bytes(std::span(kCorners))));
        PipelineDesc desc;
        desc.vertex = required(device->create_shader(vertex));
        desc.fragment = required(device->create_shader(fragment));
        desc.elements = {{0, 0, 0, Format::R32G32B32A32_FLOAT}};
        desc.strides = {16};
        state.pipeline = required(device->create_pipeline(desc));
        state.framebuffer.color = {{texture(Format::R8G8B8A8_UNORM, side)}};
        const auto pixels = static_cast<float>(side);
        state.viewport = Viewport::over(0, 0, pixels, pixels);
        state.scissor = {0, 0, static_cast<int32_t>(side), static_cast<int32_t>(side)};
        state.vertex_buffers = {{corners}};
        state.fragment().constants = {std::vector<uint32_t>(1024)};
    }

    void bind_texture(const TextureRef& source, uint8_t anisotropy) {
        TextureView view;
        view.texture = source;
        SamplerState sampler;
        sampler.min_filter = sampler.mag_filter = Filter::Linear;
        sampler.mip_filter = MipFilter::Linear;
        sampler.max_anisotropy = anisotropy;
        state.fragment().textures = {view};
        state.fragment().samplers = {sampler};
    }

    std::unique_ptr<Device> device;
    DrawState state;
};

/// Prepares something and returns the work that is to be cancelled.
using Prepare = std::function<std::function<void()>(Bench&)>;

/// Starts the work and cancels it after `delay`. Returns the milliseconds from then to the work's
/// end; negative if the work had ended before.
double cancelled_after(const Prepare& prepare, Host host, Clock::duration delay) {
    Bench bench(host);
    const std::function<void()> work = prepare(bench);
    std::atomic<bool> begun = false;
    std::atomic<bool> ended = false;
    Clock::time_point end;
    std::thread worker([&] {
        begun = true;
        work();
        end = Clock::now();
        ended = true;
    });
    while (!begun)
        std::this_thread::yield();
    std::this_thread::sleep_for(delay);
    const bool early = ended;
    const auto start = Clock::now();
    bench.device->cancel();
    worker.join();
    return early ? -1 : std::chrono::duration<double, std::milli>(end - start).count();
}

void run(benchmark::State& state, const Prepare& prepare, Host host, bool compiles) {
    double worst = 0;
    int runs = 0;
    for (auto _ : state) {
        // Compiling takes less than a second: short delays hit every part of it.
        const int delay = compiles ? 8 + 37 * runs : 30 + 70 * runs;
        ++runs;
        const double ms = cancelled_after(prepare, host, std::chrono::milliseconds(delay));
        worst = std::max(worst, ms);
        state.SetIterationTime(std::max(ms, 0.0) / 1000);
        state.counters["ended_before"] += ms < 0 ? 1 : 0;
    }
    state.counters["worst_ms"] = worst;
}

std::function<void()> draws(Bench& bench, const DrawInfo& info) {
    required(bench.device->draw(bench.state, info));
    return [&bench] { (void)bench.device->finish(); };
}

std::function<void()> instances(Bench& bench) {
    bench.set_up(64, kPlainVertex, kPlainFragment);
    return draws(bench, {.count = 3, .instance_count = 100'000'000});
}

std::function<void()> indices(Bench& bench, uint32_t restart) {
    bench.set_up(64, kPlainVertex, kPlainFragment);
    // Indices behind the end of a buffer are 0.
    bench.state.index_buffer = {required(bench.device->create_buffer(64))};
    bench.state.index_type = IndexType::U32;
    const DrawInfo info{.count = UINT32_MAX, .primitive_restart = true, .restart_index = restart};
    return draws(bench, info);
}

std::function<void()> heavy_pixels(Bench& bench, const std::string& shader) {
    bench.set_up(kLarge, kPlainVertex, shader);
    TextureDesc desc;
    desc.format = Format::R8G8B8A8_UNORM;
    desc.width = desc.height = 256;
    desc.levels = 9;
    bench.bind_texture(required(bench.device->create_texture(desc)), 16);
    return draws(bench, {.count = 3});
}

std::function<void()> heavy_vertices(Bench& bench) {
    std::string text =
        "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL TEMP[0]\n0: MOV TEMP[0], IN[0]\n";
    for (uint32_t i = 1; i <= 60000; ++i)
        text += std::to_string(i) + ": SIN TEMP[0].xyz, TEMP[0]." + "xyzw"[i % 3] + "xxx\n";
    text += "60001: MOV OUT[0], TEMP[0]\n60002: END\n";
    bench.set_up(64, text, kPlainFragment);
    return draws(bench, {.count = 30'000'000});
}

std::function<void()> endless(Bench& bench, const std::string& shader) {
    bench.set_up(1024, kPlainVertex, shader);
    return draws(bench, {.count = 3});
}

BlitInfo blit_of(const TextureRef& from, const TextureRef& to) {
    const auto region = [](const TextureRef& texture) {
        BlitRegion r;
        r.texture = texture;
        r.width = static_cast<int32_t>(texture->desc().width);
        r.height = static_cast<int32_t>(texture->desc().height);
        return r;
    };
    BlitInfo info;
    info.source = region(from);
    info.destination = region(to);
    return info;
}

std::function<void()> blit(Bench& bench, Format from, Format to, uint32_t samples, Filter filter) {
    BlitInfo info = blit_of(bench.texture(from, samples > 1 ? kLarge / 2 : kLarge, samples),
                            bench.texture(to, kLarge));
    info.filter = filter;
    return [&bench, info] { (void)bench.device->blit(info); };
}

/// Generates mip levels by blits, as drivers do.
std::function<void()> mip_chain(Bench& bench) {
    const TextureRef texture = bench.texture(Format::R16G16B16A16_FLOAT, kLarge, 1, 15);
    return [&bench, texture] {
        for (uint32_t level = 1; level < 15; ++level) {
            BlitInfo info = blit_of(texture, texture);
            info.source.level = level - 1;
            info.source.width = info.source.height = static_cast<int32_t>(kLarge >> (level - 1));
            info.destination.level = level;
            info.destination.width = info.destination.height =
                static_cast<int32_t>(kLarge >> level);
            info.filter = Filter::Linear;
            (void)bench.device->blit(info);
        }
    };
}

std::function<void()> copy(Bench& bench) {
    const TextureRef from = bench.texture(Format::R16G16B16A16_FLOAT, kLarge);
    const TextureRef to = bench.texture(Format::R16G16B16A16_FLOAT, kLarge);
    return [&bench, from, to] {
        (void)bench.device->copy_texture(to, 0, 0, 0, 0, from, 0,
                                         {.width = kLarge, .height = kLarge});
    };
}

std::function<void()> copy_buffers(Bench& bench) {
    constexpr uint64_t size = uint64_t{4} << 30;
    const BufferRef from = required(bench.device->create_buffer(size));
    const BufferRef to = required(bench.device->create_buffer(size));
    return [&bench, from, to] { (void)bench.device->copy_buffer(to, 0, from, 0, size); };
}

std::function<void()> fill(Bench& bench) {
    constexpr uint64_t size = uint64_t{4} << 30;
    const BufferRef to = required(bench.device->create_buffer(size));
    return [&bench, to] {
        constexpr std::array<std::byte, 3> kPattern{};
        (void)bench.device->fill_buffer(to, 0, size, kPattern);
    };
}

std::function<void()> clear(Bench& bench, bool whole) {
    const TextureRef to = bench.texture(Format::R32G32B32A32_FLOAT, kLarge);
    return [&bench, to, whole] {
        const Box box{.width = kLarge, .height = kLarge};
        Framebuffer framebuffer;
        framebuffer.color = {{to}};
        ClearInfo info;
        info.color_targets = 1;
        if (!whole)
            info.rect = Rect{1, 1, kLarge, kLarge};
        required(bench.device->clear(framebuffer, info));
        // Reading writes the tiles that a clear has only marked.
        std::vector<std::byte> texel(16);
        (void)bench.device->read_texture(to, 0, {.width = 1, .height = 1}, texel, 16);
        (void)bench.device->clear_texture(to, 0, box, {1, 2, 3, 4});
    };
}

std::function<void()> upload(Bench& bench, Format format, size_t bytes) {
    const TextureRef to = [&] {
        TextureDesc desc;
        desc.format = format;
        desc.width = desc.height = kLarge;
        return required(bench.device->create_texture(desc));
    }();
    const size_t stride = bytes / (format == Format::R8G8B8A8_UNORM ? kLarge : kLarge / 4);
    auto data = std::make_shared<std::vector<std::byte>>(bytes, std::byte{0x5A});
    return [&bench, to, data, stride] {
        (void)bench.device->write_texture(to, 0, {.width = kLarge, .height = kLarge}, *data,
                                          stride);
    };
}

std::function<void()> download(Bench& bench) {
    const TextureRef from = bench.texture(Format::R16G16B16A16_FLOAT, kLarge / 2, 8);
    auto data = std::make_shared<std::vector<std::byte>>(size_t{kLarge / 2} * kLarge / 2 * 8);
    return [&bench, from, data] {
        (void)bench.device->read_texture(from, 0, {.width = kLarge / 2, .height = kLarge / 2},
                                         *data, size_t{kLarge / 2} * 8);
    };
}

std::function<void()> create(Bench& bench) {
    return [&bench] {
        TextureDesc desc;
        desc.format = Format::R32G32B32A32_FLOAT;
        desc.width = desc.height = kLarge;
        (void)bench.device->create_texture(desc);
    };
}

std::function<void()> compile(Bench& bench, const std::string& text) {
    bench.set_up(64, kPlainVertex, kPlainFragment);
    TextureDesc desc;
    desc.format = Format::R8G8B8A8_UNORM;
    bench.bind_texture(required(bench.device->create_texture(desc)), 1);
    return [&bench, text] {
        PipelineDesc pipeline;
        pipeline.vertex = required(bench.device->create_shader(kPlainVertex));
        auto fragment = bench.device->create_shader(text);
        if (!fragment)
            return;
        pipeline.fragment = *fragment;
        pipeline.elements = {{0, 0, 0, Format::R32G32B32A32_FLOAT}};
        pipeline.strides = {16};
        auto made = bench.device->create_pipeline(pipeline);
        if (!made)
            return;
        DrawState state = bench.state;
        state.pipeline = *made;
        (void)bench.device->draw(state, {.count = 3});  // makes the kernels
    };
}

void add(const std::string& name, Prepare prepare, Host host = Host::Auto) {
    const bool compiles = name.starts_with("compile");
    benchmark::RegisterBenchmark(
        name.c_str(), [prepare = std::move(prepare), host,
                       compiles](benchmark::State& state) { run(state, prepare, host, compiles); })
        ->UseManualTime()
        ->Iterations(compiles ? 20 : 5)
        ->Unit(benchmark::kMillisecond);
}

void add_draws() {
    add("draw/instances", instances);
    add("draw/indices", [](Bench& b) { return indices(b, UINT32_MAX); });
    add("draw/restarts", [](Bench& b) { return indices(b, 0); });
    add("draw/vertices", heavy_vertices);
    add("draw/pixels/alu", [](Bench& b) { return heavy_pixels(b, many_powers()); });
    add("draw/pixels/2d", [](Bench& b) { return heavy_pixels(b, many_samples("2D")); });
    add("draw/endless", [](Bench& b) { return endless(b, std::string(kEndless)); });
    for (const uint32_t body : {100U, 1000U, 60000U})
        add("draw/endless/" + std::to_string(body),
            [body](Bench& b) { return endless(b, long_loop(body)); });
}

void add_transfers() {
    constexpr Format kBytes = Format::R8G8B8A8_UNORM;
    constexpr Format kHalf = Format::R16G16B16A16_FLOAT;
    add("blit/bytes",
        [](Bench& b) { return blit(b, kBytes, Format::B8G8R8A8_UNORM, 1, Filter::Nearest); });
    add("blit/texels", [](Bench& b) { return blit(b, kBytes, kHalf, 1, Filter::Nearest); });
    add("blit/resolve", [](Bench& b) { return blit(b, kHalf, kHalf, 8, Filter::Linear); });
    add("blit/resolve_bytes", [](Bench& b) { return blit(b, kBytes, kBytes, 8, Filter::Linear); });
    add("mip_chain", mip_chain);
    add("copy/texture", copy);
    add("copy/buffer", copy_buffers);
    add("clear/whole", [](Bench& b) { return clear(b, true); });
    add("clear/rectangle", [](Bench& b) { return clear(b, false); });
    add("fill/buffer", fill);
    add("create/texture", create);
    add("upload/texels", [](Bench& b) { return upload(b, kBytes, size_t{1} << 30); });
    add("upload/blocks",
        [](Bench& b) { return upload(b, Format::BC7_RGBA_UNORM, size_t{kLarge} * kLarge); });
    add("download/samples", download);
}

void add_compiles() {
    for (const auto& [suffix, host] : {std::pair("", Host::Auto), std::pair("/avx2", Host::Avx2)}) {
        add(
            std::string("compile/powers") + suffix,
            [](Bench& b) { return compile(b, many_powers()); }, host);
        add(
            std::string("compile/products") + suffix,
            [](Bench& b) { return compile(b, many_products()); }, host);
        add(
            std::string("compile/loops") + suffix,
            [](Bench& b) { return compile(b, nested_loops()); }, host);
        add(
            std::string("compile/branches") + suffix,
            [](Bench& b) { return compile(b, many_branches()); }, host);
    }
}

}  // namespace
}  // namespace valkyr::raster

int main(int argc, char** argv) {
    valkyr::raster::add_draws();
    valkyr::raster::add_transfers();
    valkyr::raster::add_compiles();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
