// Message run: runs a program with messages on every engine and compares registers.
// SPDX-License-Identifier: MIT
#include "tests/jit/message_run.hpp"

#include "raster/messages/environment.hpp"
#include "tests/jit/harness.hpp"
#include "valhall/interpreter/interpreter.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <doctest/doctest.h>
#include <memory>

namespace valkyr::test {
namespace {

using exec::kLanes;
/// Outputs are the results, then (vertex stage) the fixed part of the record.
constexpr unsigned kFixedWords = exec::kRecordVaryings / 4;
using Outputs = std::array<exec::Lanes, kMessageOutputs + kFixedWords>;

constexpr uint32_t kSlots = 2;  // of the vertex record: 4 results each

std::string hex(uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, "%08X", value);
    return text;
}

/// Destroys the host registers that C++ code of this build leaves alone, as that of another may
/// not.
void destroy_registers() {
#ifdef __x86_64__
    if (!__builtin_cpu_supports("avx512f"))
        return;
    // The compiler uses none of them without AVX-512, so that it need not know.
    asm volatile(".irp n,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
                 "vpternlogd $0xFF, %zmm\\n, %zmm\\n, %zmm\\n\n"
                 ".endr");
#endif
}

/// The rasterizer's routines; loads of images destroy registers.
const exec::Environment& destroying_environment() {
    static const exec::Environment environment = [] {
        exec::Environment made = raster::raster_environment();
        made.image_load = [](const exec::Warp& warp, const exec::ImageMessage& message,
                             const exec::Lanes& xy, const exec::Lanes& zw,
                             exec::Lanes* out) noexcept {
            raster::raster_environment().image_load(warp, message, xy, zw, out);
            destroy_registers();
        };
        return made;
    }();
    return environment;
}

/// Inputs and results in memory, and a draw that points to them.
struct Bench {
    explicit Bench(const MessageCase& test) {
        context.environment = &destroying_environment();
        context.tables = test.tables;
        attributes[0] = {.address = reinterpret_cast<const uint8_t*>(rows.data()),
                         .size = sizeof rows,
                         .stride = 16,
                         .format = exec::Format::R32G32B32A32_UINT};
        for (unsigned lane = 0; lane < kLanes; ++lane)
            for (unsigned k = 0; k < kMessageInputs; ++k)
                rows[lane][k] = test.inputs[k].v[lane];
        for (unsigned i = 0; i < test.immediates.size(); ++i)
            fau[i] = test.immediates[i];
        context.fau = fau.data();
        context.info = &info;
        for (uint32_t w = 0; w < local.size(); ++w)
            for (uint32_t lane = 0; lane < kLanes; ++lane)
                local[w].v[lane] = 0x10000 * w + lane;
    }
    [[nodiscard]] uint64_t tls() const { return std::bit_cast<uint64_t>(local.data()); }

    void set_address(unsigned index, const void* address) {
        const auto bits = std::bit_cast<uint64_t>(address);
        fau[index] = static_cast<uint32_t>(bits);
        fau[index + 1] = static_cast<uint32_t>(bits >> 32);
    }

