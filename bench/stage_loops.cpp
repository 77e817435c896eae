// Stage loops: times the rasterizer's loops one by one (bench_stages, Google Benchmark).
// SPDX-License-Identifier: MIT
//
// Triangles of a given size lie in one 64x64 tile. Kernels do nothing, so that "setup_coverage"
// times set-up, coverage and the calls.
#include "bench/random.hpp"
#include "raster/front/bin.hpp"
#include "raster/loops/level.hpp"
#include "raster/support/memory.hpp"

#include <array>
#include <benchmark/benchmark.h>
#include <cstring>
#include <memory>
#include <vector>

namespace valkyr::bench {
namespace {

using namespace raster;

constexpr uint32_t kTriangles = kChunkPrimitives;
constexpr uint32_t kStride = exec::record_stride(1);

void no_kernel(const void* /*self*/, void* /*call*/) noexcept {}

/// A chunk of triangles in a tile with a colour at each vertex, and all inputs of the loops.
struct Chunk {
    explicit Chunk(float pixels) {
        Random random(1);
        for (uint32_t i = 0; i < 3 * kTriangles; ++i)
            add_vertex(random, pixels, i);
        for (uint32_t i = 0; i < kTriangles; ++i) {
            const auto v = static_cast<uint16_t>(3 * i);
            primitives.push_back({{v, static_cast<uint16_t>(v + 1), static_cast<uint16_t>(v + 2)},
                                  static_cast<uint16_t>(v + 2),
                                  i});
        }
        ClipState& clip = shape.clip;
        clip.scale[0] = clip.scale[1] = 32;
        clip.translate[0] = clip.translate[1] = 32;
        shape.record_stride = kStride;
        shape.rect = {0, 0, 64, 64};
        tile.slots = &kSlot;
        tile.slot_count = 1;
        draw.shape = &shape;
        draw.tile = &tile;
        draw.hidden = &hidden;
        draw.fragment_kernel[0] =
            draw.fragment_kernel[1] = {no_kernel, nullptr, exec::Batching::Blocks};
        draw.fragment[0] = draw.fragment[1] = &context;
        batch.draw = &draw;
        batch.records = records.data();
        batch.record_stride = kStride;
        batch.primitives = primitives.data();
        ops.window_rows(clip, records.data(), kStride, nullptr, 3 * kTriangles, rows.data(),
                        codes.data());
        batch.rows = rows.data();
    }

    void add_vertex(Random& random, float pixels, uint32_t i) {
        if (i % 3 == 0)
            for (float& c : corner)
                c = (random.unit() * 2 - 1) * (1 - pixels / 32);
        const float reach = pixels / 32;
        const std::array<float, 4> position{corner[0] + random.unit() * reach,
                                            corner[1] + random.unit() * reach, random.unit(), 1};
        const std::array<float, 4> color{random.unit(), random.unit(), random.unit(), 1};
        uint8_t* record = records.data() + size_t{i} * kStride;
        std::memcpy(record, position.data(), sizeof(position));
        std::memcpy(record + exec::kRecordVaryings, color.data(), sizeof(color));
    }

    const HostLoops& ops = host_loops(Host::Auto);
    float corner[2] = {};
    exec::DrawContext context;
    static constexpr SlotSource kSlot{
        SlotKind::Perspective, 0, {exec::kRecordVaryings, exec::kRecordVaryings}};
    ShapeState shape;
    TileState tile;
    HiddenState hidden;
    DrawRecord draw;
    Batch batch;
    std::vector<uint8_t> records = std::vector<uint8_t>(size_t{3} * kTriangles * kStride);
    std::vector<WindowRow> rows = std::vector<WindowRow>(size_t{3} * kTriangles);
    std::vector<uint32_t> codes = std::vector<uint32_t>(size_t{3} * kTriangles);
    std::vector<PrimitiveRef> primitives;
};

void count_triangles(benchmark::State& state) {
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kTriangles);
}

/// Computes window rows and clip codes from clip space; items are vertices.
void window_rows(benchmark::State& state) {
    Chunk chunk(4);
    for ([[maybe_unused]] auto _ : state) {
        chunk.ops.window_rows(chunk.shape.clip, chunk.records.data(), kStride, nullptr,
                              3 * kTriangles, chunk.rows.data(), chunk.codes.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * 3 * kTriangles);
}

/// Computes facing, area and pixel boxes; items are triangles.
void cull(benchmark::State& state) {
    Chunk chunk(static_cast<float>(state.range(0)));
    std::array<Survivor, kTriangles> survivors;
    for ([[maybe_unused]] auto _ : state) {
        benchmark::DoNotOptimize(chunk.ops.cull(chunk.shape, chunk.rows.data(), chunk.codes.data(),
                                                chunk.primitives.data(), kTriangles, true, false,
                                                survivors.data()));
        benchmark::ClobberMemory();
    }
    count_triangles(state);
}

/// Puts surviving triangles into the bins of 16x16 tiles; the range is the size of their boxes in
/// tiles.
void bin(benchmark::State& state) {
    Chunk chunk(30);
    // Rows as if the tile were the whole target.
    for (WindowRow& row : chunk.rows)
        row = {row.x * 16, row.y * 16, row.z, row.q};
    const auto size = static_cast<uint8_t>(state.range(0));
    const Survivor box{0, 0, 0, 1, 1, static_cast<uint8_t>(size), static_cast<uint8_t>(size)};
    Segment segment;
    Arena arena(size_t{1} << 22);
    for ([[maybe_unused]] auto _ : state) {
        arena.reset();
        segment.reset(256);
        for (uint32_t i = 0; i < kTriangles; ++i)
            bin_primitive(segment, arena, {16, 0}, chunk.rows.data(), chunk.primitives[i], box, i,
                          false);
        benchmark::ClobberMemory();
    }
    count_triangles(state);
}

/// Walks a tile with a kernel that does nothing; the range is the size of triangles in pixels.
void setup_coverage(benchmark::State& state) {
    Chunk chunk(static_cast<float>(state.range(0)));
    const auto walk = std::make_unique<TileWalk>();
    walk->samples = static_cast<uint32_t>(state.range(1));
    chunk.shape.multisample = walk->samples > 1;
    if (chunk.shape.multisample)
        chunk.shape.cover_low = chunk.shape.cover_high = 0;
    for (uint32_t s = 0; s < walk->samples; ++s)
        walk->sample_x[s] = walk->sample_y[s] = static_cast<int32_t>(16 * s + 8);
    std::array<TileEntry, kTriangles> entries;
    for (uint32_t i = 0; i < kTriangles; ++i)
        entries[i] = {&chunk.batch, &chunk.primitives[i]};
    for ([[maybe_unused]] auto _ : state)
        for (uint32_t i = 0; i < kTriangles; i += kPacketSize)
            chunk.ops.walk(*walk, chunk.draw, entries.data() + i, kPacketSize);
    count_triangles(state);
    state.counters["pixels"] =
        benchmark::Counter(static_cast<double>(walk->statistics.pixels_covered) /
                           static_cast<double>(state.iterations() * kTriangles));
}

BENCHMARK(window_rows);
BENCHMARK(cull)->Arg(4);
BENCHMARK(bin)->Arg(1)->Arg(2)->Arg(14);
BENCHMARK(setup_coverage)->Args({3, 1})->Args({6, 1})->Args({16, 1})->Args({31, 1})->Args({6, 4});

}  // namespace
}  // namespace valkyr::bench
