// Compile latency: times TGSI text to Valhall words (bench_compile, Google Benchmark).
// SPDX-License-Identifier: MIT
//
// "parse": text to shader. "compile": shader to words. "from_text": both. Shaders: 10 to 10,000
// dense MADs, each on four components, reading results of the last few; the embedded latency
// shaders; files named on the command line.
#include "tgsi/text/parser.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace valkyr::bench {

/// The text of bench/shaders/<name> (embedded).
std::string_view latency_shader(std::string_view name);

namespace {

[[noreturn]] void fail(const std::string& text) {
    std::fprintf(stderr, "bench_compile: %s\n", text.c_str());
    std::exit(1);
}

tgsi::Shader parsed(const std::string& text) {
    tgsi::ParseResult result = tgsi::parse(text);
    if (!result.ok())
        fail(result.errors.front().text);
    return std::move(result.shader);
}

valhall::Program compiled(const tgsi::Shader& shader) {
    auto result = valhall::compile(shader);
    if (!result)
        fail(result.error().text);
    return std::move(*result);
}

std::string temp(unsigned i) {
    return "TEMP[" + std::to_string(i % 8) + "]";
}

/// `count` instructions, nearly all of them MADs on four components.
std::string dense_mads(unsigned count) {
    std::string text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
                       "DCL TEMP[0..7]\n";
    unsigned line = 0;
    const auto add = [&](const std::string& instruction) {
        text += "  " + std::to_string(line++) + ": " + instruction + "\n";
    };
    for (unsigned i = 0; i < 8 && i + 2 < count; ++i)
        add("MOV " + temp(i) + ", IN[0]");
    while (line + 2 < count)
        add("MAD " + temp(line) + ", " + temp(line * 5 + 1) + ".yzwx, IN[0], " +
            temp(line * 3 + 2));
    add("MOV OUT[0], " + temp(line - 1));
    add("END");
    return text;
}

std::string file_text(const char* path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        fail(std::string("cannot read ") + path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void parse(benchmark::State& state, const std::string& text) {
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(parsed(text));
}

void compile(benchmark::State& state, const std::string& text) {
    const tgsi::Shader shader = parsed(text);
    size_t words = 0;
    for ([[maybe_unused]] auto _ : state)
        words = compiled(shader).words.size();
    state.counters["instructions"] = static_cast<double>(shader.instructions.size());
    state.counters["words"] = static_cast<double>(words);
}

void from_text(benchmark::State& state, const std::string& text) {
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(compiled(parsed(text)));
}

void add_benchmarks(const std::string& name, const std::string& text) {
    using Run = void (*)(benchmark::State&, const std::string&);
    constexpr std::pair<const char*, Run> kinds[] = {
        {"parse", parse}, {"compile", compile}, {"from_text", from_text}};
    for (const auto& [kind, run] : kinds)
        benchmark::RegisterBenchmark((std::string(kind) + "/" + name).c_str(), run, text)
            ->Unit(benchmark::kMicrosecond);
}

}  // namespace
}  // namespace valkyr::bench

int main(int argc, char** argv) {
    namespace bench = valkyr::bench;
    benchmark::Initialize(&argc, argv);
    for (const unsigned count : {10U, 100U, 1000U, 10000U})
        bench::add_benchmarks("mads_" + std::to_string(count), bench::dense_mads(count));
    for (const char* name : {"phong.frag.tgsi", "texture.frag.tgsi"})
        bench::add_benchmarks(name, std::string(bench::latency_shader(name)));
    for (int i = 1; i < argc; ++i)
        bench::add_benchmarks(argv[i], bench::file_text(argv[i]));
    benchmark::RunSpecifiedBenchmarks();
}
