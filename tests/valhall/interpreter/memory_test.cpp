// Memory test: checks LOAD, STORE, LD_BUFFER and atomics on real memory.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/values.hpp"

#include <array>
#include <cstring>
#include <doctest/doctest.h>
#include <string>

using namespace valkyr;
using namespace valkyr::valhall;
using namespace valkyr::valhall::test;

namespace {

/// 16 bytes 0x80, 0x81, ... that r2:r3 points to; r4.. start as 0xCCCCCCCC.
struct MemoryBench {
    explicit MemoryBench(std::string_view instruction)
        : bench(std::string(instruction) + "\nNOP.end") {
        for (unsigned k = 0; k < bytes.size(); ++k)
            bytes[k] = static_cast<uint8_t>(0x80 + k);
        bench.set_pair(2, reinterpret_cast<uintptr_t>(bytes.data()) + 16);
        for (unsigned r = 4; r < 12; ++r)
            bench.set(r, 0xCCCCCCCC);
        bench.state.alive = bench.state.live = 1;
    }
    alignas(16) std::array<uint8_t, 64> bytes;
    Bench bench;
};

std::array<uint32_t, 4> loaded(std::string_view instruction) {
    MemoryBench m(instruction);
    m.bench.run();
    REQUIRE(m.bench.faults.empty());
    return {m.bench.get(4), m.bench.get(5), m.bench.get(6), m.bench.get(7)};
}

using Words = std::array<uint32_t, 4>;
constexpr uint32_t kC = 0xCCCCCCCC;

}  // namespace

TEST_CASE("LOAD places narrow values in lanes, extended as .unsigned says") {
    CHECK(loaded("LOAD.i8.slot0 @r4, r2, offset:1") == Words{0xCCCCCC91, kC, kC, kC});
    CHECK(loaded("LOAD.i8.slot0.b2 @r4, r2, offset:1") == Words{0xCC91CCCC, kC, kC, kC});
    CHECK(loaded("LOAD.i8.slot0.h1 @r4, r2, offset:1") == Words{0xFF91CCCC, kC, kC, kC});
    CHECK(loaded("LOAD.i8.slot0.h0.unsigned @r4, r2, offset:1") == Words{0xCCCC0091, kC, kC, kC});
    CHECK(loaded("LOAD.i8.slot0.w0 @r4, r2, offset:1") == Words{0xFFFFFF91, kC, kC, kC});
    CHECK(loaded("LOAD.i8.slot0.d0 @r4:r5, r2, offset:1") == Words{0xFFFFFF91, 0xFFFFFFFF, kC, kC});
    CHECK(loaded("LOAD.i16.slot0 @r4, r2, offset:2") == Words{0xCCCC9392, kC, kC, kC});
    CHECK(loaded("LOAD.i16.slot0.h1 @r4, r2, offset:-2") == Words{0x8F8ECCCC, kC, kC, kC});
    CHECK(loaded("LOAD.i16.slot0.w0.unsigned @r4, r2, offset:2") == Words{0x9392, kC, kC, kC});
    CHECK(loaded("LOAD.i16.slot0.d0 @r4:r5, r2, offset:2") ==
          Words{0xFFFF9392, 0xFFFFFFFF, kC, kC});
    CHECK(loaded("LOAD.i32.slot0.d0.unsigned @r4:r5, r2, offset:0") ==
          Words{0x93929190, 0, kC, kC});
    CHECK(loaded("LOAD.i32.slot0.d0 @r4:r5, r2, offset:0") ==
          Words{0x93929190, 0xFFFFFFFF, kC, kC});
    CHECK(loaded("LOAD.i24.slot0 @r4, r2, offset:1") == Words{0x00939291, kC, kC, kC});
    CHECK(loaded("LOAD.i48.slot0 @r4:r5, r2, offset:2") == Words{0x95949392, 0x00009796, kC, kC});
    CHECK(loaded("LOAD.i64.slot0 @r4:r5, r2, offset:4") == Words{0x97969594, 0x9B9A9998, kC, kC});
    CHECK(loaded("LOAD.i96.slot0 @r4:r5:r6, r2, offset:0") ==
          Words{0x93929190, 0x97969594, 0x9B9A9998, kC});
    CHECK(loaded("LOAD.i128.slot0 @r4:r5:r6:r7, r2, offset:-16") ==
          Words{0x83828180, 0x87868584, 0x8B8A8988, 0x8F8E8D8C});
}

