// Message test: checks the messages that the environment receives, and the registers of results.
// SPDX-License-Identifier: MIT
#include "tests/valhall/interpreter/bench.hpp"
#include "tests/valhall/interpreter/recorder.hpp"
#include "tests/valhall/interpreter/values.hpp"

#include <doctest/doctest.h>
#include <string>

using namespace valkyr;
using namespace valkyr::valhall;
using namespace valkyr::valhall::test;

namespace {

/// A bench whose messages go to a recorder; register r of lane l starts as 100 * r + l.
struct MessageBench : Bench {
    explicit MessageBench(std::string_view text)
        : Bench(std::string(text) + "\nNOP.end") {
        warp.draw = &recording;
        recording.tables.attribute_count = 32;
        for (unsigned r = 0; r < exec::kRegisters; ++r)
            set_lanes(r, [r](unsigned l) { return 100 * r + l; });
    }
    void run_recorded() {
        fau.resize(256);
        recording.fau = fau.data();
        run();
        CHECK(faults.empty());
    }
    RecordingDraw recording;
};

constexpr char kAll[] = " running ffff live ffff";

}  // namespace

TEST_CASE("LD_ATTR passes index, format and both IDs") {
    MessageBench imm("LD_ATTR_IMM.slot0.v3.f32 @r0:r1:r2, r60, r61, index:0x5, table:0x1");
    imm.run_recorded();
    REQUIRE(imm.recording.log.size() == 1);
    CHECK(imm.recording.log[0] == std::string("attribute 5 2 3") + kAll);
    CHECK(imm.recording.operands[0].v[7] == 6007);
    CHECK(imm.recording.operands[1].v[7] == 6107);
    CHECK(imm.get(2, 9) == 2009);
    CHECK(imm.get(3, 9) == 309);  // not a result register

    MessageBench indirect("LD_ATTR.slot0.v4.u16 @r0:r1, r60, r61, u0");
    indirect.fau = {1U << 24 | 7};
    indirect.run_recorded();
    CHECK(indirect.recording.log[0] == std::string("attribute 7 7 4") + kAll);
    CHECK(indirect.get(1, 2) == 1002);
    CHECK(indirect.get(2, 2) == 202);

    MessageBench wrong_table("LD_ATTR_IMM.slot0.f32 @r0, r60, r61, index:0x5, table:0x2");
    wrong_table.run_recorded();
    CHECK(wrong_table.recording.log[0] == std::string("attribute 4294967295 2 1") + kAll);
}

TEST_CASE("results go to the running lanes only") {
    MessageBench bench("LD_ATTR_IMM.slot0.f32 @r0, r60, r61, index:0x0, table:0x1");
    bench.state.alive = 0x00F0;
    bench.state.live = 0x0010;
    bench.run_recorded();
    CHECK(bench.recording.log[0] == "attribute 0 2 1 running f0 live 10");
    CHECK(bench.get(0, 4) == 4);
    CHECK(bench.get(0, 7) == 7);
    CHECK(bench.get(0, 8) == 8);  // 100 * 0 + 8: untouched
    bench.state.r[0].v[8] = 0;
}

TEST_CASE("LD_VAR_BUF: offset, sample mode, formats; the operand carries coverage and position") {
    MessageBench f32("LD_VAR_BUF_IMM.f32.slot1.v4.src_f32.center.store @r0:r1:r2:r3, r61, "
                     "index:0x20");
    f32.set(61, 0x00031234);
    f32.run_recorded();
    CHECK(f32.recording.log[0] == std::string("varying 32 0 0 0 0 4") + kAll);
    CHECK(f32.recording.operands[0].v[3] == 0x1234);
    CHECK(f32.recording.operands[1].v[3] == 0x00031234);
    CHECK(f32.get(3, 1) == 3001);

    MessageBench f16("LD_VAR_BUF.f16.slot1.v3.src_f16.centroid.store @r0:r1, r61, u1");
    f16.fau = {0, 300};
    f16.run_recorded();
    CHECK(f16.recording.log[0] == std::string("varying 300 1 0 1 1 3") + kAll);
    CHECK(f16.get(2, 1) == 201);

    MessageBench flat("LD_VAR_BUF_IMM.f32.slot1.src_flat32.sample.clobber @r0, r61, index:0x4");
    flat.run_recorded();
    CHECK(flat.recording.log[0] == std::string("varying 4 2 1 0 0 1") + kAll);

    MessageBench narrow("LD_VAR_BUF_IMM.f32.slot1.src_f16.explicit.store @r0, r1, index:0x4");
    narrow.run_recorded();
    CHECK(narrow.recording.log[0] == std::string("varying 4 3 0 0 1 1") + kAll);
}

