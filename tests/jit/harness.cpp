// Harness: runs a program on the interpreter and on every host level, and compares.
// SPDX-License-Identifier: MIT
#include "tests/jit/harness.hpp"

#include "valhall/interpreter/interpreter.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/text/assemble.hpp"
#include "valhall/text/disassemble.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <doctest/doctest.h>

namespace valkyr::test {

using exec::kLanes;

namespace {

std::string hex(uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, "%08X", value);
    return text;
}

/// The draw of a case: uniforms, the address of the inputs, and random special values.
struct Draw {
    explicit Draw(const ComputeCase& test) {
        std::memcpy(fau.data(), test.uniforms.data(), sizeof test.uniforms);
        const auto address = std::bit_cast<uint64_t>(test.inputs.data());
        fau[kTestUniforms] = static_cast<uint32_t>(address);
        fau[kTestUniforms + 1] = static_cast<uint32_t>(address >> 32);
        Random random(1);
        for (uint64_t& value : context.special)
            value = random.next();
        context.fau = fau.data();
    }
    alignas(64) std::array<uint32_t, kTestUniforms + 2> fau{};
    exec::DrawContext context;
};

struct Run {
    Registers registers{};
    std::string error;
};

Run interpret(const valhall::Interpreter& interpreter, const ComputeCase& test) {
    Run run;
    Draw draw(test);
    exec::ComputeCall call;
    call.draw = &draw.context;
    call.registers = run.registers.data();
    call.block[0] = test.count;
    call.tls = 0x1234567FFF0;
    std::vector<valhall::RunFault> faults;
    interpreter.run(call, &faults);
    if (!faults.empty())
        run.error = faults.front().text;
    return run;
}

Run recompiled(const jit::CompiledKernel& kernel, const ComputeCase& test) {
    Run run;
    Draw draw(test);
    exec::ComputeCall call;
    call.draw = &draw.context;
    call.registers = run.registers.data();
    call.block[0] = test.count;
    call.tls = 0x1234567FFF0;
    kernel.entry()(call);
    return run;
}

std::string compare(const ComputeCase& test, const Run& expected, const Run& got) {
    std::string report;
    unsigned differences = 0;
    for (unsigned r = 0; r < exec::kRegisters; ++r)
        for (unsigned lane = 0; lane < test.count; ++lane) {
            const uint32_t want = expected.registers[r].v[lane];
            const uint32_t have = got.registers[r].v[lane];
            if (want == have || ++differences > 8)
                continue;
            report += "\n  r" + std::to_string(r) + " lane " + std::to_string(lane) + ": want " +
                      hex(want) + " have " + hex(have) + "   inputs";
            for (unsigned k = 0; k < kInputRegisters; ++k)
                report += " " + hex(test.inputs[k].v[lane]);
        }
    return report;
}

/// The host code, if the environment variable VALKYR_JIT_LISTING asks for it.
std::string
listing_of(jit::Recompiler& recompiler, const valhall::Program& program, bool strict_nan) {
    if (!std::getenv("VALKYR_JIT_LISTING"))
        return {};
    jit::KernelKey key;
    key.strict_nan = strict_nan;
    const auto kernel = recompiler.recompile(program, key, {.listing = true, .name = "test"});
    std::string text = "\nhost code:";
    if (kernel)
        for (const jit::HostLine& line : (*kernel)->listing())
            text +=
                "\n  " + std::to_string(static_cast<int32_t>(line.word_index)) + " " + line.text;
    return text;
}

std::string describe(const ComputeCase& test) {
    std::string text = "\nprogram:";
    for (uint64_t word : test.body)
        text += "\n  " + text_of(word);
    text += "\nuniforms:";
    for (uint32_t word : test.uniforms)
        text += " " + hex(word);
    return text;
}

}  // namespace

const std::vector<std::unique_ptr<jit::Recompiler>>& recompilers() {
    static const auto all = [] {
        std::vector<std::unique_ptr<jit::Recompiler>> list;
        for (jit::HostLevel level :
             {jit::HostLevel::Avx2, jit::HostLevel::Avx512, jit::HostLevel::Neon}) {
            const char* only = std::getenv("VALKYR_JIT_LEVEL");
            if (!jit::host_supports(level) || (only && only != jit::host_level_name(level)))
                continue;
            auto recompiler = jit::Recompiler::create(level);
            REQUIRE_MESSAGE(recompiler.has_value(), recompiler.error().text);
            list.push_back(std::move(*recompiler));
        }
        return list;
    }();
    return all;
}

std::vector<jit::Recompiler*> recompilers_by_method() {
    static const auto slower = [] {
        const bool loads = jit::fast_gather_method() == jit::GatherMethod::Loads;
        return std::move(*jit::Recompiler::create(
            jit::HostLevel::Avx2,
            {.gather_method = loads ? jit::GatherMethod::Gathers : jit::GatherMethod::Loads,
             .listing_only = !jit::host_supports(jit::HostLevel::Avx2)}));
    }();
    std::vector<jit::Recompiler*> list;
    for (const auto& recompiler : recompilers()) {
        list.push_back(recompiler.get());
        if (recompiler->level() == jit::HostLevel::Avx2)
            list.push_back(slower.get());
    }
    return list;
}