TEST_CASE("STORE writes the low bytes of its registers") {
    const auto stored = [](std::string_view instruction) {
        MemoryBench m(instruction);
        m.bytes.fill(0);
        for (unsigned r = 4; r < 8; ++r)
            m.bench.set(r, 0x11111111 * (r - 3) + 0x01020304);
        m.bench.run();
        REQUIRE(m.bench.faults.empty());
        std::array<uint32_t, 5> words;
        std::memcpy(words.data(), m.bytes.data() + 16, sizeof words);
        return words;
    };
    using Five = std::array<uint32_t, 5>;
    CHECK(stored("STORE.i8.slot0 @r4, r2, offset:1") == Five{0x00001500});
    CHECK(stored("STORE.i16.slot0 @r4, r2, offset:2") == Five{0x14150000});
    CHECK(stored("STORE.i24.slot0 @r4, r2, offset:1") == Five{0x13141500});
    CHECK(stored("STORE.i32.slot0 @r4, r2, offset:4") == Five{0, 0x12131415});
    CHECK(stored("STORE.i48.slot0 @r4:r5, r2, offset:0") == Five{0x12131415, 0x2526});
    CHECK(stored("STORE.i64.slot0 @r4:r5, r2, offset:0") == Five{0x12131415, 0x23242526});
    CHECK(stored("STORE.i96.slot0 @r4:r5:r6, r2, offset:0") ==
          Five{0x12131415, 0x23242526, 0x34353637});
    CHECK(stored("STORE.i128.slot0.estream @r4:r5:r6:r7, r2, offset:4") ==
          Five{0, 0x12131415, 0x23242526, 0x34353637, 0x45464748});
}

TEST_CASE("misaligned and null accesses are faults") {
    const auto fault = [](std::string_view instruction) {
        MemoryBench m(instruction);
        m.bench.run();
        return m.bench.faults.empty() ? std::string() : m.bench.faults[0].text;
    };
    CHECK(fault("LOAD.i32.slot0 @r4, r2, offset:2").find("misaligned") != std::string::npos);
    CHECK(fault("STORE.i128.slot0 @r4:r5:r6:r7, r2, offset:1").find("STORE.i128") == 0);
    CHECK(fault("LOAD.i128.slot0 @r4:r5:r6:r7, r2, offset:4").empty());
    CHECK(fault("LOAD.i24.slot0 @r4, r2, offset:1").empty());
    CHECK(fault("ATOM.i64.slot0.aadd @r4:r5, r2, offset:0x4").find("misaligned") !=
          std::string::npos);
    Bench null("LOAD.i32.slot0 @r4, r2, offset:0\nNOP.end");
    null.run();
    REQUIRE(null.faults.size() == 1);
    CHECK(null.faults[0].text.find("null address") != std::string::npos);
}