TEST_CASE("LD_VAR names a slot of the record") {
    MessageBench imm("LD_VAR_IMM.slot0.v2.f16.sample.store @r0, r61, table:0x1, index:0x3");
    imm.run_recorded();
    CHECK(imm.recording.log[0] == std::string("varying 48 2 0 1 0 2") + kAll);
    MessageBench flat("LD_VAR_FLAT_IMM.slot0.v4.u32 @r0:r1:r2:r3, table:0x1, index:0x2");
    flat.run_recorded();
    CHECK(flat.recording.log[0] == std::string("varying 32 0 1 0 0 4") + kAll);
    MessageBench indirect("LD_VAR_FLAT.slot0.auto @r0, u0");
    indirect.fau = {1U << 24 | 5};
    indirect.run_recorded();
    CHECK(indirect.recording.log[0] == std::string("varying 80 0 1 0 0 1") + kAll);
}

TEST_CASE("LD_VAR_SPECIAL passes its index") {
    MessageBench bench("LD_VAR_SPECIAL.slot0.v2.f32.center.clobber @r0:r1, r61, index:0x0");
    bench.run_recorded();
    CHECK(bench.recording.log[0] == std::string("special 0 0") + kAll);
    CHECK(bench.get(1, 6) == 1006);
}

TEST_CASE("texture messages: narrow and wide resource words, operands in order, masks") {
    // texture table 4 index 2, sampler table 3 index 1
    constexpr uint32_t kNarrow = 4U << 27 | 2U << 16 | 3U << 11 | 1;
    constexpr uint32_t kTexture = 4U << 24 | 2;
    constexpr uint32_t kSampler = 3U << 24 | 1;
    const std::string handles =
        " " + std::to_string(kTexture) + " " + std::to_string(kSampler) + kAll;
    MessageBench single("TEX_SINGLE.slot0.f.32.rga.2d.array_enable.texel_offset.shadow.explicit "
                        "@r0:r1:r2, @r4:r5:r6:r7:r8:r9, u0");
    single.fau = {kNarrow, 0};
    single.recording.tables.texture_count = 3;
    single.run_recorded();
    CHECK(single.recording.log[0] == "texture 0 1 4 1 1 1 0 0 11 1 0 6" + handles);
    CHECK(single.recording.operands.size() == 6);
    CHECK(single.recording.operands[5].v[2] == 902);
    CHECK(single.get(2, 5) == 2005);

    MessageBench fetch("TEX_FETCH.slot0.u.16.rgba.3d.wide_indices.texel_offset "
                       "@r0:r1, @r4:r5:r6:r7, u0");
    fetch.fau = {kSampler, kTexture};
    fetch.run_recorded();
    CHECK(fetch.recording.log[0] == "texture 1 2 0 0 1 0 0 0 15 2 1 4" + handles);

    MessageBench gather("TEX_GATHER.slot0.s.32.rgba.cube.integer_coordinates.gather4_b "
                        "@r0:r1:r2:r3, @r4:r5, u0");
    gather.fau = {kNarrow, 0};
    gather.run_recorded();
    CHECK(gather.recording.log[0] == "texture 2 3 0 0 0 0 1 2 15 3 0 2" + handles);
}

