// Endless loops test: exec::LoopWatch ends them on every host level as on the interpreter.
// SPDX-License-Identifier: MIT
#include "tests/jit/harness.hpp"
#include "valhall/interpreter/interpreter.hpp"

#include <atomic>
#include <bit>
#include <chrono>
#include <doctest/doctest.h>
#include <functional>
#include <thread>

using namespace valkyr;
using namespace valkyr::test;

namespace {

/// A run with its loop watch.
struct Watched {
    exec::LoopWatch watch;
    Registers registers{};

    void run(const exec::Kernel& kernel, const ComputeCase& test) {
        registers = {};
        alignas(64) std::array<uint32_t, kTestUniforms + 2> fau{};
        const auto address = std::bit_cast<uint64_t>(test.inputs.data());
        fau[kTestUniforms] = static_cast<uint32_t>(address);
        fau[kTestUniforms + 1] = static_cast<uint32_t>(address >> 32);
        exec::DrawContext context;
        context.fau = fau.data();
        context.watch = &watch;
        exec::ComputeCall call;
        call.draw = &context;
        call.registers = registers.data();
        call.block[0] = exec::kLanes;
        kernel(call);
    }
};

ComputeCase case_of(const std::string& text) {
    ComputeCase test;
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        test.inputs[2].v[lane] = lane;
        test.inputs[3].v[lane] = 8;
    }
    test.body = words_of(text);
    return test;
}

/// Calls check with the interpreter's kernel and with that of each level.
void on_each_engine(const ComputeCase& test,
                    const std::function<void(const exec::Kernel&)>& check) {
    const valhall::Program program = make_program(test);
    auto interpreter = valhall::Interpreter::create(program);
    REQUIRE(interpreter.has_value());
    check(interpreter->kernel());
    for (const auto& recompiler : recompilers()) {
        const auto kernel = recompiler->recompile(program, {});
        REQUIRE_MESSAGE(kernel.has_value(), kernel.error().text);
        check((*kernel)->entry());
    }
}

// Loops by an unconditional branch, by a uniform one, and by one that only lanes 8 to 15 take for
// ever.
const char* const kEndless[] = {
    "loop: IADD_IMM.i32 r8, r8, #0x1\nBRANCHZ.eq.reconverge 0x0, offset:loop\nNOP.end\n",
    "loop: IADD_IMM.i32 r8, r8, #0x1\nBRANCHZ.eq.reconverge r9.h1, offset:loop\nNOP.end\n",
    ("loop: IADD_IMM.i32 r8, r8, #0x1\nICMP.u32.ge.m1 r14, r2, r3, 0x0\n"
     "BRANCHZ.reconverge r14.h0, offset:loop\nNOP.end\n"),
};

}  // namespace

TEST_CASE("a loop without an end is ended when its rounds are used up") {
    for (const char* text : kEndless) {
        const ComputeCase test = case_of(text);
        on_each_engine(test, [&](const exec::Kernel& kernel) {
            Watched watched;
            watched.watch.most_rounds = 3;
            watched.run(kernel, test);
            CHECK(watched.watch.runaway == 1);
        });
    }
}

TEST_CASE("once a warp was ended the others end at their first branch back") {
    const ComputeCase test =
        case_of("loop: IADD_IMM.i32 r8, r8, #0x1\nICMP.u32.lt.m1 r14, r8, r3, 0x0\n"
                "BRANCHZ.reconverge r14.h0, offset:loop\nIADD_IMM.i32 r9, 0x0, #0x7\nNOP.end\n");
    on_each_engine(test, [&](const exec::Kernel& kernel) {
        Watched watched;
        watched.run(kernel, test);
        CHECK(watched.registers[9].v[3] == 7);
        watched.watch.runaway = 1;
        watched.run(kernel, test);
        CHECK(watched.registers[9].v[3] != 7);
        watched.watch.runaway = 0;
        watched.watch.cancelled = 1;
        watched.run(kernel, test);
        CHECK(watched.registers[9].v[3] != 7);
        CHECK(watched.watch.runaway == 0);
    });
}

