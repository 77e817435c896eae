// Check test: recompiled code equals the interpreter; a damaged word is found.
// SPDX-License-Identifier: MIT
#include "tests/app/debug/support.hpp"
#include "tests/valhall/compiler/random_shader.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/isa/encode.hpp"

#include <algorithm>
#include <bit>
#include <doctest/doctest.h>
#include <random>

using namespace valkyr;
using namespace valkyr::debug;
using namespace valkyr::test;

namespace {

constexpr std::string_view kSums = R"(FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL TEMP[0..1]
  0: MUL TEMP[0], IN[0], IN[0].yyyy
  1: ADD TEMP[1], TEMP[0], IN[0].zzzz
  2: ADD TEMP[1].x, TEMP[1].xxxx, TEMP[0].wwww
  3: MOV OUT[0], TEMP[1]
  4: END
)";

/// An engine that negates source 0 of one word before it recompiles the rest.
HostEngine damaged(uint32_t word) {
    HostEngine engine = host_engines().front();
    const MakeKernel good = engine.make;
    engine.name = "damaged";
    engine.make = [good, word](const valhall::Program& program, const WarpCase& warp) {
        valhall::Program copy;
        copy.info = program.info;
        copy.fau = program.fau;
        copy.words = program.words;
        if (word < copy.words.size()) {
            auto instr = valhall::decode(copy.words[word]);
            if (instr->op ==
                valhall::Op::FADD_F32)  // not the words that compare_lockstep() appends
                instr->src[0].neg = !instr->src[0].neg;
            copy.words[word] = *valhall::encode(*instr);
        }
        return good(copy, warp);
    };
    return engine;
}

/// The first word with an FADD.
uint32_t find_sum(const Debugger& debugger) {
    const auto& instrs = debugger.recording().instructions();
    const auto found =
        std::ranges::find(instrs, valhall::Op::FADD_F32, [](const auto& i) { return i.op; });
    return static_cast<uint32_t>(found - instrs.begin());
}

}  // namespace

TEST_CASE("recompiled code gives the interpreter's results and registers") {
    const auto debugger = make_debugger(kSums, counting_inputs());
    for (const HostEngine& engine : host_engines()) {
        const auto lines = check(*debugger->session().warp, debugger->recording(), {engine});
        REQUIRE(lines.has_value());
        CHECK_FALSE((*lines)[0].refused.has_value());
        CHECK_FALSE((*lines)[0].difference.has_value());
        const auto report = compare_lockstep(*debugger->session().warp, engine);
        REQUIRE(report.has_value());
        CHECK(report->words == debugger->session().listing.words.size());
        CHECK(report->registers > 1000);
        CHECK_FALSE(report->difference.has_value());
    }
}

TEST_CASE("a damaged kernel is found out, at its word") {
    if (host_engines().empty())
        return;
    const auto debugger = make_debugger(kSums, counting_inputs());
    const uint32_t word = find_sum(*debugger);
    REQUIRE(word < debugger->session().listing.words.size());
    const auto lines = check(*debugger->session().warp, debugger->recording(), {damaged(word)});
    REQUIRE(lines.has_value());
    REQUIRE((*lines)[0].difference.has_value());
    CHECK((*lines)[0].difference->what.find("colour 0") != std::string::npos);
    CHECK(check_text((*lines)[0]).find("DIFFERENT") != std::string::npos);

    const auto report = compare_lockstep(*debugger->session().warp, damaged(word));
    REQUIRE(report.has_value());
    REQUIRE(report->difference.has_value());
    CHECK(report->difference->word == word);
    const unsigned reg = debugger->recording().instructions()[word].dest.reg;
    CHECK(report->difference->difference.what == "r" + std::to_string(reg));
    CHECK(
        lockstep_text(damaged(word), *report, debugger->session().listing.words).find("FADD.f32") !=
        std::string::npos);
}

TEST_CASE("random shaders with control flow agree word by word") {
    for (unsigned seed = 1; seed <= 3; ++seed) {
        std::mt19937 random(seed);
        const std::string text =
            random_shader(random, {.instructions = 20, .control_flow = true, .discard = true});
        DebugInputs inputs = counting_inputs();
        for (unsigned i = 0; i < 32; ++i)
            inputs.constants.push_back(std::bit_cast<uint32_t>(static_cast<float>(i) - 8.5F));
        const auto debugger = make_debugger(text, inputs);
        for (const HostEngine& engine : host_engines()) {
            const auto report = compare_lockstep(*debugger->session().warp, engine);
            REQUIRE(report.has_value());
            CHECK_MESSAGE(!report->difference.has_value(), "seed ", seed, ", ",
                          lockstep_text(engine, *report, debugger->session().listing.words), text);
        }
    }
}

TEST_CASE("a cut program ends behind its word and jumps no further") {
    const auto session = make_session(kSums, counting_inputs());
    const auto cut = cut_program(*session->warp->program, 2);
    REQUIRE(cut.has_value());
    CHECK(cut->words.size() == 3 + 16);  // 64 registers, four a store
    CHECK(cut->info.tls_bytes == session->warp->program->info.tls_bytes + kDumpBytes);
    for (size_t i = 0; i < 3; ++i)
        CHECK(cut->words[i] == session->warp->program->words[i]);
}