std::string emission_failure(const valhall::Program& program, const jit::KernelKey& key) {
    static const auto listers = [] {
        std::vector<std::unique_ptr<jit::Recompiler>> list;
        for (jit::HostLevel level :
             {jit::HostLevel::Avx2, jit::HostLevel::Avx512, jit::HostLevel::Neon})
            list.push_back(std::move(*jit::Recompiler::create(level, {.listing_only = true})));
        return list;
    }();
    for (const auto& lister : listers)
        if (const auto kernel = lister->recompile(program, key); !kernel)
            return std::string(jit::host_level_name(lister->level())) + ": " + kernel.error().text;
    return {};
}

namespace {

std::array<std::atomic<uint64_t>, 4>& warp_counts() {
    static std::array<std::atomic<uint64_t>, 4> counts;
    return counts;
}

/// Prints what count_warps() counted, when all tests have run.
struct WarpReport : doctest::IReporter {
    explicit WarpReport(const doctest::ContextOptions& /*options*/) {}
    void test_run_end(const doctest::TestRunStats& /*stats*/) override {
        for (size_t level = 0; level < warp_counts().size(); ++level)
            if (const uint64_t count = warp_counts()[level])
                std::printf(
                    "program-warps on %s: %llu\n",
                    std::string(jit::host_level_name(static_cast<jit::HostLevel>(level))).c_str(),
                    static_cast<unsigned long long>(count));
    }
    void report_query(const doctest::QueryData& /*query*/) override {}
    void test_run_start() override {}
    void test_case_start(const doctest::TestCaseData& /*data*/) override {}
    void test_case_reenter(const doctest::TestCaseData& /*data*/) override {}
    void test_case_end(const doctest::CurrentTestCaseStats& /*stats*/) override {}
    void test_case_exception(const doctest::TestCaseException& /*exception*/) override {}
    void subcase_start(const doctest::SubcaseSignature& /*subcase*/) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData& /*data*/) override {}
    void log_message(const doctest::MessageData& /*data*/) override {}
    void test_case_skipped(const doctest::TestCaseData& /*data*/) override {}
};

}  // namespace

REGISTER_LISTENER("warps", 1, WarpReport);

void count_warps(jit::HostLevel level, unsigned warps) {
    warp_counts()[static_cast<size_t>(level) % warp_counts().size()] += warps;
}

unsigned rounds(unsigned usual) {
    const char* text = std::getenv("VALKYR_JIT_ROUNDS");
    if (!text)
        return usual;
    const bool divides = std::strncmp(text, "1/", 2) == 0;
    const auto factor = static_cast<unsigned>(std::max(1, std::atoi(divides ? text + 2 : text)));
    return divides ? std::max(1U, usual / factor) : usual * factor;
}

uint32_t interesting_word(Random& random) {
    static constexpr uint32_t kSpecials[] = {
        0,          0x80000000, 1,          0x80000001, 0x007FFFFF, 0x807FFFFF, 0x00800000,
        0x80800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFA00000,
        0x7F7FFFFF, 0xFF7FFFFF, 0x3F800000, 0xBF800000, 0x3F000000, 0xBF000000, 0x3FC00000,
        0x40000000, 0x4B000000, 0xCB000001, 0x4F000000, 0xCF000000, 0x4F7FFFFF, 0x4F800000,
        0x5F000000, 0x7FFFFFFF, 0xFFFFFFFF, 0x3C003C00, 0x7C00FC00, 0x7E017D00, 0x80000000,
        0x00010001, 0xFFFF8000, 0x7FFF0400, 0x03FF83FF, 0x7BFFFBFF, 0x04000400, 0x80808080,
        0x7F7F7F7F, 0x01000000, 0x0000FFFF, 0x49400000, 0x497FFFFF, 24,         31,
        32,         33,         63,         0x000000FF, 0x00FF00FF, 0x3EAAAAAB, 0x40490FDB};
    switch (random.below(6)) {
    case 0: return kSpecials[random.below(std::size(kSpecials))];
    case 1: return random.below(64);
    case 2:  // a float of moderate size
        return (random.next32() & 0x807FFFFF) | (110 + random.below(34)) << 23;
    case 3:  // two halves of moderate size
        return (random.next32() & 0x83FF83FF) | (8 + random.below(16)) << 10 |
               (8 + random.below(16)) << 26;
    case 4: return random.next32() >> random.below(32);
    default: return random.next32();
    }
}

void fill_inputs(ComputeCase& test, Random& random) {
    for (exec::Lanes& lanes : test.inputs)
        for (uint32_t& word : lanes.v)
            word = interesting_word(random);
    for (uint32_t& word : test.uniforms)
        word = interesting_word(random);
}

