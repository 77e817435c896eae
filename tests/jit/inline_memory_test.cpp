// Memory test: expanded loads and stores agree with routines and interpreter.
// SPDX-License-Identifier: MIT
#include "tests/jit/harness.hpp"
#include "tests/jit/message_run.hpp"
#include "tests/support/random.hpp"

#include <doctest/doctest.h>
#include <memory>
#include <string>

namespace valkyr::test {
namespace {

/// A constant buffer that ends where its memory ends, so that a read too far is found by
/// sanitizers.
struct BufferCase {
    std::unique_ptr<uint8_t[]> memory;
    exec::BufferDescriptor buffer;
    MessageCase test;

    explicit BufferCase(Random& random) {
        const uint64_t bytes = random.one_in(8) ? random.below(20) : 4 * random.below(100);
        memory = std::make_unique<uint8_t[]>(bytes);
        for (uint64_t i = 0; i < bytes; ++i)
            memory[i] = static_cast<uint8_t>(random.next());
        if (!random.one_in(16))
            buffer = {memory.get(), bytes};
        test.tables.constant_buffers = &buffer;
        test.tables.constant_buffer_count = random.one_in(16) ? 0 : 1;
        fill_offsets(random);
        fill_body(random);
        test.pressure = random.one_in(3);
        if (random.one_in(2))
            test.lanes = static_cast<uint16_t>(random.next());
    }
    BufferCase(const BufferCase&) = delete;
    BufferCase& operator=(const BufferCase&) = delete;

    /// Mostly inside; some the same for most or all lanes.
    void fill_offsets(Random& random) {
        const uint32_t limit = static_cast<uint32_t>(buffer.size) + 1;
        const uint32_t same = random.below(limit);
        const uint32_t usual = random.below(3);
        const bool aligned = !random.one_in(4);
        for (uint32_t& offset : test.inputs[0].v) {
            offset = usual == 0 || (usual == 1 && !random.one_in(8)) ? same : random.below(limit);
            if (usual == 2 && random.one_in(40))
                offset = static_cast<uint32_t>(random.next());
            if (aligned)
                offset &= ~15U;
        }
    }

    void fill_body(Random& random) {
        constexpr const char* kRuns[] = {"@r8", "@r8:r9", "@r8:r9:r10", "@r8:r9:r10:r11"};
        constexpr const char* kSizes[] = {"i32.unsigned", "i64", "i96", "i128"};
        const unsigned words = random.below(4);
        test.immediates = {random.one_in(16) ? random.below(3) : 0};
        test.body = std::string("LD_BUFFER.") + kSizes[words] + ".slot0.wait0 " + kRuns[words] +
                    ", r0, u0\n";
        if (random.one_in(2))  // a second one, for other lanes
            test.body += "IADD.u32 r4, r0, r0\nLD_BUFFER.i128.slot0.wait0 @r12:r13:r14:r15, r4, "
                         "u0\n";
        if (random.one_in(3))  // the offset's own register
            test.body += "MOV.i32 r12, r0\nLD_BUFFER.i64.slot0.wait0 @r12:r13, r12, u0\n";
    }
};

TEST_CASE("constants are the same expanded as by routine and interpreter") {
    for (uint64_t seed = 0; seed < rounds(600); ++seed) {
        Random random(seed);
        BufferCase c(random);
        const std::string report = message_disagreement(c.test);
        INFO("seed ", seed);
        REQUIRE_MESSAGE(report.empty(), report);
    }
}

}  // namespace
}  // namespace valkyr::test
