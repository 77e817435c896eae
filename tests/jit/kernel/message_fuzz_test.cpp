// Message fuzz test: random fragment programs send the same messages on every engine.
// SPDX-License-Identifier: MIT
#include "tests/jit/harness.hpp"
#include "tests/jit/kernel/message_world.hpp"
#include "tests/jit/random_program.hpp"
#include "valhall/isa/check_instr.hpp"
#include "valhall/isa/staging_count.hpp"
#include "valhall/text/disassemble.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;
using valhall::Op;
using valhall::OpInfo;
using valhall::SourceKind;

namespace {

constexpr uint8_t kLaneAddress = 58;    // pair: memory of the lane
constexpr uint8_t kSharedAddress = 56;  // pair: memory of all lanes

constexpr valhall::Effects kAddresses =
    valhall::Effect::load | valhall::Effect::store | valhall::Effect::atomic;

/// Whether a fragment program may send this message.
bool is_fragment_message(Op op, bool memory) {
    static constexpr std::string_view kOthers[] = {"NOP",      "BRANCH",      "BARRIER", "LD_ATTR",
                                                   "LEA_ATTR", "LEA_BUF_IMM", "VAR_TEX"};
    const OpInfo& info = valhall::op_info(op);
    if (info.has_dest && valhall::is_alu(info.unit))
        return false;
    if (std::ranges::any_of(kOthers, [&](std::string_view s) { return info.name.starts_with(s); }))
        return false;
    return memory || !info.effects.any(kAddresses);
}

/// The source that must be uniform (rule V15), or -1.
int uniform_source(Op op) {
    const auto sources = valhall::op_info(op).sources;
    for (size_t k = 0; k < sources.size(); ++k)
        if (sources[k].is_uniform)
            return static_cast<int>(k);
    return op == Op::LD_TILE || op == Op::ST_TILE || op == Op::ATEST ? 2 : -1;
}

void set_uniform(valhall::Source& source, Random& random) {
    source.kind = SourceKind::Uniform;
    source.index = static_cast<uint8_t>(2 * random.below(2));
    source.word = 0;
    source.last_use = false;
}

void set_address(valhall::Source& source, uint8_t reg) {
    source.kind = SourceKind::Register;
    source.index = reg;
    source.selector = 0;
    source.last_use = false;
}

/// Sets the register counts that formats, sizes and masks require (rule V8).
void set_staging_counts(valhall::Instr& instr, Random& random) {
    for (unsigned k = 0; k < valhall::op_info(instr.op).staging.size(); ++k) {
        const unsigned count = valhall::staging_count(instr, k);
        if (count == instr.staging[k].count)
            continue;
        const uint32_t base = count ? 2 * random.below((kDataRegisters - count) / 2 + 1) : 0;
        instr.staging[k] = {static_cast<uint8_t>(base), static_cast<uint8_t>(count)};
    }
}

/// Makes the message well-defined: uniform handles, addresses within the world's memory.
bool tame(valhall::Instr& instr, Random& random) {
    if (const int source = uniform_source(instr.op); source >= 0)
        set_uniform(instr.src[static_cast<size_t>(source)], random);
    // It is undefined whether helper lanes run when no other lane does, so no message forces
    // helpers.
    instr.set_mod(valhall::Mod::memory_access, 0);
    if (valhall::has_effect(instr.op, valhall::Effect::load | valhall::Effect::store)) {
        set_address(instr.src[0], kLaneAddress);
        instr.imm[0] = 4 * random.below(kLaneWords - 4);
    }
    if (valhall::has_effect(instr.op, valhall::Effect::atomic)) {
        const bool own = random.one_in(2);
        set_address(instr.src[0], own ? kLaneAddress : kSharedAddress);
        instr.imm[0] = 8 * random.below(15);
    }
    if (instr.op == Op::BLEND) {
        instr.imm[0] = 0;
        instr.src[0].kind = SourceKind::Special;
        instr.src[0].index = static_cast<uint8_t>(8 + random.below(8));  // a blend descriptor
        instr.set_mod(valhall::Mod::vecsize, 3);  // rule V19: four components
    }
    set_staging_counts(instr, random);
    unsigned page = 0;
    return !valhall::check_instr(instr, page);
}

std::string random_message(Random& random, bool memory) {
    for (;;) {
        const auto op = static_cast<Op>(random.below(valhall::kOpCount));
        if (!is_fragment_message(op, memory))
            continue;
        auto instr = random_legal(op, random, structured_options());
        if (instr && tame(*instr, random))
            return valhall::disassemble(*instr) + (random.one_in(40) ? "\nNOP.discard\n" : "\n");
    }
}

/// An LD_VAR_BUF_IMM into four registers from `first` on, or a texture message that sends four.
std::string whole_message(Op op, uint8_t first, uint8_t count, bool result, Random& random) {
    for (;;) {
        auto instr = random_legal(op, random, structured_options());
        if (!instr)
            continue;
        valhall::Staging& run =
            instr->staging[result ? 0 : valhall::op_info(op).staging.size() - 1];
        if (run.count != count)
            continue;
        run.base = first;
        if (!tame(*instr, random))
            continue;
        return valhall::disassemble(*instr) + "\n";
    }
}

WorldCase random_case(uint64_t seed) {
    Random random(seed);
    const bool memory = random.one_in(2);
    std::string text;
    if (memory)
        text += "MOV.i32 r60, lane_id.w0\nSHADDX.u64 r58, u4, r60.w0, shift:0x7\n"
                "MOV.i32 r56, u6\nMOV.i32 r57, u7\n";
    for (uint8_t first = 0; first < kDataRegisters; first += 4)
        text += whole_message(Op::LD_VAR_BUF_IMM_F32, first, 4, true, random);
    text += random_structured_program(seed, [&](Random& r) { return random_message(r, memory); });
    // Sends the registers at the end of the program.
    for (uint8_t first = 0; first < kDataRegisters; first += 4)
        text += whole_message(Op::TEX_SINGLE, first, 4, false, random);
    WorldCase test;
    test.seed = seed;
    test.fixed = memory ? 4 : 0;
    test.words = words_of(text + "NOP.end\n");
    static constexpr uint16_t kMasks[] = {0xFFFF, 1, 0x8000, 0x00FF, 0xFF00, 0x0F0F, 0x1248, 0};
    for (uint16_t& mask : test.masks)
        mask = random.one_in(2) ? kMasks[random.below(8)] : static_cast<uint16_t>(random.next());
    return test;
}

}  // namespace