valhall::Program make_program(const ComputeCase& test) {
    const std::string base = "u" + std::to_string(kTestUniforms);
    std::string text = "MOV.i32 r61, lane_id.w0\nSHADDX.u64 r62, " + base + ", r61.w0, shift:0x2\n";
    for (unsigned r = 0; r < kInputRegisters; ++r)
        text += "LOAD.i32.unsigned.slot0.wait0 @r" + std::to_string(r) +
                ", r62, offset:" + std::to_string(r * sizeof(exec::Lanes)) + "\n";
    valhall::Program program;
    program.info.stage = exec::Stage::Compute;
    program.info.tls_bytes = 48;
    static const std::vector<uint64_t> prologue = words_of(text);
    program.words = prologue;
    program.words.insert(program.words.end(), test.body.begin(), test.body.end());
    for (unsigned i = 0; i < kTestUniforms; ++i)
        program.fau.push_back(
            {i < kTestUniforms / 2 ? valhall::FauKind::Immediate : valhall::FauKind::Driver, 0,
             test.uniforms[i]});
    program.fau.resize(kTestUniforms + 2, {valhall::FauKind::Driver, 0, 0});
    return program;
}

namespace {

/// The warps of a case: one with its own inputs, then some with random inputs.
std::vector<ComputeCase> warps_of(const ComputeCase& test) {
    std::vector<ComputeCase> warps{test};
    Random random(test.inputs[0].v[0] + test.more_warps);
    for (unsigned n = 0; n < test.more_warps; ++n) {
        ComputeCase& warp = warps.emplace_back(test);
        for (exec::Lanes& lanes : warp.inputs)
            if (std::ranges::any_of(lanes.v, [](uint32_t word) { return word != 0; }))
                for (uint32_t& word : lanes.v)
                    word = interesting_word(random);
        if (random.one_in(2))
            warp.count = 1 + random.below(kLanes);
    }
    return warps;
}

/// Compares a recompiled program with the interpreter's result of every warp.
std::string level_disagreement(jit::Recompiler& recompiler,
                               const valhall::Program& program,
                               const std::vector<ComputeCase>& warps,
                               const std::vector<Run>& expected) {
    const std::string level(jit::host_level_name(recompiler.level()));
    const ComputeCase& test = warps.front();
    jit::KernelKey key;
    key.strict_nan = test.strict_nan;
    const auto kernel = recompiler.recompile(program, key);
    if (!kernel)
        return level + ": " + kernel.error().text + describe(test);
    for (size_t k = 0; k < warps.size(); ++k) {
        if (!expected[k].error.empty())
            continue;
        const Run got = recompiled(**kernel, warps[k]);
        count_warps(recompiler.level(), 1);
        const std::string report = compare(warps[k], expected[k], got);
        if (!report.empty())
            return level + " differs:" + report + describe(test) +
                   listing_of(recompiler, program, test.strict_nan);
    }
    return {};
}

}  // namespace

std::string disagreement(const ComputeCase& test) {
    if (std::getenv("VALKYR_JIT_PROGRAMS"))  // to find the program that crashes
        std::fprintf(stderr, "%s\n", describe(test).c_str());
    const valhall::Program program = make_program(test);
    valhall::InterpreterOptions options;
    options.step_limit = 20000;  // a reduced program may have lost the exit of a loop
    const auto interpreter = valhall::Interpreter::create(program, options);
    if (!interpreter)
        return "interpreter: " + interpreter.error().text + describe(test);
    const std::vector<ComputeCase> warps = warps_of(test);
    std::vector<Run> expected;
    for (const ComputeCase& warp : warps)
        expected.push_back(interpret(*interpreter, warp));
    if (!expected.front().error.empty())
        return "interpreter: " + expected.front().error + describe(test);
    for (const auto& recompiler : recompilers()) {
        std::string report = level_disagreement(*recompiler, program, warps, expected);
        if (!report.empty())
            return report;
    }
    return {};
}

ComputeCase reduced(ComputeCase test) {
    const uint64_t nop = words_of("NOP.reconverge").front();
    for (bool changed = true; changed;) {
        changed = false;
        for (uint64_t& word : test.body) {
            const uint64_t old = word;
            if (old == nop)
                continue;
            word = nop;
            const std::string report = disagreement(test);
            if (report.find(" differs:") == std::string::npos)
                word = old;
            else
                changed = true;
        }
    }
    return test;
}

std::string text_of(uint64_t word) {
    auto instr = valhall::decode(word);
    return instr ? valhall::disassemble(*instr) : "undecodable";
}

std::vector<uint64_t> words_of(const std::string& text) {
    valhall::Assembly assembly = valhall::assemble(text);
    REQUIRE_MESSAGE(assembly.errors.empty(), assembly.errors.front().text);
    return assembly.words;
}

}  // namespace valkyr::test
