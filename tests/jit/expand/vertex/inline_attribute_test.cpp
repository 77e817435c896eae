// Inline attribute test: expanded loads and record stores agree with routines and interpreter.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/jit/harness.hpp"
#include "tests/jit/message_run.hpp"
#include "tests/support/random.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <vector>

namespace valkyr::test {
namespace {

using exec::Format;

/// A vertex buffer that ends where its memory ends, so that sanitizers find reads beyond it.
struct AttributeCase {
    std::unique_ptr<uint8_t[]> memory;
    std::vector<exec::AttributeDescriptor> descriptors;
    MessageCase test;

    AttributeCase(Random& random, Format format) {
        const uint64_t bytes = random.one_in(10) ? random.below(16) : random.below(600);
        memory = std::make_unique<uint8_t[]>(bytes + 1);
        for (uint64_t i = 0; i < bytes; ++i)
            memory[i] = static_cast<uint8_t>(random.next());
        exec::AttributeDescriptor d;
        // The address is misaligned by one byte.
        d.address = random.one_in(16) ? nullptr : memory.get() + 1;
        d.size = d.address ? bytes : 0;
        d.format = format;
        const uint32_t size = exec::format_info(format).block_bytes;
        switch (random.below(5)) {
        case 0: d.stride = 0; break;
        case 1: d.stride = size; break;
        case 2: d.stride = random.below(40); break;
        case 3: d.stride = 32; break;
        default: d.stride = random.one_in(8) ? 0xFFFFFFF0 : 4 * random.below(10); break;
        }
        if (random.one_in(4))
            d.divisor = random_divisor(random);
        descriptors = {d};
        test.tables.attributes = descriptors.data();
        test.tables.attribute_count = 1;
        test.vertex.attribute_format[0] = format;
        test.vertex.instanced = d.divisor != 0 ? 1 : 0;
        fill_ids(random);
        if (random.one_in(3))
            test.lanes = static_cast<uint16_t>(random.next());
    }
    AttributeCase(const AttributeCase&) = delete;
    AttributeCase& operator=(const AttributeCase&) = delete;

    static uint32_t random_divisor(Random& random) {
        switch (random.below(4)) {
        case 0: return 1;
        case 1: return 1 + random.below(1U << 24);
        case 2:
            return random.one_in(2) ? 0xFFFFFFFF : 1 + (random.next32() >> random.below(32)) / 2;
        default: return 1 + random.below(5);
        }
    }

    /// Fills r0 with vertex IDs, consecutive or not, and r1 with instance IDs, mostly equal.
    void fill_ids(Random& random) {
        const uint32_t first = random.one_in(8) ? random.next32() : random.below(20);
        const bool consecutive = random.one_in(2);
        const uint32_t instance = random.one_in(4) ? random.next32() : random.below(8);
        const bool same = !random.one_in(4);
        for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
            test.inputs[0].v[lane] = consecutive ? first + lane : random.below(60);
            if (!consecutive && random.one_in(20))
                test.inputs[0].v[lane] = random.next32();
            test.inputs[1].v[lane] = same ? instance : random.next32() >> random.below(32);
        }
    }
};

std::string load_text(unsigned count, const char* type, unsigned result) {
    std::string text = std::string("LD_ATTR_IMM.slot0.") +
                       (count == 1 ? "" : "v" + std::to_string(count) + ".") + type + ".wait0 @r" +
                       std::to_string(result);
    for (unsigned k = 1; k < count; ++k)
        text += ":r" + std::to_string(result + k);
    return text + ", r0, r1, index:0x0, table:0x1\n";
}

constexpr const char* kTypes[] = {"auto", "f32", "s32", "u32", "f16", "s16", "u16"};

}  // namespace

