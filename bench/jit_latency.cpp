// JIT latency: times shaders to host code (bench_jit, Google Benchmark).
// SPDX-License-Identifier: MIT
//
// "recompile": words to callable code. "from_text": TGSI text to callable code. "new_blend_state":
// code of a known program for another state. Times include the destruction of the kernel.
// "known_state": the rasterizer's cache finds a kernel that it already has. Code for levels that
// this processor lacks is emitted, but not copied to executable memory.
#include "gpu/shader_cache.hpp"
#include "jit/recompiler.hpp"
#include "raster/record/shader_cache.hpp"
#include "raster/resource/resource.hpp"
#include "tgsi/text/parser.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <array>
#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace valkyr::bench {

/// The text of bench/shaders/<name> (embedded).
std::string_view latency_shader(std::string_view name);

namespace {

/// The value; an error ends the program with its text.
template <typename T>
T value_of(Result<T> result) {
    if (result)
        return std::move(*result);
    std::fprintf(stderr, "bench_jit: %s\n", result.error().text.c_str());
    std::exit(1);
}

std::unique_ptr<jit::Recompiler> recompiler_for(jit::HostLevel level) {
    jit::RecompilerOptions options;
    options.listing_only = !jit::host_supports(level);
    return value_of(jit::Recompiler::create(level, options));
}

tgsi::Shader parsed(std::string_view name) {
    tgsi::ParseResult result = tgsi::parse(latency_shader(name));
    if (!result.ok())
        return value_of(Result<tgsi::Shader>(result.errors.front()));
    return std::move(result.shader);
}

exec::FragmentKey opaque_key() {
    exec::FragmentKey key{};
    key.blend[0].format = exec::Format::R8G8B8A8_UNORM;
    key.blend[0].write_mask = 0xF;
    return key;
}

exec::FragmentKey blended_key() {
    exec::FragmentKey key = opaque_key();
    key.blend[0].enable = true;
    key.blend[0].rgb_src = key.blend[0].alpha_src = exec::BlendFactor::SrcAlpha;
    key.blend[0].rgb_dst = key.blend[0].alpha_dst = exec::BlendFactor::InvSrcAlpha;
    return key;
}

/// Adds two unused uniform words, so that each program is new to the recompiler, which caches
/// decoded programs.
void add_number(valhall::Program& program, uint32_t number) {
    program.fau.resize(program.fau.size() + 2);
    program.fau.back().value = number;
}

void recompile(benchmark::State& state, jit::HostLevel level, std::string_view name) {
    const auto recompiler = recompiler_for(level);
    valhall::Program program = value_of(valhall::compile(parsed(name)));
    add_number(program, 0);
    const exec::FragmentKey key = opaque_key();
    jit::KernelKey kernel_key;
    kernel_key.fragment = &key;
    size_t bytes = 0;
    for ([[maybe_unused]] auto _ : state) {
        ++program.fau.back().value;
        const auto kernel = value_of(recompiler->recompile(program, kernel_key));
        bytes = kernel->code_bytes();
    }
    state.counters["words"] = static_cast<double>(program.words.size());
    state.counters["code_bytes"] = static_cast<double>(bytes);
}

void from_text(benchmark::State& state, jit::HostLevel level, std::string_view name) {
    const auto recompiler = recompiler_for(level);
    const exec::FragmentKey key = opaque_key();
    jit::KernelKey kernel_key;
    kernel_key.fragment = &key;
    uint32_t number = 0;
    for ([[maybe_unused]] auto _ : state) {
        const tgsi::Shader shader = parsed(name);
        valhall::Program program = value_of(valhall::compile(shader));
        add_number(program, ++number);
        benchmark::DoNotOptimize(value_of(recompiler->recompile(program, kernel_key)));
    }
}

void new_blend_state(benchmark::State& state, jit::HostLevel level, std::string_view name) {
    const auto recompiler = recompiler_for(level);
    const valhall::Program program = value_of(valhall::compile(parsed(name)));
    const std::array<exec::FragmentKey, 2> keys = {opaque_key(), blended_key()};
    size_t next = 0;
    for ([[maybe_unused]] auto _ : state) {
        jit::KernelKey kernel_key;
        kernel_key.fragment = &keys[next ^= 1];
        benchmark::DoNotOptimize(value_of(recompiler->recompile(program, kernel_key)));
    }
}

/// Looks up a stage's kernels for range(0) states in turn.
void known_state(benchmark::State& state) {
    const raster::DeviceTag owner;
    const auto cache = value_of(gpu::make_shader_cache({}));
    const auto vertex = value_of(cache->shader(
        &owner, "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n", "vs"));
    const auto fragment_shader =
        value_of(cache->shader(&owner,
                               "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 0.5, 0.0, 1.0}\n"
                               "  0: MOV OUT[0], IMM[0]\n  1: END\n",
                               "fs"));
    raster::PipelineDesc pipeline;
    pipeline.vertex = vertex;
    pipeline.fragment = fragment_shader;
    const raster::LinkedStages linked = value_of(cache->link(&owner, pipeline));
    const auto& fragment = *linked.programs[static_cast<size_t>(raster::DrawStage::Fragment)];
    std::vector<exec::FragmentKey> keys(static_cast<size_t>(state.range(0)), opaque_key());
    for (size_t i = 0; i < keys.size(); ++i) {
        keys[i].blend[0].write_mask = static_cast<uint8_t>(i % 16);
        keys[i].blend[0].alpha_func = static_cast<exec::BlendFunc>(i / 16 % 4);
    }
    size_t next = 0;
    for ([[maybe_unused]] auto _ : state) {
        next = next + 1 < keys.size() ? next + 1 : 0;
        benchmark::DoNotOptimize(value_of(fragment.kernel(keys[next])));
    }
}

void add_benchmarks() {
    benchmark::RegisterBenchmark("known_state", known_state)->Arg(1)->Arg(2)->Arg(64);
    using Run = void (*)(benchmark::State&, jit::HostLevel, std::string_view);
    constexpr std::pair<const char*, Run> kinds[] = {
        {"recompile", recompile}, {"from_text", from_text}, {"new_blend_state", new_blend_state}};
    for (const auto& [kind, run] : kinds)
        for (jit::HostLevel level :
             {jit::HostLevel::Avx2, jit::HostLevel::Avx512, jit::HostLevel::Neon})
            for (const char* name : {"noise.frag.tgsi", "phong.frag.tgsi", "texture.frag.tgsi"}) {
                const std::string title =
                    std::string(kind) + "/" + std::string(jit::host_level_name(level)) + "/" + name;
                benchmark::RegisterBenchmark(title.c_str(), run, level, name)
                    ->Unit(benchmark::kMicrosecond);
            }
}

}  // namespace
}  // namespace valkyr::bench

int main(int argc, char** argv) {
    valkyr::bench::add_benchmarks();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    benchmark::RunSpecifiedBenchmarks();
}