TEST_CASE("a loop that ends within its rounds has run to its end") {
    // The loop has 65536 backward branches; the watch looks at the first and the last.
    const ComputeCase test =
        case_of("IADD_IMM.i32 r8, 0x0, #0x0\nIADD_IMM.i32 r10, 0x0, #0x10001\n"
                "loop: IADD_IMM.i32 r8, r8, #0x1\nICMP.u32.lt.m1 r14, r8, r10, 0x0\n"
                "BRANCHZ.reconverge r14.h0, offset:loop\nIADD_IMM.i32 r9, r8, #0x0\nNOP.end\n");
    on_each_engine(test, [&](const exec::Kernel& kernel) {
        for (const uint32_t rounds : {0U, 3U, 1000U}) {
            Watched watched;
            watched.watch.most_rounds = rounds;
            watched.run(kernel, test);
            CHECK(watched.registers[9].v[0] == 0x10001);
            CHECK(watched.watch.runaway == 0);
        }
        Watched short_of;
        short_of.watch.most_rounds = 1;
        short_of.run(kernel, test);
        CHECK(short_of.registers[9].v[0] != 0x10001);
    });
}

TEST_CASE("a loop that runs is ended from outside") {
    const ComputeCase test = case_of(kEndless[0]);
    on_each_engine(test, [&](const exec::Kernel& kernel) {
        Watched watched;
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            watched.watch.cancelled = 1;
        });
        watched.run(kernel, test);
        other.join();
        CHECK(watched.watch.runaway == 0);
    });
}

namespace {

/// `count` additions and the end.
std::string long_code(uint32_t count) {
    std::string text;
    for (uint32_t i = 0; i < count; ++i)
        text += "IADD_IMM.i32 r8, r8, #0x1\n";
    return text + "NOP.end\n";
}

}  // namespace

TEST_CASE("very long code without a loop is left in between when it is cancelled") {
    const ComputeCase test = case_of(long_code(100'000));
    on_each_engine(test, [&](const exec::Kernel& kernel) {
        Watched watched;
        watched.run(kernel, test);
        const uint32_t all = watched.registers[8].v[3];
        CHECK(all >= 100'000);
        watched.watch.cancelled = 1;
        watched.run(kernel, test);
        CHECK(watched.registers[8].v[3] != all);
        CHECK(watched.watch.runaway == 0);
    });
}

TEST_CASE("each round of a long loop looks whether it is cancelled, and counts as one") {
    std::string text = "IADD_IMM.i32 r8, 0x0, #0x0\nIADD_IMM.i32 r10, 0x0, #0x40\nloop: ";
    for (uint32_t i = 0; i < 4000; ++i)
        text += "IADD_IMM.i32 r7, r7, #0x1\n";
    text += "IADD_IMM.i32 r8, r8, #0x1\nICMP.u32.lt.m1 r14, r8, r10, 0x0\n"
            "BRANCHZ.reconverge r14.h0, offset:loop\nNOP.end\n";
    const ComputeCase test = case_of(text);
    on_each_engine(test, [&](const exec::Kernel& kernel) {
        Watched watched;
        watched.watch.most_rounds = 2;
        watched.run(kernel, test);
        CHECK(watched.registers[8].v[3] == 64);
        CHECK(watched.watch.runaway == 0);
    });
}

TEST_CASE("recompiling that is cancelled gives an error and no kernel") {
    const valhall::Program program = make_program(case_of(long_code(50'000)));
    std::atomic<uint32_t> flag = 0;
    jit::RecompileOptions options;
    options.cancellation = Cancellation(flag);
    for (const auto& recompiler : recompilers()) {
        flag = 1;
        const auto refused = recompiler->recompile(program, {}, options);
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().code == Errc::Cancelled);
        // Cancelled at any moment, it returns an error or a whole kernel, and the recompiler stays
        // usable.
        for (const unsigned delay : {100U, 1000U, 3000U, 10000U, 30000U}) {
            flag = 0;
            std::thread other([&] {
                std::this_thread::sleep_for(std::chrono::microseconds(delay));
                flag = 1;
            });
            const auto made = recompiler->recompile(program, {}, options);
            other.join();
            if (!made)
                CHECK(made.error().code == Errc::Cancelled);
        }
        flag = 0;
        CHECK(recompiler->recompile(program, {}, options).has_value());
    }
}
