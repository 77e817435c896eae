// Expansion choice test: every message has a chooser, and programs get the expansions they should.
// SPDX-License-Identifier: MIT
//
// An emitter aborts if it meets an expansion that it does not know. So all other tests of messages
// check that choices and emitters agree; these check the choices.
#include "jit/guest/flow_analysis.hpp"
#include "jit/kernel/choose_expansions.hpp"
#include "tests/jit/harness.hpp"

#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <vector>

using namespace valkyr;
using namespace valkyr::test;
using exec::Stage;
using jit::Expansion;
using jit::MessageChoice;
using valhall::Op;

namespace {

/// A program's stage, the state of its kernel, and the option.
struct Case {
    Stage stage = Stage::Fragment;
    exec::VertexKey vertex{};
    exec::FragmentKey fragment{};
    bool inline_messages = true;

    explicit Case(Stage s)
        : stage(s) {
        fragment.blend[0].format = exec::Format::R8G8B8A8_UNORM;
        fragment.blend[0].write_mask = 15;
        fragment.image_units = vertex.image_units = 1;
        fragment.images[0] = {exec::TextureKind::Tex2D, exec::Format::R8G8B8A8_UNORM, 1, true};
        vertex.images[0] = fragment.images[0];
        vertex.attribute_format[0] = exec::Format::R32G32B32A32_FLOAT;
    }

    /// Calls f(step) for each step of a program, after the choices.
    template <typename F>
    void each_step(const std::string& text, F f) const {
        valhall::Program program;
        program.words = words_of(text + "\nNOP.end");
        program.info.stage = stage;
        program.info.geometry.input = exec::InputPrimitive::Triangles;
        program.info.geometry.max_vertices = 3;
        program.fau.resize(4, {valhall::FauKind::Driver, 0, 0});
        jit::KernelKey key;
        if (stage == Stage::Fragment)
            key.fragment = &fragment;
        if (stage == Stage::Vertex)
            key.vertex = &vertex;
        auto guest = jit::read_program(program, key);
        REQUIRE(guest);
        jit::find_divergence(*guest);
        jit::choose_expansions(*guest, {*guest, key, inline_messages});
        for (const jit::Step& step : guest->steps)
            f(step);
    }
    /// The choices for all messages of a program.
    [[nodiscard]] std::vector<MessageChoice> choices(const std::string& text) const {
        std::vector<MessageChoice> all;
        each_step(text, [&](const jit::Step& step) {
            if (step.message.expansion != Expansion::None)
                all.push_back(step.message);
        });
        return all;
    }
    /// The lanes of the last CLPER of a program, if they are known.
    [[nodiscard]] std::optional<uint8_t> quad_lanes(const std::string& text) const {
        std::optional<uint8_t> lanes;
        each_step(text, [&](const jit::Step& step) {
            if (step.instr.op == Op::CLPER_I32)
                lanes = step.quad_lanes;
        });
        return lanes;
    }
    /// The choice for the last message.
    [[nodiscard]] MessageChoice choice(const std::string& text) const {
        const std::vector<MessageChoice> all = choices(text);
        REQUIRE(!all.empty());
        return all.back();
    }
    [[nodiscard]] Expansion expansion(const std::string& text) const {
        return choice(text).expansion;
    }
};

const std::string kBlend =
    "BLEND.slot0.v4.f32 @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0";
const std::string kAtest = "ATEST @r60, r60, r1, atest_datum.w0";
const std::string kLoadImage =
    "LD_TEX_IMM.slot0.v4.auto @r8:r9:r10:r11, r0, r1, index:0x0, table:0x5";

}  // namespace

TEST_CASE("instructions have a chooser unless they belong to an ALU") {
    for (unsigned i = 0; i < valhall::kOpCount; ++i) {
        const auto op = static_cast<Op>(i);
        const bool alu = valhall::is_alu(valhall::op_info(op).unit);
        CHECK_MESSAGE((jit::chooser_of(op) == nullptr) == alu, valhall::op_info(op).name);
    }
}

