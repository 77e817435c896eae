// Stages test: checks preloads, helpers, samples, early depth test and vertex records.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/recorder.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::valhall;
using namespace valkyr::valhall::test;

namespace {

/// Runs a fragment program on blocks; the program's ATEST sends registers to the recorder.
struct FragmentBench {
    explicit FragmentBench(std::string_view text) {
        program.words = words_of(text);
        program.info.stage = exec::Stage::Fragment;
        draw.key = &key;
        draw.info = &program.info;
        call.draw = &draw;
        call.primitive = &primitive;
        call.tile_x = 128;
        call.tile_y = 64;
        primitive.primitive_id = 42;
        primitive.flags = 1;
    }
    void run(std::vector<exec::BlockRef> blocks, InterpreterOptions options = {}) {
        const auto interpreter = Interpreter::create(program, options);
        REQUIRE(interpreter.has_value());
        call.blocks = blocks.data();
        call.block_count = static_cast<uint32_t>(blocks.size());
        interpreter->run(call, &faults);
    }
    /// Operand n of the recorded messages, lane l.
    [[nodiscard]] uint32_t seen(size_t n, unsigned l) const { return draw.operands.at(n).v[l]; }

    Program program;
    exec::FragmentKey key;
    exec::PrimitiveSetup primitive;
    exec::FragmentCall call;
    RecordingDraw draw;
    std::vector<RunFault> faults;
};

constexpr char kShowCoverageAndPixel[] = "ATEST @r0, r60, r59, atest_datum.w0\nNOP.end";
constexpr char kShowSampleAndFlags[] = "ATEST @r0, r61, r58, atest_datum.w0\nNOP.end";

}  // namespace

TEST_CASE("fragment preloads: pixel, coverage, primitive") {
    FragmentBench bench(kShowCoverageAndPixel);
    // Block 17 = column 1, row 1 of the tile: pixels (132, 68) and on.
    bench.run({{17, 0x0013}});
    REQUIRE(bench.draw.log.size() == 1);
    CHECK(bench.draw.log[0] == "atest 0 running ff live 13");  // quads 0 and 1 only
    for (unsigned l = 0; l < 8; ++l) {
        CHECK(bench.seen(0, l) == (0x13U >> l & 1));
        CHECK(bench.seen(1, l) == ((132 + exec::lane_x(l)) | (68 + exec::lane_y(l)) << 16));
    }
    CHECK(bench.draw.warps[0].x == 132);
    CHECK(bench.draw.warps[0].y == 68);
    CHECK(bench.draw.warps[0].block == 17);
    FragmentBench flags(kShowSampleAndFlags);
    flags.run({{0, 0x8001}});
    CHECK(flags.draw.log[0] == "atest 0 running f00f live 8001");
    CHECK(flags.seen(0, 0) == 1);
    CHECK(flags.seen(0, 1) == 0);  // a helper has no sample
    CHECK(flags.seen(1, 1) == 1);
    FragmentBench id("ATEST @r0, r57, r60, atest_datum.w0\nNOP.end");
    id.run({{0, 1}});
    CHECK(id.seen(0, 2) == 42);
}