TEST_CASE("attributes of every format") {
    for (unsigned i = 0; i < rounds(800); ++i) {
        Random random(0xA77A0000 + i);
        const auto format = static_cast<Format>(1 + i % (exec::kFormatCount - 1));
        AttributeCase attribute(random, format);
        const bool half = random.one_in(8);
        const char* type = kTypes[half ? 4 + random.below(3) : random.below(4)];
        const unsigned count = half ? 2 : 1 + random.below(4);
        attribute.test.body = load_text(half ? 2 : count, type, 8);
        if (half)  // two components in one register
            attribute.test.body = std::string("LD_ATTR_IMM.slot0.v2.") + type +
                                  ".wait0 @r8, r0, r1, index:0x0, table:0x1\n";
        const std::string report = message_disagreement(attribute.test);
        CHECK_MESSAGE(report.empty(), report, " format ", exec::format_info(format).name,
                      ", stride ", attribute.descriptors[0].stride, ", size ",
                      attribute.descriptors[0].size);
    }
}

TEST_CASE("common attributes call no routine, wherever their vertices are") {
    for (const Format format :
         {Format::R32_FLOAT,          Format::R32G32_FLOAT,      Format::R32G32B32_FLOAT,
          Format::R32G32B32A32_FLOAT, Format::R8G8B8A8_UNORM,    Format::R8G8B8A8_SNORM,
          Format::R8G8B8A8_UINT,      Format::R16G16_SNORM,      Format::R16G16_FLOAT,
          Format::R16G16B16A16_FLOAT, Format::R10G10B10A2_UNORM, Format::R32G32B32A32_SINT,
          Format::R8_UNORM,           Format::R16_UNORM,         Format::R9G9B9E5_FLOAT,
          Format::R64_FLOAT,          Format::R64G64_FLOAT,      Format::R64G64B64_FLOAT,
          Format::R64G64B64A64_FLOAT, Format::R32G32B32_SSCALED, Format::R32G32B32A32_USCALED,
          Format::R32G32B32A32_UNORM, Format::R32G32B32_SNORM})
        for (unsigned i = 0; i < 6; ++i) {
            Random random(i);
            AttributeCase attribute(random, format);
            attribute.descriptors[0].divisor = i / 3 * (1 + i % 3);
            attribute.test.vertex.instanced = i / 3;
            attribute.test.body = load_text(4, "auto", 8);
            CHECK(!calls_routine(attribute.test));
        }
}

TEST_CASE("stores of every size to vertex records") {
    // The harness's epilogue stores 16 bytes per slot; these stores come before and go elsewhere.
    const std::string address = "LEA_BUF_IMM.slot2.wait02 @r20:r21, r59, table:0xD, index:0x0\n";
    const char* bodies[] = {
        "STORE.i32.estream.slot0.wait0 @r0, r20, offset:16\n",
        "STORE.i64.estream.slot0.wait0 @r0:r1, r20, offset:8\n",
        "STORE.i96.estream.slot0.wait0 @r0:r1:r2, r20, offset:4\n",
        "STORE.i128.estream.slot0.wait0 @r0:r1:r2:r3, r20, offset:0\n",
        "STORE.i16.estream.slot0.wait0 @r1, r20, offset:20\n",
        "STORE.i8.estream.slot0.wait0 @r1, r20, offset:22\n",
    };
    for (unsigned i = 0; i < rounds(120); ++i) {
        Random random(0x570E + i);
        MessageCase test;
        for (exec::Lanes& input : test.inputs)
            for (uint32_t& word : input.v)
                word = random.next32();
        if (random.one_in(2))
            test.lanes = static_cast<uint16_t>(random.next());
        test.vertex_only = true;
        test.body = "MOV.i32 r8, r0\nMOV.i32 r9, r1\nMOV.i32 r10, r2\nMOV.i32 r11, r3\n"
                    "MOV.i32 r12, r3\nMOV.i32 r13, r2\nMOV.i32 r14, r1\nMOV.i32 r15, r0\n" +
                    address + bodies[i % std::size(bodies)];
        if (random.one_in(2)) {  // only for some lanes, while the others wait
            for (uint32_t& word : test.inputs[2].v)
                word &= random.one_in(2) ? 0xFFFFFFFF : 0x7FFFFFFF;
            test.body = "ICMP.s32.lt.m1 r7, r2, 0x0, 0x0\nBRANCHZ.reconverge r7.h0, offset:L0\n" +
                        test.body + "NOP.reconverge\nL0:\n";
        }
        const std::string report = message_disagreement(test);
        CHECK_MESSAGE(report.empty(), report);
    }
}

}  // namespace valkyr::test