TEST_CASE("random programs send the messages that the interpreter sends") {
    for (uint64_t seed = 0; seed < rounds(150); ++seed) {
        const WorldCase test = random_case(seed);
        const std::string report = world_disagreement(test);
        if (report.empty() || report.starts_with("interpreter: step limit"))
            continue;
        INFO("seed ", seed);
        if (report.find(" differs:") == std::string::npos)
            FAIL(report);
        FAIL(world_disagreement(reduced(test)));
    }
}

TEST_CASE("discard ends helper lanes: later masks do not have them") {
    WorldCase test;
    test.masks = {0x0001, 0x8421, 0xFFFF};
    // Lane 3 of every quad is demoted. Before and after .discard, the quad reads which lanes run.
    test.words = words_of(R"(
        MOV.i32 r0, lane_id.w0
        IADD_IMM.i32 r1, 0x0, #0x3
        LSHIFT_AND.i32 r1, r0, 0x0.b00, r1
        U32_TO_F32 r6, r1
        FADD_IMM.f32 r7, 0x0, #0x40400000
        DISCARD.f32.eq r6, r7
        WMASK.subgroup4 r2, 0xFFFFFFFF
        NOP.discard
        WMASK.subgroup4 r3, 0xFFFFFFFF
        CLPER.i32.subgroup4.xor.umax r4, r0, 0x3020100.b1
        TEX_FETCH.slot0.f.32.rgba.2d @r8:r9:r10:r11, @r2:r3, u0
        NOP.wait0
        TEX_FETCH.slot0.f.32.rgba.2d @r8:r9:r10:r11, @r4:r5, u0
        NOP.end
    )");
    const std::string report = world_disagreement(test);
    CHECK_MESSAGE(report.empty(), report);
}

TEST_CASE("helper lanes perform forced stores only, lanes of untouched quads none") {
    WorldCase test;
    test.masks = {0x0201, 0x8000, 0xF0F0};
    test.words = words_of(R"(
        MOV.i32 r60, lane_id.w0
        SHADDX.u64 r58, u4, r60.w0, shift:0x7
        IADD_IMM.i32 r1, r60, #0x100
        STORE.i32.slot0 @r1, r58, offset:0
        STORE.i32.force.slot0 @r1, r58, offset:4
        NOP.end
    )");
    const std::string report = world_disagreement(test);
    CHECK_MESSAGE(report.empty(), report);
}