TEST_CASE("LD_BUFFER reads 0 at and past the size of the buffer") {
    std::array<uint8_t, 16> bytes;
    for (unsigned k = 0; k < 16; ++k)
        bytes[k] = static_cast<uint8_t>(0xA0 + k);
    const exec::BufferDescriptor buffers[2] = {{}, {bytes.data(), 10}};
    const auto read = [&](std::string_view instruction, uint32_t offset, uint32_t handle = 1) {
        Bench bench(std::string(instruction) + "\nNOP.end");
        bench.draw.tables.constant_buffers = buffers;
        bench.draw.tables.constant_buffer_count = 2;
        bench.set(2, offset);
        bench.set(3, handle);
        bench.run();
        CHECK(bench.faults.empty());
        return bench.get_pair(4);
    };
    CHECK(read("LD_BUFFER.i32.slot0 @r4, r2, r3", 4) == 0xA7A6A5A4);
    CHECK(read("LD_BUFFER.i64.slot0 @r4:r5, r2, r3", 4) == 0x0000A9A8A7A6A5A4);
    CHECK(read("LD_BUFFER.i32.slot0 @r4, r2, r3", 10) == 0);
    CHECK(read("LD_BUFFER.i32.slot0 @r4, r2, r3", 0xFFFFFFFC) == 0);
    CHECK(read("LD_BUFFER.i8.slot0.w0 @r4, r2, r3", 9) == 0xFFFFFFA9);
    CHECK(read("LD_BUFFER.i32.slot0 @r4, r2, r3", 0, 2) == 0);             // no such buffer
    CHECK(read("LD_BUFFER.i32.slot0 @r4, r2, r3", 0, 1U << 24 | 1) == 0);  // no buffer table
}

TEST_CASE("atomics change memory lane by lane in ascending order") {
    alignas(8) uint32_t memory[2] = {10, 0};
    const auto run = [&](std::string_view instruction, uint32_t start, auto operand) {
        Bench bench(std::string(instruction) + "\nNOP.end");
        memory[0] = start;
        bench.set_pair(2, reinterpret_cast<uintptr_t>(memory));
        bench.set_lanes(4, operand);
        bench.run();
        CHECK(bench.faults.empty());
        return bench.state.r[0];
    };
    const auto lane = [](unsigned l) { return l; };
    const exec::Lanes sums = run("ATOM_RETURN.i32.slot0.aadd @r0, @r4, r2, offset:0x0", 10, lane);
    CHECK(memory[0] == 10 + 120);
    for (unsigned l = 0; l < 16; ++l)
        CHECK(sums.v[l] == 10 + l * (l - 1) / 2);  // the sum of the lanes before
    run("ATOM.i32.slot0.asmin @r4, r2, offset:0x0", 5, [](unsigned l) { return 3 - l; });
    CHECK(memory[0] == static_cast<uint32_t>(-12));
    run("ATOM.i32.slot0.aumin @r4, r2, offset:0x0", 5, [](unsigned l) { return 3 - l; });
    CHECK(memory[0] == 0);
    run("ATOM.i32.slot0.asmax @r4, r2, offset:0x0", 5, [](unsigned l) { return 3 - l; });
    CHECK(memory[0] == 5);
    run("ATOM.i32.slot0.aumax @r4, r2, offset:0x0", 5, [](unsigned l) { return 3 - l; });
    CHECK(memory[0] == 0xFFFFFFFF);
    run("ATOM.i32.slot0.aand @r4, r2, offset:0x0", 0xFF, [](unsigned l) { return ~(1U << l); });
    CHECK(memory[0] == 0);
    run("ATOM.i32.slot0.aor @r4, r2, offset:0x0", 0, [](unsigned l) { return 1U << l; });
    CHECK(memory[0] == 0xFFFF);
    run("ATOM.i32.slot0.axor @r4, r2, offset:0x0", 0xF, lane);
    CHECK(memory[0] == 0xF);
    const exec::Lanes swapped =
        run("ATOM_RETURN.i32.slot0.axchg @r0, @r4, r2, offset:0x0", 77, lane);
    CHECK(swapped.v[0] == 77);
    CHECK(swapped.v[15] == 14);
    CHECK(memory[0] == 15);
    const exec::Lanes counted = run("ATOM1_RETURN.i32.slot0.ainc @r0, r2, offset:0x0", 5, lane);
    CHECK(counted.v[3] == 8);
    CHECK(memory[0] == 21);
    run("ATOM1_RETURN.i32.slot0.adec @, r2, offset:0x0", 5, lane);
    CHECK(memory[0] == static_cast<uint32_t>(-11));
    run("ATOM1_RETURN.i32.slot0.aor1 @, r2, offset:0x4", 5, lane);
    CHECK(memory[1] == 1);
}