    alignas(64) std::array<uint32_t, 16> fau{};
    alignas(64) std::array<std::array<uint32_t, 4>, kLanes> rows{};
    std::array<exec::Lanes, kMessageLocalBytes / 4> local;
    std::array<exec::AttributeDescriptor, 1> attributes;
    exec::ProgramInfo info;
    exec::DrawContext context;
};

std::vector<valhall::FauWord> fau_of(const MessageCase& test) {
    std::vector<valhall::FauWord> words(16, {valhall::FauKind::Driver, 0, 0});
    for (unsigned i = 0; i < test.immediates.size(); ++i)
        words[i] = {valhall::FauKind::Immediate, 0, test.immediates[i]};
    return words;
}

// The last attribute holds the inputs, so that cases can use the other attributes.
constexpr const char* kVertexProlog = "LD_ATTR_IMM.v4.u32.slot0.wait0 @r0:r1:r2:r3, r60, r61, "
                                      "index:0xF, table:0x1\n";
constexpr const char* kVertexEpilog =
    "LEA_BUF_IMM.slot2.wait02 @r16:r17, r59, table:0xD, index:0x0\n"
    "STORE.i128.estream.slot0.wait0 @r8:r9:r10:r11, r16, offset:32\n"
    "STORE.i128.estream.slot1.end @r12:r13:r14:r15, r16, offset:48\n";

valhall::Program vertex_program(const MessageCase& test) {
    valhall::Program program;
    program.info.stage = exec::Stage::Vertex;
    program.info.tls_bytes = kMessageLocalBytes;
    program.info.varying_slot_count = kSlots;
    program.words = words_of(kVertexProlog + test.body + kVertexEpilog);
    program.fau = fau_of(test);
    return program;
}

// Registers that neither the bodies nor prolog and epilog use.
constexpr unsigned kIdleRegisters[] = {16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
                                       30, 31, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49,
                                       50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 62, 63};

std::string fill_idle_registers() {
    std::string text;
    for (unsigned r : kIdleRegisters)
        text += "IADD_IMM.i32 r" + std::to_string(r) + ", r0, #0x" + std::to_string(r) + "\n";
    return text;
}
std::string add_idle_registers() {
    std::string text;
    for (unsigned r : kIdleRegisters)
        text += "IADD.u32 r8, r8, r" + std::to_string(r) + "\n";
    return text;
}

valhall::Program fragment_program(const MessageCase& test) {
    // Inputs are at u8 in rows of 16 bytes, outputs at u10 in rows of 32 bytes.
    const std::string prolog = "MOV.i32 r32, lane_id.w0\n"
                               "SHADDX.u64 r34, u8, r32.w0, shift:0x4\n"
                               "SHADDX.u64 r36, u10, r32.w0, shift:0x5\n"
                               "LOAD.i128.unsigned.slot0.wait0 @r0:r1:r2:r3, r34, offset:0\n";
    const std::string epilog = "STORE.i128.estream.slot0.wait0 @r8:r9:r10:r11, r36, offset:0\n"
                               "STORE.i128.estream.slot1.end @r12:r13:r14:r15, r36, offset:16\n";
    valhall::Program program;
    program.info.stage = exec::Stage::Fragment;
    program.info.tls_bytes = kMessageLocalBytes;
    program.info.has_side_effects = true;
    const std::string fill = test.pressure ? fill_idle_registers() : "";
    const std::string fold = test.pressure ? add_idle_registers() : "";
    program.words = words_of(prolog + fill + test.body + fold + epilog);
    program.fau = fau_of(test);
    return program;
}

unsigned vertex_count(const MessageCase& test) {
    return std::max(1U, static_cast<unsigned>(std::popcount(test.lanes)));
}

Outputs run_vertex(const MessageCase& test, const exec::Kernel& kernel) {
    Bench bench(test);
    std::vector<exec::AttributeDescriptor> attributes(16);
    for (uint32_t i = 0; i < test.tables.attribute_count && i < 15; ++i)
        attributes[i] = test.tables.attributes[i];
    attributes[15] = bench.attributes[0];
    bench.context.tables.attributes = attributes.data();
    bench.context.tables.attribute_count = 16;
    bench.context.key = &test.vertex;
    std::array<uint32_t, kLanes> ids{};
    for (unsigned i = 0; i < kLanes; ++i)
        ids[i] = i;
    constexpr uint32_t stride = exec::record_stride(kSlots);
    std::vector<uint8_t> records(kLanes * stride);
    exec::VertexCall call;
    call.draw = &bench.context;
    call.vertex_ids = ids.data();
    call.records = records.data();
    call.record_stride = stride;
    call.count = vertex_count(test);
    call.tls = bench.tls();
    call.message_calls = test.message_calls;
    kernel(call);
    Outputs out{};
    for (unsigned lane = 0; lane < call.count; ++lane)
        for (unsigned k = 0; k < out.size(); ++k) {
            const unsigned word = (k + kFixedWords) % out.size();
            std::memcpy(&out[k].v[lane], records.data() + lane * stride + 4 * word, 4);
        }
    return out;
}

Outputs run_fragment(const MessageCase& test, const exec::Kernel& kernel) {
    Bench bench(test);
    bench.context.key = &test.fragment;
    std::array<std::array<uint32_t, kMessageOutputs>, kLanes> rows{};
    bench.set_address(8, bench.rows.data());
    bench.set_address(10, rows.data());
    exec::PrimitiveSetup primitive{};
    primitive.q.a = 1;
    const exec::BlockRef block{0, test.lanes};
    exec::FragmentCall call;
    call.draw = &bench.context;
    call.primitive = &primitive;
    call.blocks = &block;
    call.block_count = 1;
    call.tls = bench.tls();
    call.message_calls = test.message_calls;
    std::vector<uint32_t> depth(256 * 16);
    std::vector<uint8_t> stencil(256 * 16);
    call.depth = depth.data();
    call.stencil = stencil.data();
    kernel(call);
    Outputs out{};
    for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned k = 0; k < kMessageOutputs; ++k)
            out[k].v[lane] = rows[lane][k];
    return out;
}