TEST_CASE("VAR_TEX interpolates its coordinates first") {
    MessageBench bench("VAR_TEX_BUF_SINGLE.slot0.sample_store.f.32.2d.array_enable.computed "
                       "@r0:r1:r2:r3, u0, u2");
    bench.fau = {0, 0, 32, 0};
    bench.run_recorded();
    REQUIRE(bench.recording.log.size() == 2);
    CHECK(bench.recording.log[0] == std::string("varying 32 2 0 0 0 3") + kAll);
    CHECK(bench.recording.log[1] == std::string("texture 0 1 1 1 0 0 0 0 15 1 0 3 0 0") + kAll);
    CHECK(bench.recording.operands[4].v[1] == 2001);  // third component = array index
    MessageBench slot("VAR_TEX_GATHER.slot0.center_clobber.f.16.2d.gather4_r @r0:r1, u0, u2");
    slot.fau = {0, 0, 3, 0};
    slot.run_recorded();
    CHECK(slot.recording.log[0] == std::string("varying 48 0 0 0 0 2") + kAll);
}

TEST_CASE("image loads, addresses and converting stores") {
    MessageBench load("LD_TEX_IMM.slot0.v4.f32 @r0:r1:r2:r3, r4, r5, index:0x2, table:0x5");
    load.run_recorded();
    CHECK(load.recording.log[0] == "image_load " + std::to_string(5U << 24 | 2) + " 2 4" + kAll);
    MessageBench address("LEA_TEX.slot0 @r0:r1:r2, r4, r5, u0");
    address.fau = {5U << 24 | 1};
    address.run_recorded();
    CHECK(address.recording.log[0] == "image_address " + std::to_string(5U << 24 | 1) + kAll);
    CHECK(address.get(2, 4) == 2004);
    const std::string store = ".v4.f32 @r8:r9:r10:r11, r0, r2, offset:0x8";
    MessageBench plain("ST_CVT.slot0" + store.substr(0, 3) + store.substr(3));
    plain.state.live = 0xFF;
    plain.run_recorded();
    CHECK(plain.recording.log[0] == "convert_store 2 4 8 running ff live ff");
    CHECK(plain.recording.operands[0].v[1] == 1);
    CHECK(plain.recording.operands[1].v[1] == 101);
    CHECK(plain.recording.operands[2].v[1] == 201);
    CHECK(plain.recording.operands[3].v[1] == 801);
    MessageBench forced("ST_CVT.slot0.force" + store);
    forced.state.live = 0xFF;
    forced.run_recorded();
    CHECK(forced.recording.log[0] == "convert_store 2 4 8 running ffff live ffff");
}

TEST_CASE("ATEST and ZS_EMIT") {
    MessageBench atest("ATEST @r60, r60, r3.h1, atest_datum.w0");
    atest.recording.special[5] = 0x3F00000000000700;
    atest.set(3, 0x38000000);
    atest.run_recorded();
    CHECK(atest.recording.log[0] == "atest " + std::to_string(0x3F00000000000700) + kAll);
    CHECK(atest.recording.operands[0].v[4] == 6004);
    CHECK(atest.recording.operands[1].v[4] == f(0.5F));
    CHECK(atest.get(60, 4) == 6004);
    MessageBench zs("ZS_EMIT.slot0.z @r60, r0, r1, r60");
    zs.run_recorded();
    CHECK(zs.recording.log[0] == std::string("zs_emit 1 0") + kAll);
    MessageBench both("ZS_EMIT.slot0.stencil.z @r60, r0, r1, r60");
    both.run_recorded();
    CHECK(both.recording.log[0] == std::string("zs_emit 1 1") + kAll);
}

TEST_CASE("BLEND follows the mode of its descriptor") {
    constexpr uint64_t kTarget3 = 3U << 16;
    const auto run = [](uint64_t descriptor, const std::string& flow, RecordingDraw& draw) {
        MessageBench bench(
            "BLEND.slot0.v4.f32" + flow +
            " @r0:r1:r2:r3, blend_descriptor_2.w0, r60, target:" + (flow.empty() ? "0x2" : "0x0") +
            "\nIADD_IMM.i32 r20, 0x0, #1\nIADD_IMM.i32 r21, 0x0, #1\n"
            "IADD_IMM.i32 r22, 0x0, #1");
        for (unsigned r = 20; r < 23; ++r)
            bench.set(r, 0);
        bench.recording.special[10] = descriptor;
        bench.state.live = 0x0FFF;
        bench.run_recorded();
        draw = bench.recording;
        return std::to_string(bench.get(20)) + std::to_string(bench.get(21)) +
               std::to_string(bench.get(22));
    };
    RecordingDraw draw;
    CHECK(run(kTarget3 | 2, "", draw) == "001");
    REQUIRE(draw.log.size() == 1);
    CHECK(draw.log[0] == "blend 3 2 4 " + std::to_string(kTarget3 | 2) + " 0 running fff live fff");
    CHECK(draw.operands[2].v[1] == 301);
    CHECK(run(kTarget3 | 1, ".end", draw) == "000");
    CHECK(draw.log.size() == 1);
    CHECK(run(3, "", draw) == "001");  // off: nothing is written, the epilogue is skipped
    CHECK(draw.log.empty());
    CHECK(run(0, "", draw) == "111");  // blend shader: into the epilogue
    CHECK(draw.log.empty());
    CHECK(run(0, ".end", draw) == "111");
}