TEST_CASE("without the option all messages are routines") {
    Case c(Stage::Fragment);
    c.inline_messages = false;
    for (const std::string& text : {kBlend, kAtest, kLoadImage})
        CHECK(c.expansion(text) == Expansion::Routine);
}

TEST_CASE("BLEND goes by the state of its target and by its colour") {
    Case c(Stage::Fragment);
    exec::BlendKey& key = c.fragment.blend[0];
    CHECK(c.expansion(kBlend) == Expansion::BlendBytes);
    CHECK(c.expansion("MOV.i32 r0, u0\nMOV.i32 r1, 0x0\nMOV.i32 r2, u0\nMOV.i32 r3, u1\n" +
                      kBlend) == Expansion::BlendConstant);
    key.format = exec::Format::R32G32B32A32_FLOAT;
    CHECK(c.expansion(kBlend) == Expansion::BlendNumbers);
    key.format = exec::Format::R8_UNORM;
    key.enable = true;
    CHECK(c.expansion(kBlend) == Expansion::BlendSmallBytes);
    key.format = exec::Format::None;
    CHECK(c.expansion(kBlend) == Expansion::BlendOff);
}

TEST_CASE("ATEST goes by alpha and by the tests that run in it") {
    Case c(Stage::Fragment);
    CHECK(c.expansion(kAtest) == Expansion::AtestPass);
    c.fragment.alpha_func = exec::CompareFunc::Less;
    CHECK(c.expansion(kAtest) == Expansion::Atest);
    c.fragment.zs.depth_test = true;
    CHECK(c.expansion(kAtest) == Expansion::AtestTests);
    c.fragment.zs.early = true;
    CHECK(c.expansion(kAtest) == Expansion::Atest);
    CHECK(c.expansion("ATEST @r60, r60, r1, u0") == Expansion::Routine);
}

TEST_CASE("varyings of 32 bits are inline if their place is known") {
    const Case c(Stage::Fragment);
    CHECK(c.expansion("LD_VAR_BUF_IMM.f32.slot0.src_f32.center.store @r4, r61, index:0x0") ==
          Expansion::Varying);
    const MessageChoice known =
        c.choice("MOV.i32 r2, 0x0\nLD_VAR_BUF.f32.slot0.src_f32.center.store @r4, r61, r2");
    CHECK(known.expansion == Expansion::Varying);
    CHECK(known.known == 0U);
    CHECK(c.expansion("LD_VAR_BUF.f32.slot0.src_f32.center.store @r4, r61, u0") ==
          Expansion::Routine);
}

TEST_CASE("stores go by the origin of their addresses") {
    const Case c(Stage::Vertex);
    const std::string own = "LEA_BUF_IMM.slot0 @r4:r5, r59, table:0xD, index:0x0\n";
    const std::string sum = "SHADDX.u64 r4, thread_local_pointer.w0, r0.w0, shift:0x0\n";
    CHECK(c.expansion("STORE.i32.slot0 @r0, r4, offset:0") == Expansion::MemoryWords);
    CHECK(c.expansion("STORE.i8.slot0 @r0, r4, offset:0") == Expansion::MemoryPart);
    CHECK(c.expansion(sum + "STORE.i32.slot0 @r0, r4, offset:0") == Expansion::LocalComputed);
    CHECK(c.expansion("STORE.i32.slot0 @r0, thread_local_pointer.w0, offset:16") ==
          Expansion::LocalFixed);
    CHECK(c.expansion(own + "STORE.i128.slot0 @r0:r1:r2:r3, r4, offset:0") == Expansion::RecordRow);
    CHECK(c.expansion(own + "STORE.i32.slot0 @r0, r4, offset:0") == Expansion::RecordElements);
}