TEST_CASE("lane order is Z order") {
    // 0 1 4 5 / 2 3 6 7 / 8 9 12 13 / 10 11 14 15
    const unsigned lanes[4][4] = {{0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};
    for (unsigned y = 0; y < 4; ++y) {
        for (unsigned x = 0; x < 4; ++x) {
            CHECK(exec::lane_x(lanes[y][x]) == x);
            CHECK(exec::lane_y(lanes[y][x]) == y);
            CHECK(exec::lane_at(x, y) == lanes[y][x]);
        }
    }
}

TEST_CASE("with samples, coverage has a bit a sample and r61 the rasterised ones") {
    FragmentBench bench("ATEST @r0, r60, r61, atest_datum.w0\nNOP.end");
    bench.key.samples = 4;
    const uint16_t masks[] = {0, 0, 0, 0, 0x0001, 0x0003, 0x0000, 0x0100};
    bench.call.sample_masks = masks;
    bench.run({{3, 0}, {5, 0x0103}});
    REQUIRE(bench.draw.log.size() == 1);  // the first block has no coverage
    CHECK(bench.draw.log[0] == "atest 0 running f0f live 103");
    CHECK(bench.seen(0, 0) == 0b0011);
    CHECK(bench.seen(0, 1) == 0b0010);
    CHECK(bench.seen(0, 8) == 0b1000);
    CHECK(bench.seen(1, 0) == 0b0011);
    CHECK(bench.seen(1, 2) == 0);
}

TEST_CASE("per-sample shading runs once a sample, with its ID and its bit") {
    FragmentBench bench("ATEST @r0, r60, r61, atest_datum.w0\nNOP.end");
    bench.key.samples = 2;
    bench.key.per_sample = true;
    const uint16_t masks[] = {0x0003, 0x0002};
    bench.call.sample_masks = masks;
    bench.run({{0, 3}});
    REQUIRE(bench.draw.log.size() == 2);
    CHECK(bench.draw.log[0] == "atest 0 running f live 3");
    CHECK(bench.draw.log[1] == "atest 0 running f live 2");
    CHECK(bench.draw.warps[1].sample_id == 1);
    CHECK(bench.seen(0, 1) == 1);
    CHECK(bench.seen(1, 1) == 1);
    CHECK(bench.seen(2, 1) == 2);
    CHECK(bench.seen(3, 1) == (2 | 1U << 16));
    CHECK(bench.seen(3, 0) == 1U << 16);
}

TEST_CASE("the early test comes first, and what fails it is not shaded") {
    FragmentBench bench("ATEST @r0, r60, r61, atest_datum.w0\nNOP.end");
    bench.key.zs.early = true;
    bench.run({{0, 0x00F0}});
    REQUIRE(bench.draw.log.size() == 2);
    CHECK(bench.draw.log[0] == "early_zs 0 running f0 live f0");
    FragmentBench none(kShowCoverageAndPixel);
    none.key.zs.early = true;
    none.draw.early_mask = 0;
    none.run({{0, 0x00F0}, {1, 1}});
    REQUIRE(none.draw.log.size() == 2);
    CHECK(none.draw.log[1] == "early_zs 1 running 1 live 1");
    FragmentBench partly("ATEST @r0, r60, r61, atest_datum.w0\nNOP.end");
    partly.key.zs.early = true;
    partly.key.samples = 2;
    const uint16_t masks[] = {1, 3};
    partly.call.sample_masks = masks;
    partly.draw.early_mask = 1;  // sample 1 fails everywhere
    partly.run({{0, 3}});
    CHECK(partly.draw.log[1] == "atest 0 running f live 1");
    CHECK(partly.seen(1, 0) == 1);  // r60: remaining coverage
    CHECK(partly.seen(2, 0) == 3);  // r61: rasterised coverage
    CHECK(partly.seen(2, 1) == 0);  // nothing left: a helper
}

TEST_CASE("a warp of helpers alone ends") {
    FragmentBench bench("DISCARD.f32.eq 0x0, 0x0\ntop: BRANCHZ.eq 0x0, offset:top");
    bench.run({{0, 0xFFFF}});
    CHECK(bench.faults.empty());
}

TEST_CASE("vertex calls: one record a vertex, the last warp partly filled") {
    Program program;
    program.info.stage = exec::Stage::Vertex;
    program.words = words_of(R"(
        LEA_BUF_IMM.slot0.wait0 @r4:r5, r59, table:0xD, index:0x0
        MOV.i32 r0, r60
        MOV.i32 r1, r61
        STORE.i64.slot0.estream.end @r0:r1, r4, offset:32
    )");
    const auto interpreter = Interpreter::create(program);
    REQUIRE(interpreter.has_value());
    constexpr uint32_t kStride = exec::record_stride(1);
    std::vector<uint32_t> arena(kStride / 4 * 40, 0xEEEEEEEE);
    std::vector<uint32_t> ids(32);
    for (uint32_t n = 0; n < 32; ++n)
        ids[n] = 500 + 3 * n;
    exec::DrawContext draw;
    exec::VertexCall call;
    call.draw = &draw;
    call.vertex_ids = ids.data();
    call.records = reinterpret_cast<uint8_t*>(arena.data());
    call.record_stride = kStride;
    call.first_record = 2;
    call.count = 21;
    call.instance_id = 9;
    interpreter->kernel()(call);
    for (uint32_t n = 0; n < 38; ++n) {
        const uint32_t* record = arena.data() + n * kStride / 4;
        const bool written = n >= 2 && n < 23;
        CHECK(record[8] == (written ? 500 + 3 * (n - 2) : 0xEEEEEEEE));
        CHECK(record[9] == (written ? 9 : 0xEEEEEEEE));
        CHECK(record[0] == 0xEEEEEEEE);
    }
}

TEST_CASE("compute calls run some lanes and show their registers") {
    Program program;
    program.info.stage = exec::Stage::Compute;
    program.fau.resize(2);
    program.words = words_of("MOV.i32 r0, u1\nIADD.u32.end r1, r55, 0x3020100.b3");
    const auto interpreter = Interpreter::create(program);
    REQUIRE(interpreter.has_value());
    const uint32_t fau[2] = {0, 1234};
    exec::DrawContext draw;
    draw.fau = fau;
    std::vector<exec::Lanes> registers(exec::kRegisters);
    exec::ComputeCall call;
    call.draw = &draw;
    call.registers = registers.data();
    call.block[0] = 3;
    interpreter->kernel()(call);
    CHECK(registers[0].v[0] == 1234);
    CHECK(registers[1].v[2] == 5);
    CHECK(registers[1].v[3] == 0);
}
