// Inline memory test: expanded loads and stores agree with routines and interpreter.
// SPDX-License-Identifier: MIT
#include "exec/handle.hpp"
#include "tests/jit/harness.hpp"
#include "tests/jit/message_run.hpp"
#include "tests/support/random.hpp"

#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <iterator>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace valkyr::test {
namespace {

/// Wraps the body. In some cases only lanes with a negative r1 run it, while the others wait.
/// Results start as copies of the operands.
/// head  code that comes before, in its own basic block
void wrap_body(MessageCase& test, Random& random, std::string head = {}) {
    for (unsigned r = 8; r < 16; ++r)
        head += "MOV.i32 r" + std::to_string(r) + ", r" + std::to_string(r % 4) + "\n";
    if (random.one_in(2)) {
        test.body = head + test.body;
        return;
    }
    for (uint32_t& word : test.inputs[1].v)
        word = static_cast<uint32_t>(random.next());
    test.body = head + "ICMP.s32.lt.m1 r7, r1, 0x0, 0x0\nBRANCHZ.reconverge r7.h0, offset:L0\n" +
                test.body + "NOP.reconverge\nL0:\n";
}

/// A constant buffer that ends where its memory ends, so that sanitizers find reads beyond it.
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
        test.tables.vertex_buffers = &buffer;
        test.tables.vertex_buffer_count = 1;
        fill_offsets(random);
        fill_handle(random);
        fill_body(random);
        wrap_body(test, random);
        test.pressure = random.one_in(3);
        if (random.one_in(2))
            test.lanes = static_cast<uint16_t>(random.next());
    }
    BufferCase(const BufferCase&) = delete;
    BufferCase& operator=(const BufferCase&) = delete;

    /// Offsets, mostly inside the buffer; some are equal in most or all lanes.
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

    /// r3: a handle that is only known at run time and uniform.
    void fill_handle(Random& random) {
        constexpr exec::ResourceTable kTables[] = {
            exec::ResourceTable::ConstantBuffers, exec::ResourceTable::ConstantBuffers,
            exec::ResourceTable::VertexBuffers, exec::ResourceTable::Textures};
        const uint32_t handle =
            exec::make_handle(kTables[random.below(4)], random.one_in(6) ? 1 + random.below(9) : 0);
        for (uint32_t& word : test.inputs[3].v)
            word = handle;
    }

    /// Mostly inside the buffer or at its end; some beyond all that may be added to.
    [[nodiscard]] uint32_t known_offset(Random& random) const {
        if (random.one_in(8))
            return random.one_in(2) ? static_cast<uint32_t>(random.next())
                                    : 0x80000000 - random.below(20);
        return random.below(static_cast<uint32_t>(buffer.size) + 1);
    }

    void fill_body(Random& random) {
        constexpr const char* kRuns[] = {"@r8", "@r8:r9", "@r8:r9:r10", "@r8:r9:r10:r11"};
        constexpr const char* kSizes[] = {"i32.unsigned", "i64", "i96", "i128"};
        const unsigned words = random.below(4);
        test.immediates = {random.one_in(16) ? random.below(3) : 0};
        if (random.one_in(16))
            test.immediates = {exec::make_handle(exec::ResourceTable::VertexBuffers, 0)};
        const std::string handle = random.one_in(3) ? "r3" : "u0";
        test.body = std::string("LD_BUFFER.") + kSizes[words] + ".slot0.wait0 " + kRuns[words] +
                    ", r0, " + handle + "\n";
        if (random.one_in(2))  // a second handle, for other lanes
            test.body += "IADD.u32 r4, r0, r0\nLD_BUFFER.i128.slot0.wait0 @r12:r13:r14:r15, r4, "
                         "u0\n";
        if (random.one_in(2)) {  // an offset that is known when the kernel is made
            test.immediates.push_back(known_offset(random));
            test.body += "LD_BUFFER.i96.slot0.wait0 @r4:r5:r6, u1, u0\n";
        }
        if (random.one_in(3))  // overwrites the offset's register
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

/// Stores to and loads from thread-local storage, at r0 (address in r4:r5) and at fixed offsets.
MessageCase local_case(Random& random) {
    constexpr const char* kInputs[] = {"@r0", "@r0:r1", "@r0:r1:r2", "@r0:r1:r2:r3"};
    constexpr const char* kResults[] = {"@r8", "@r10:r11", "@r12:r13:r14", "@r12:r13:r14:r15"};
    constexpr const char* kSizes[] = {"i32", "i64", "i96", "i128"};
    constexpr const char* kMore[] = {".unsigned", "", "", ""};
    MessageCase test;
    const uint32_t same = 4 * random.below(32);
    const bool usual = random.one_in(2);
    for (exec::Lanes& input : test.inputs)
        for (uint32_t& word : input.v)
            word = static_cast<uint32_t>(random.next());
    for (uint32_t& offset : test.inputs[0].v)
        offset = usual && !random.one_in(20) ? same : 4 * random.below(32);
    const std::string sum = "SHADDX.u64 r4, thread_local_pointer.w0, r0.w0, shift:0x0\n";
    const bool early = random.one_in(2);
    test.body = early ? "" : sum;
    for (unsigned count = 0; count < 8; ++count) {
        const unsigned words = random.below(4);
        const std::string place = random.one_in(3) ? "thread_local_pointer.w0" : "r4";
        const std::string offset = ", offset:" + std::to_string(4 * random.below(28)) + "\n";
        const std::string size = kSizes[words];
        if (random.one_in(2))
            test.body += "STORE." + size + (random.one_in(2) ? ".force" : "") + ".slot0.wait0 " +
                         kInputs[words] + ", " + place + offset;
        else
            test.body += "LOAD." + size + kMore[words] + ".slot0.wait0 " + kResults[words] + ", " +
                         place + offset;
    }
    wrap_body(test, random, early ? sum : "");
    test.pressure = random.one_in(3);
    if (random.one_in(2))
        test.lanes = static_cast<uint16_t>(random.next());
    return test;
}

TEST_CASE("thread-local words are the same expanded as by routine and interpreter") {
    for (uint64_t seed = 0; seed < rounds(400); ++seed) {
        Random random(seed);
        MessageCase test = local_case(random);
        const std::string report = message_disagreement(test);
        INFO("seed ", seed);
        REQUIRE_MESSAGE(report.empty(), report);
    }
}

/// Memory at address u4; loads and stores access it at offset r0.
struct MemoryCase {
    alignas(64) std::array<uint32_t, 112> memory{};
    MessageCase test;

    explicit MemoryCase(Random& random) {
        for (uint32_t& word : memory)
            word = static_cast<uint32_t>(random.next());
        const auto address = reinterpret_cast<uintptr_t>(memory.data());
        test.immediates = {
            0, 0, 0, 0, static_cast<uint32_t>(address), static_cast<uint32_t>(address >> 32), 1};
        for (exec::Lanes& input : test.inputs)
            for (uint32_t& word : input.v)
                word = static_cast<uint32_t>(random.next());
        fill_offsets(random);
        fill_body(random);
        wrap_body(test, random);
        test.pressure = random.one_in(3);
        if (random.one_in(2))
            test.lanes = static_cast<uint16_t>(random.next());
    }
    MemoryCase(const MemoryCase&) = delete;
    MemoryCase& operator=(const MemoryCase&) = delete;

    /// Offsets are equal, ascend or descend by equal distances, or do so except in some lanes.
    void fill_offsets(Random& random) {
        constexpr uint32_t kDistances[] = {0, 4, 4, 8, 16, 16, static_cast<uint32_t>(-16)};
        const uint32_t distance = kDistances[random.below(std::size(kDistances))];
        const bool descends = distance > 16;
        const bool regular = !random.one_in(4);
        const bool exact = random.one_in(2);
        uint32_t next = descends ? 15 * 16 : 4 * random.below(distance == 0 ? 32 : 4);
        for (uint32_t& offset : test.inputs[0].v) {
            offset = regular && (exact || !random.one_in(20)) ? next : 4 * random.below(32);
            next += distance;
        }
    }

    /// Lanes with an odd r1 access thread-local storage instead.
    void fill_body(Random& random) {
        constexpr const char* kSizes[] = {"i32.unsigned", "i64", "i96", "i128"};
        constexpr const char* kResults[] = {"@r8", "@r8:r9", "@r8:r9:r10", "@r8:r9:r10:r11"};
        test.body = "SHADDX.u64 r4, u4, r0.w0, shift:0x0\n";
        constexpr uint32_t kMostLocal = 4 * 31;
        const bool local = std::ranges::all_of(
            test.inputs[0].v, [](uint32_t offset) { return offset <= kMostLocal; });
        if (local && random.one_in(3))
            test.body += "SHADDX.u64 r6, thread_local_pointer.w0, r0.w0, shift:0x0\n"
                         "LSHIFT_AND.i32 r12, r1, 0x0.b00, u6\n"
                         "CSEL.u32.eq r4, r12, 0x0, r4, r6\n"
                         "CSEL.u32.eq r5, r12, 0x0, r5, r7\n";
        // The runs share the memory. Stores come first, so that all runs load equal values.
        if (random.one_in(2))
            test.body += "STORE.i32.slot0.wait0 @r2, r4, offset:4\n";
        if (random.one_in(4))
            test.body += "STORE.i128.slot0.wait0 @r0:r1:r2:r3, r4, offset:16\n";
        if (random.one_in(4))
            test.body += random.one_in(2) ? "STORE.i64.slot0.wait0 @r2:r3, r4, offset:8\n"
                                          : "STORE.i96.slot0.wait0 @r0:r1:r2, r4, offset:8\n";
        const uint32_t place = random.below(40);
        if (random.one_in(4))
            test.body +=
                "STORE.i16.slot0.wait0 @r3, r4, offset:" + std::to_string(place & ~1U) + "\n";
        if (random.one_in(4))
            test.body += "STORE.i8.slot0.wait0 @r2, r4, offset:" + std::to_string(place) + "\n";
        const unsigned words = random.below(4);
        test.body += std::string("LOAD.") + kSizes[words] + ".slot0.wait0 " + kResults[words] +
                     ", r4, offset:" + std::to_string(4 * random.below(20)) + "\n";
        test.body += "LOAD.i128.slot0.wait0 @r12:r13:r14:r15, r4, offset:4\n";
    }
};

TEST_CASE("words in memory are the same expanded as by routine and interpreter") {
    for (uint64_t seed = 0; seed < rounds(400); ++seed) {
        Random random(seed);
        MemoryCase c(random);
        const std::string report = message_disagreement(c.test);
        INFO("seed ", seed);
        REQUIRE_MESSAGE(report.empty(), report);
    }
}

/// Pages at the two ends of a window of 4 GiB.
class WindowEnds {
public:
    WindowEnds() {
        for (uint64_t window = 0x1000; window < 0x1100 && !both(); ++window) {
            release();
            bottom_ = map(window << 32);
            top_ = map((window << 32) + 0x100000000 - kPage);
        }
    }
    ~WindowEnds() { release(); }
    WindowEnds(const WindowEnds&) = delete;
    WindowEnds& operator=(const WindowEnds&) = delete;

    [[nodiscard]] bool both() const { return bottom_ != MAP_FAILED && top_ != MAP_FAILED; }
    /// The word at the start of the window.
    [[nodiscard]] uint64_t start() const { return reinterpret_cast<uintptr_t>(bottom_); }
    void fill(Random& random) {
        for (void* page : {bottom_, top_})
            for (size_t k = 0; k < kPage / sizeof(uint32_t); ++k)
                static_cast<uint32_t*>(page)[k] = static_cast<uint32_t>(random.next());
    }

private:
    static constexpr size_t kPage = 4096;
    static void* map(uint64_t address) {
        return mmap(reinterpret_cast<void*>(address), kPage, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    }
    void release() {
        for (void* page : {bottom_, top_})
            if (page != MAP_FAILED)
                munmap(page, kPage);
    }
    void* bottom_ = MAP_FAILED;
    void* top_ = MAP_FAILED;
};

TEST_CASE("words whose lower address words wrap do not lie one behind the other") {
    WindowEnds ends;
    if (!ends.both())
        return;
    Random random(7);
    ends.fill(random);
    for (const uint32_t words : {1U, 2U, 3U, 4U}) {
        const uint32_t stride = words == 3 ? 16 : 4 * words;
        for (uint32_t in_front = 0; in_front <= exec::kLanes; ++in_front) {
            MessageCase test;
            test.immediates = {static_cast<uint32_t>(ends.start() >> 32)};
            for (uint32_t lane = 0; lane < exec::kLanes; ++lane)
                test.inputs[0].v[lane] = (lane - in_front) * stride;
            test.body =
                "MOV.i32 r4, r0\nMOV.i32 r5, u0\nLOAD." +
                std::vector<std::string>{"i32.unsigned.slot0.wait0 @r8", "i64.slot0.wait0 @r8:r9",
                                         "i96.slot0.wait0 @r8:r9:r10",
                                         "i128.slot0.wait0 @r8:r9:r10:r11"}[words - 1] +
                ", r4, offset:0\n";
            const std::string report = message_disagreement(test);
            INFO(words, " words, ", in_front, " lanes in front of the end");
            CHECK_MESSAGE(report.empty(), report);
        }
    }
}

}  // namespace
}  // namespace valkyr::test