TEST_CASE("loads of geometry programs go by the vertex whose record they name") {
    const Case c(Stage::Geometry);
    const std::string second = "LEA_BUF_IMM.slot0 @r4:r5, r49, table:0xC, index:0x0\n";
    const std::string pair = "LOAD.i64.slot0 @r0:r1, r4, offset:";
    const MessageChoice row = c.choice(second + "LOAD.i128.slot0 @r0:r1:r2:r3, r4, offset:32");
    CHECK(row.expansion == Expansion::InputRow);
    CHECK(row.known == 1U);
    CHECK(c.expansion(second + pair + "8") == Expansion::InputRow);
    CHECK(c.expansion(second + pair + "12") == Expansion::MemoryWords);  // in two rows
    CHECK(c.expansion(second + pair + "6") == Expansion::MemoryWords);   // in three words
    CHECK(c.expansion(second + pair + "-8") == Expansion::MemoryWords);
    CHECK(c.expansion(pair + "8") == Expansion::MemoryWords);
    CHECK(c.expansion(second + "MOV.i32 r5, r0\n" + pair + "8") == Expansion::MemoryWords);
    CHECK(c.expansion("MOV.i32 r49, r0\n" + second + pair + "8") == Expansion::MemoryWords);
    const std::string fourth = "LEA_BUF_IMM.slot0 @r4:r5, r51, table:0xC, index:0x0\n";
    CHECK(c.expansion(fourth + pair + "8") ==
          Expansion::MemoryWords);  // triangles have three vertices
}

TEST_CASE("stores of geometry programs go by the number of the record that they name") {
    const Case c(Stage::Geometry);  // four records a pair
    const std::string shifted = "LSHIFT_OR.i32 r6, r59, 0x3020100.b22, 0x0\n";
    const std::string next = "IADD.u32 r6, r6, 0x1000000.b3\n";
    const std::string address = "LEA_BUF_IMM.slot0 @r4:r5, r6, table:0xD, index:0x0\n";
    const std::string row = "STORE.i128.slot0 @r0:r1:r2:r3, r4, offset:0";
    const std::string word = "STORE.i32.slot0 @r0, r4, offset:24";
    const MessageChoice second = c.choice(shifted + next + address + row);
    CHECK(second.expansion == Expansion::EmittedRow);
    CHECK(second.known == 1U);
    const MessageChoice third = c.choice(shifted + next + next + address + word);
    CHECK(third.expansion == Expansion::EmittedElement);
    CHECK(third.known == 2U);
    CHECK(c.choice("IMUL.i32 r6, r59, 0x7060504.b0\n" + address + row).known == 0U);
    CHECK(c.expansion("IMUL.i32 r6, r59, 0x7060504.b1\n" + address + row) ==
          Expansion::MemoryWords);  // five records a pair
    CHECK(c.expansion(shifted + next + next + next + next + address + row) ==
          Expansion::MemoryWords);  // of the next pair
    CHECK(c.expansion(shifted + "IADD.u32 r6, r6, r0\n" + address + row) == Expansion::MemoryWords);
    CHECK(c.expansion("MOV.i32 r59, r0\n" + shifted + address + row) == Expansion::MemoryWords);
    CHECK(c.expansion(shifted + address + "STORE.i64.slot0 @r0:r1, r4, offset:0") ==
          Expansion::MemoryWords);
}

TEST_CASE("the conversion word of a known image is known to the store behind it") {
    const Case c(Stage::Fragment);
    CHECK(c.expansion(kLoadImage) == Expansion::KnownImage);
    const std::string store = "ST_CVT.slot0.v4.auto @r8:r9:r10:r11, r12, r14, offset:0x0";
    const MessageChoice known =
        c.choice("LEA_TEX_IMM.slot0 @r12:r13:r14, r0, r1, table:0x5, index:0x0\n" + store);
    CHECK(known.expansion == Expansion::ImageTexels);
    CHECK(known.known == static_cast<uint32_t>(exec::Format::R8G8B8A8_UNORM));
    const auto indexed = c.choices("LEA_TEX.slot0 @r12:r13:r14, r0, r1, u0\n" + store);
    REQUIRE(indexed.size() == 2);
    CHECK(indexed[0].expansion == Expansion::CommonImage);
    CHECK(indexed[1].expansion == Expansion::ImageTexels);
    CHECK(c.expansion(store) == Expansion::Routine);
}

