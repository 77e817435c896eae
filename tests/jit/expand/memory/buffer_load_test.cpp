// Buffer load test: LD_BUFFER reads hand-computed words, by lane and uniformly.
// SPDX-License-Identifier: MIT
#include "exec/abi.hpp"
#include "jit/emit/routines.hpp"

#include <array>
#include <cstdint>
#include <doctest/doctest.h>

using namespace valkyr;

namespace {

constexpr uint32_t kOld = 0xABCD0123;

struct Loads {
    std::array<uint8_t, 24> memory{};
    exec::BufferDescriptor buffer{memory.data(), memory.size()};
    exec::DrawContext draw{};
    exec::Lanes offset{};
    std::array<exec::Lanes, 4> out{};

    Loads() {
        for (size_t i = 0; i < memory.size(); ++i)
            memory[i] = static_cast<uint8_t>(0xF0 + i);  // F0 F1 ... 00 01 ... 07
        draw.tables.constant_buffers = &buffer;
        draw.tables.constant_buffer_count = 1;
        for (exec::Lanes& lanes : out)
            for (uint32_t& word : lanes.v)
                word = kOld;
    }
    void load(const jit::MemoryAccess& access, uint32_t lanes) {
        jit::load_buffer(access, lanes, &draw, 0, offset, out.data());
    }
    void set_offsets(uint32_t at) {
        for (uint32_t& word : offset.v)
            word = at;
    }
};

jit::MemoryAccess access_of(uint8_t bytes, uint8_t registers) {
    jit::MemoryAccess access;
    access.bytes = bytes;
    access.registers = registers;
    return access;
}

}  // namespace

TEST_CASE("lanes that read one place get its words, and lanes that do not take part keep theirs") {
    Loads loads;
    loads.set_offsets(4);
    loads.offset.v[1] = 8;  // inactive lane
    loads.load(access_of(16, 4), 0xA5A5 & ~2U);
    constexpr std::array<uint32_t, 4> kWords{0xF7F6F5F4, 0xFBFAF9F8, 0xFFFEFDFC, 0x03020100};
    for (unsigned k = 0; k < 4; ++k)
        for (unsigned lane = 0; lane < 16; ++lane)
            CHECK(loads.out[k].v[lane] == ((0xA5A5 >> lane & 1) != 0 ? kWords[k] : kOld));
}

TEST_CASE("one lane that reads another place gets what is there") {
    Loads loads;
    loads.set_offsets(4);
    loads.offset.v[9] = 20;
    loads.load(access_of(8, 2), 0xFFFF);
    for (unsigned lane = 0; lane < 16; ++lane) {
        CHECK(loads.out[0].v[lane] == (lane == 9 ? 0x07060504 : 0xF7F6F5F4));
        CHECK(loads.out[1].v[lane] == (lane == 9 ? 0 : 0xFBFAF9F8));  // past the end
        CHECK(loads.out[2].v[lane] == kOld);
    }
}

TEST_CASE("a byte goes to its place in the register, extended, for one place and for several") {
    for (const bool same : {true, false}) {
        Loads loads;
        loads.set_offsets(3);
        if (!same)
            loads.offset.v[15] = 17;
        jit::MemoryAccess access = access_of(1, 1);
        access.shift = 16;
        access.bits = 16;
        access.zero = 0;
        loads.load(access, 0xFFFF);
        CHECK(loads.out[0].v[0] == 0xFFF30123);
        CHECK(loads.out[0].v[15] == (same ? 0xFFF30123 : 0x00010123));
    }
}

TEST_CASE("no lanes read nothing, and what lies outside is 0") {
    Loads loads;
    loads.load(access_of(4, 1), 0);
    CHECK(loads.out[0].v[0] == kOld);
    loads.set_offsets(24);
    loads.load(access_of(4, 1), 0x8001);
    CHECK(loads.out[0].v[0] == 0);
    CHECK(loads.out[0].v[1] == kOld);
    CHECK(loads.out[0].v[15] == 0);
}