TEST_CASE("BLEND hands over the second colour when the state is dual-source") {
    exec::FragmentKey key;
    key.blend[1].enable = true;
    key.blend[1].rgb_dst = exec::BlendFactor::InvSrc1Alpha;
    exec::FragmentCall call;
    MessageBench bench("BLEND.slot0.v4.f32.end @r0:r1:r2:r3, u0, r60, target:0x0");
    bench.fau = {1U << 16 | 2, 0};
    bench.recording.key = &key;
    bench.warp.fragment = &call;
    bench.run_recorded();
    CHECK(bench.recording.log[0] == "blend 1 2 4 65538 1" + std::string(kAll));
    CHECK(bench.recording.operands[3].v[1] == 401);
}

TEST_CASE("tile access") {
    MessageBench load("LD_TILE.slot0.v4.f16 @r0:r1, r59, r60, u0");
    load.fau = {77};
    load.run_recorded();
    CHECK(load.recording.log[0] == std::string("tile_load 3 4 77") + kAll);
    MessageBench store("ST_TILE.slot0.v4.f32 @r0:r1:r2:r3, r59, r60, u0");
    store.state.live = 1;
    store.run_recorded();
    CHECK(store.recording.log[0] == "tile_store 2 4 0 running 1 live 1");
}

TEST_CASE("a missing environment or routine is a fault, not a crash") {
    Bench none("LD_ATTR_IMM.slot0.f32 @r0, r60, r61, index:0x0, table:0x1\nNOP.end");
    none.run();
    REQUIRE(none.faults.size() == 1);
    CHECK(none.faults[0].text == "LD_ATTR_IMM without an environment");
    const exec::Environment empty{};
    Bench hollow("TEX_SINGLE.slot0.f.32.2d.zero @r0:r1:r2:r3, @r4:r5, u0\nNOP.end");
    hollow.draw.environment = &empty;
    hollow.run();
    REQUIRE(hollow.faults.size() == 1);
    CHECK(hollow.faults[0].text == "the environment has no routine for TEX_SINGLE");
}

TEST_CASE("LEA_ATTR gives the address of an element and its format") {
    std::vector<uint8_t> data(64);
    const exec::AttributeDescriptor attributes[2] = {
        {data.data(), data.size(), 16, 0, exec::Format::R32G32_FLOAT, {}},
        {data.data(), data.size(), 8, 2, exec::Format::R32_FLOAT, {}}};
    MessageBench bench("LEA_ATTR_IMM.slot0 @r0:r1:r2, r4, r5, table:0x1, index:0x0\n"
                       "LEA_ATTR_IMM.slot0 @r8:r9:r10, r4, r5, table:0x1, index:0x1");
    bench.recording.tables.attributes = attributes;
    bench.recording.tables.attribute_count = 2;
    bench.set_lanes(4, [](unsigned l) { return l; });
    bench.set_lanes(5, [](unsigned l) { return l; });
    bench.run_recorded();
    const auto base = reinterpret_cast<uintptr_t>(data.data());
    CHECK(bench.get_pair(0, 3) == base + 48);
    CHECK(bench.get_pair(0, 4) == 0);  // past the end
    CHECK(bench.get(2, 3) == static_cast<uint32_t>(exec::Format::R32G32_FLOAT));
    CHECK(bench.get_pair(8, 5) == base + 16);
}