TEST_CASE("attributes are inline if their number and format are known") {
    const Case c(Stage::Vertex);
    CHECK(c.expansion("LD_ATTR_IMM.slot0.v4.f32 @r0:r1:r2:r3, r60, r61, index:0x0, table:0x1") ==
          Expansion::Attribute);
    CHECK(c.expansion("LD_ATTR_IMM.slot0.v4.f32 @r0:r1:r2:r3, r60, r61, index:0x1, table:0x1") ==
          Expansion::Routine);
    CHECK(c.expansion("LD_ATTR.slot0.v4.f32 @r0:r1:r2:r3, r60, r61, u0") == Expansion::Routine);
}

TEST_CASE("lane operands of CLPERs in quads are known if they follow from lane_id") {
    const Case c(Stage::Fragment);
    const std::string clper = "CLPER.i32.subgroup4 r1, r2, r3";
    const std::string even = "MOV.i32 r6, 0x0\n"
                             "LSHIFT_AND.i32 r3, 0x3020100.b2, r6.b00, lane_id.w0\n";
    CHECK(c.quad_lanes(even + clper) == 0xA0);  // 0, 0, 2, 2
    CHECK(c.quad_lanes(even + "IADD.u32 r3, r3, 0x1000000.b3\n" + clper) == 0xF5);
    CHECK(c.quad_lanes("MOV.i32 r3, lane_id.w0\n" + clper) == 0xE4);
    CHECK(c.quad_lanes("MOV.i32 r3, 0x0\n" + clper) == 0x00);
    CHECK(c.quad_lanes("CLPER.i32.subgroup4 r1, r2, 0x3020100.b2") == 0xAA);
    // Other lanes than those of quads, other operations, and operands that are not known.
    CHECK(!c.quad_lanes(even + "CLPER.i32.subgroup8 r1, r2, r3"));
    CHECK(!c.quad_lanes(even + "CLPER.i32.subgroup4.xor r1, r2, r3"));
    CHECK(!c.quad_lanes("FADD.f32 r3, r3, r3\n" + clper));
    CHECK(!c.quad_lanes(even + "FADD.f32 r3, r3, r3\n" + clper));
    CHECK(!c.quad_lanes(even + "IADD.u32.saturate r3, r3, 0x1000000.b3\n" + clper));
    CHECK(!c.quad_lanes(even + "IADD.u32 r3.h0, r3, 0x1000000.b3\n" + clper));
}

TEST_CASE("lanes of CLPERs are known where all lanes run: before branches and behind their ends") {
    const Case c(Stage::Fragment);
    const std::string clper = "MOV.i32 r3, lane_id.w0\nCLPER.i32.subgroup4 r1, r2, r3\n";
    const std::string branch = "BRANCHZ.eq.reconverge r60.h0, offset:on\n";
    const std::string other = "FADD.f32 r5, r5, r5\n";
    CHECK(c.quad_lanes(clper + branch + other + "on:") == 0xE4);
    CHECK(!c.quad_lanes(branch + clper + "on:"));
    CHECK(c.quad_lanes(branch + other + "on: " + clper) == 0xE4);
    // Lanes end in between, and lanes that are not covered do not start.
    CHECK(!c.quad_lanes("NOP.discard\n" + clper));
    CHECK(!c.quad_lanes("LOAD.i32.unsigned.slot0 @r8, r6, offset:0\n" + clper));
    CHECK(!c.quad_lanes("on: " + other + branch + clper));
}