std::string difference(const MessageCase& test, const Outputs& want, const Outputs& have) {
    std::string report;
    unsigned count = 0;
    for (unsigned k = 0; k < want.size(); ++k)
        for (unsigned lane = 0; lane < kLanes; ++lane) {
            if (want[k].v[lane] == have[k].v[lane] || ++count > 6)
                continue;
            report += "\n  r" + std::to_string(8 + k) + " lane " + std::to_string(lane) +
                      ": want " + hex(want[k].v[lane]) + " have " + hex(have[k].v[lane]) +
                      "   inputs";
            for (const exec::Lanes& input : test.inputs)
                report += " " + hex(input.v[lane]);
        }
    return report;
}

/// Makes and runs a case for one stage.
struct StageRunner {
    const char* name;
    valhall::Program (*program)(const MessageCase&);
    Outputs (*run)(const MessageCase&, const exec::Kernel&);
};
constexpr std::array<StageRunner, 2> kStages{
    {{"vertex", vertex_program, run_vertex}, {"fragment", fragment_program, run_fragment}}};

jit::KernelKey key_of(const MessageCase& test, const valhall::Program& program) {
    jit::KernelKey key;
    if (program.info.stage == exec::Stage::Vertex)
        key.vertex = &test.vertex;
    else
        key.fragment = &test.fragment;
    return key;
}

void set_common_key(MessageCase& test) {
    test.vertex.attribute_format[15] = exec::Format::R32G32B32A32_UINT;
}

std::string stage_disagreement(const MessageCase& test, const StageRunner& stage) {
    const valhall::Program program = stage.program(test);
    auto interpreter = valhall::Interpreter::create(program);
    if (!interpreter)
        return interpreter.error().text;
    const std::vector<uint8_t> before(test.memory.begin(), test.memory.end());
    const Outputs want = stage.run(test, interpreter->kernel());
    const std::vector<uint8_t> after(test.memory.begin(), test.memory.end());
    const std::string refused = emission_failure(program, key_of(test, program));
    if (!refused.empty())
        return refused + "\n" + test.body;
    for (jit::Recompiler* recompiler : recompilers_by_method())
        for (const bool expand : {false, true}) {
            const std::string where = std::string(stage.name) + ", " +
                                      std::string(jit::host_level_name(recompiler->level())) +
                                      (expand ? ", expanded" : ", by routine");
            auto kernel = recompiler->recompile(program, key_of(test, program),
                                                {.inline_messages = expand, .name = {}});
            if (!kernel)
                return where + ": " + kernel.error().text;
            std::ranges::copy(before, test.memory.begin());
            std::string report = difference(test, want, stage.run(test, (*kernel)->entry()));
            if (!std::ranges::equal(after, test.memory))
                report += "\n  memory differs";
            std::ranges::copy(before, test.memory.begin());
            if (!report.empty())
                return where + " differs:" + report + "\n" + test.body;
        }
    return {};
}

}  // namespace

std::string message_disagreement(MessageCase& test) {
    set_common_key(test);
    for (const StageRunner& stage : kStages) {
        if (test.vertex_only && stage.run != run_vertex)
            continue;
        std::string report = stage_disagreement(test, stage);
        if (!report.empty())
            return report;
    }
    return {};
}

bool calls_routine(MessageCase& test) {
    std::array<uint64_t, sizeof(exec::Environment) / sizeof(void*)> calls{};
    test.message_calls = calls.data();
    set_common_key(test);
    for (const auto& recompiler : recompilers()) {
        const valhall::Program program = vertex_program(test);
        auto kernel = recompiler->recompile(program, key_of(test, program));
        if (!kernel)
            return true;
        run_vertex(test, (*kernel)->entry());
    }
    test.message_calls = nullptr;
    return std::ranges::any_of(calls, [](uint64_t n) { return n != 0; });
}

size_t gather_instructions(MessageCase& test, jit::HostLevel level, jit::GatherMethod method) {
    set_common_key(test);
    const auto lister =
        jit::Recompiler::create(level, {.gather_method = method, .listing_only = true});
    REQUIRE_MESSAGE(lister.has_value(), lister.error().text);
    jit::RecompileOptions options;
    options.listing = true;
    const valhall::Program program = vertex_program(test);
    const auto kernel = (*lister)->recompile(program, key_of(test, program), options);
    REQUIRE_MESSAGE(kernel.has_value(), kernel.error().text);
    return static_cast<size_t>(
        std::ranges::count_if((*kernel)->listing(), [](const jit::HostLine& line) {
            return line.text.find("gather") != std::string::npos;
        }));
}

}  // namespace valkyr::test