TEST_CASE("compare and exchange stores the new value where the old one matches") {
    alignas(8) uint32_t memory = 0;
    Bench bench("ATOM_RETURN.i32.slot0.compare.axchg @r0, @r4:r5, r2, offset:0x0\nNOP.end");
    bench.set_pair(2, reinterpret_cast<uintptr_t>(&memory));
    bench.set_lanes(4, [](unsigned l) { return l + 1; });  // new value
    bench.set_lanes(5, [](unsigned l) { return l; });      // expected
    bench.run();
    CHECK(memory == 16);
    CHECK(bench.get(0, 0) == 0);
    CHECK(bench.get(0, 15) == 15);
}

TEST_CASE("64-bit atomics") {
    alignas(8) uint64_t memory = 0xFFFFFFFF;
    Bench bench("ATOM_RETURN.i64.slot0.aadd @r0:r1, @r4:r5, r2, offset:0x0\nNOP.end");
    bench.set_pair(2, reinterpret_cast<uintptr_t>(&memory));
    bench.set_pair(4, 0x100000001);
    bench.state.alive = bench.state.live = 3;
    bench.run();
    CHECK(memory == 0x300000001);
    CHECK(bench.get_pair(0, 1) == 0x200000000);
}

TEST_CASE("atomics of helpers and at address 0 change nothing and return 0") {
    alignas(8) uint32_t memory = 5;
    Bench bench("ATOM_RETURN.i32.slot0.aadd @r0, @r4, r2, offset:0x0\nNOP.end");
    bench.set_pair(2, reinterpret_cast<uintptr_t>(&memory));
    bench.set(4, 1);
    bench.set(0, 99);
    bench.state.live = 1;
    bench.run();
    CHECK(memory == 6);
    CHECK(bench.get(0, 0) == 5);
    CHECK(bench.get(0, 1) == 0);
    Bench null("ATOM_RETURN.i32.slot0.aadd @r0, @r4, r2, offset:0x8\nNOP.end");
    null.set(0, 99);
    null.run();
    CHECK(null.faults.empty());
    CHECK(null.get(0) == 0);
}

TEST_CASE("thread-local storage is a piece of memory for each lane") {
    alignas(16) std::array<uint32_t, 64> tls{};
    exec::VertexCall call;
    Bench bench(R"(
        MOV.i32 r2, thread_local_pointer.w0
        MOV.i32 r3, thread_local_pointer.w1
        MOV.i32 r0, lane_id.w0
        STORE.i32.slot0.force.wait0 @r0, r2, offset:4
        NOP.end
    )");
    bench.program.info.tls_bytes = 16;
    call.tls = reinterpret_cast<uintptr_t>(tls.data());
    bench.warp.vertex = &call;
    bench.run();
    CHECK(bench.faults.empty());
    for (unsigned l = 0; l < 16; ++l)
        CHECK(tls[16 + l] == l);  // interleaved: word 1 of all lanes
}

TEST_CASE("thread-local storage ends where the program says") {
    alignas(16) std::array<uint32_t, 64> tls{};
    exec::VertexCall call;
    Bench bench("STORE.i32.slot0.force.wait0 @r0, thread_local_pointer.w0, offset:16\nNOP.end");
    bench.program.info.tls_bytes = 16;
    call.tls = reinterpret_cast<uintptr_t>(tls.data());
    bench.warp.vertex = &call;
    bench.run();
    REQUIRE(bench.faults.size() == 1);
    CHECK(bench.faults[0].text.find("behind thread-local storage") != std::string::npos);
}
