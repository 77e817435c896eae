// Texture test: checks the place of each operand of texture instructions for each target.
// SPDX-License-Identifier: MIT
#include "tests/tgsi/tgsi_kit.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::tgsi;
using namespace valkyr::tgsi::test;

namespace {

/// Keeps requests and answers with constants.
class Recorder final : public TextureUnits {
public:
    std::vector<TextureRequest> requests;

    std::array<Word4, 4> sample(const TextureRequest& request) override {
        requests.push_back(request);
        std::array<Word4, 4> out;
        for (uint32_t i = 0; i < 4; ++i)
            out[i] = {request.texture, i, 30, 40};
        return out;
    }
    TextureSize size(uint32_t texture, uint32_t level) override {
        return {100 + texture, 50 + level, 24, 7, 4};
    }
};

struct Bench {
    explicit Bench(const std::string& line, const std::string& stage = "FRAG", size_t lanes = 1)
        : interpreter(make_interpreter(
              stage + "\nDCL IN[0..3]" + (stage == "FRAG" ? ", GENERIC[0], LINEAR" : "") +
              "\nDCL OUT[0], " + (stage == "FRAG" ? "COLOR" : "POSITION") +
              "\nDCL SAMP[0..7]\nDCL SVIEW[5], 2D_ARRAY, FLOAT\nDCL ADDR[0]\nDCL TEMP[0]\n"
              "IMM[0] INT32 {1, -2, 3, 2}\nIMM[1] INT32 {5, 6, 7, 8}\n" +
              line + "\nMOV OUT[0], TEMP[0]\nEND\n"))
        , group(make_group(interpreter, lanes)) {
        group.textures = &units;
        for (Invocation& lane : group.invocations)
            lane.inputs = {floats(1, 2, 3, 4), floats(5, 6, 7, 8), floats(9, 10, 11, 12),
                           floats(13, 14, 15, 16)};
    }
    const TextureRequest& only() {
        run_good(interpreter, group);
        REQUIRE(units.requests.size() == 1);
        return units.requests[0];
    }
    const TextureLane& lane() { return only().lanes[0]; }
    Word4 result(size_t i = 0) const { return group.invocations[i].outputs[0]; }

    Recorder units;
    Interpreter interpreter;
    Group group;
};

using Coord = std::array<uint32_t, 3>;

Coord coords(float x, float y = 0, float z = 0) {
    return {bits(x), bits(y), bits(z)};
}

}  // namespace

TEST_CASE("coordinates, layers and references by target") {
    struct Row {
        const char* target;
        Coord coord;
        float layer;
        float reference;
    };
    for (const Row& row :
         {Row{"1D", coords(1), 0, 0}, Row{"2D", coords(1, 2), 0, 0},
          Row{"3D", coords(1, 2, 3), 0, 0}, Row{"CUBE", coords(1, 2, 3), 0, 0},
          Row{"RECT", coords(1, 2), 0, 0}, Row{"SHADOW1D", coords(1), 0, 3},
          Row{"SHADOW2D", coords(1, 2), 0, 3}, Row{"SHADOWRECT", coords(1, 2), 0, 3},
          Row{"1D_ARRAY", coords(1), 2, 0}, Row{"2D_ARRAY", coords(1, 2), 3, 0},
          Row{"SHADOW1D_ARRAY", coords(1), 2, 3}, Row{"SHADOW2D_ARRAY", coords(1, 2), 3, 4},
          Row{"SHADOWCUBE", coords(1, 2, 3), 0, 4}, Row{"CUBEARRAY", coords(1, 2, 3), 4, 0}}) {
        Bench bench("TEX TEMP[0], IN[0], SAMP[3], " + std::string(row.target));
        CHECK_MESSAGE(bench.lane().coord == row.coord, row.target);
        CHECK_MESSAGE(bench.units.requests[0].lanes[0].layer == bits(row.layer), row.target);
        CHECK_MESSAGE(bench.units.requests[0].lanes[0].reference == bits(row.reference),
                      row.target);
        CHECK(bench.units.requests[0].texture == 3);
        CHECK(bench.units.requests[0].sampler == 3);
        CHECK(bench.units.requests[0].lod_mode == LodMode::Implicit);
        CHECK(bench.result() == Word4{3, 0, 30, 40});
    }
    Bench cube_array("TEX2 TEMP[0], IN[0], IN[1], SAMP[0], SHADOWCUBEARRAY");
    CHECK(cube_array.lane().layer == bits(4.0F));
    CHECK(cube_array.units.requests[0].lanes[0].reference == bits(5.0F));
}

TEST_CASE("biases, levels, gradients and where they stand") {
    Bench txb("TXB TEMP[0], IN[0], SAMP[0], 2D");
    CHECK(txb.only().lod_mode == LodMode::Bias);
    CHECK(txb.units.requests[0].lanes[0].lod == bits(4.0F));
    Bench txl("TXL TEMP[0], IN[0], SAMP[0], SHADOW2D");
    CHECK(txl.only().lod_mode == LodMode::Explicit);
    CHECK(txl.units.requests[0].lanes[0].lod == bits(4.0F));
    CHECK(txl.units.requests[0].lanes[0].reference == bits(3.0F));
    Bench txl2("TXL2 TEMP[0], IN[0], IN[1], SAMP[0], SHADOWCUBEARRAY");
    CHECK(txl2.lane().lod == bits(5.0F));
    CHECK(txl2.units.requests[0].lanes[0].reference == bits(6.0F));
    Bench txb2("TXB2 TEMP[0], IN[0], IN[1], SAMP[0], SHADOWCUBE");
    CHECK(txb2.lane().lod == bits(5.0F));
    CHECK(txb2.units.requests[0].lanes[0].reference == bits(4.0F));
    Bench txd("TXD TEMP[0], IN[0], IN[1], IN[2], SAMP[4], SHADOW2D_ARRAY");
    CHECK(txd.only().lod_mode == LodMode::Gradient);
    CHECK(txd.units.requests[0].lanes[0].ddx == coords(5, 6, 7));
    CHECK(txd.units.requests[0].lanes[0].ddy == coords(9, 10, 11));
    CHECK(txd.units.requests[0].sampler == 4);
    CHECK(Bench("TEX_LZ TEMP[0], IN[0], SAMP[0], 2D").only().lod_mode == LodMode::Zero);
}

TEST_CASE("without a quad there is no implicit level") {
    CHECK(Bench("TEX TEMP[0], IN[0], SAMP[0], 2D", "VERT").only().lod_mode == LodMode::Zero);
    CHECK(Bench("TXB TEMP[0], IN[0], SAMP[0], 2D", "VERT").only().lod_mode == LodMode::Explicit);
}

TEST_CASE("TXP multiplies coordinates and reference by the reciprocal of w") {
    Bench bench("TXP TEMP[0], IN[0], SAMP[0], SHADOW2D");
    CHECK(bench.lane().coord == coords(0.25F, 0.5F));
    CHECK(bench.units.requests[0].lanes[0].reference == bits(0.75F));
}

TEST_CASE("fetches take integers: levels, samples, offsets") {
    Bench txf("TXF TEMP[0], IMM[0], SAMP[0], 2D_ARRAY, IMM[1].zyx");
    CHECK(txf.only().action == TextureAction::Fetch);
    const TextureLane& lane = txf.units.requests[0].lanes[0];
    CHECK(lane.coord == Coord{1, static_cast<uint32_t>(-2), 0});
    CHECK(lane.layer == 3);
    CHECK(lane.lod == 2);
    CHECK(lane.offsets[0] == std::array<int32_t, 3>{7, 6, 5});
    Bench ms("TXF TEMP[0], IMM[0], SAMP[0], 2D_MSAA");
    CHECK(ms.lane().sample == 2);
    CHECK(ms.units.requests[0].lanes[0].lod == 0);
    Bench lz("TXF_LZ TEMP[0], IMM[0], SAMP[0], 3D");
    CHECK(lz.lane().coord == Coord{1, static_cast<uint32_t>(-2), 3});
    CHECK(lz.units.requests[0].lanes[0].lod == 0);
    CHECK(Bench("TXF TEMP[0], IMM[0], SAMP[0], BUFFER").lane().lod == 0);
}

TEST_CASE("gathers name their component, or bring a reference") {
    Bench plain(
        "TG4 TEMP[0], IN[0], IMM[0].zzzz, SAMP[0], 2D, IMM[1].xyz, TEMP[0].xxx, IMM[0].xyz, "
        "IMM[1].xxx");
    CHECK(plain.only().component == 3);
    CHECK(plain.units.requests[0].offset_count == 4);
    CHECK(plain.units.requests[0].lanes[0].offsets[2] == std::array<int32_t, 3>{1, -2, 3});
    // PIPE_CAP_TGSI_TG4_COMPONENT_IN_SWIZZLE
    CHECK(Bench("TG4 TEMP[0], IN[0], IMM[0].wwww, SAMP[0].yyyy, 2D").only().component == 1);
    Bench shadow("TG4 TEMP[0], IN[0], IN[1], SAMP[0], SHADOWCUBEARRAY");
    CHECK(shadow.only().component == 0);
    CHECK(shadow.units.requests[0].lanes[0].reference == bits(5.0F));
}

TEST_CASE("sizes have the dimensions of the target, then layers; levels are in w") {
    const auto size = [](const char* target) {
        Bench bench("TXQ TEMP[0], IMM[0].xxxx, SAMP[2], " + std::string(target));
        run_good(bench.interpreter, bench.group);
        return bench.result();
    };
    CHECK(size("1D") == Word4{102, 0, 0, 7});
    CHECK(size("2D") == Word4{102, 51, 0, 7});
    CHECK(size("3D") == Word4{102, 51, 24, 7});
    CHECK(size("CUBE") == Word4{102, 51, 0, 7});
    CHECK(size("1D_ARRAY") == Word4{102, 24, 0, 7});
    CHECK(size("2D_ARRAY") == Word4{102, 51, 24, 7});
    CHECK(size("CUBEARRAY") == Word4{102, 51, 4, 7});
    Bench samples("TXQS TEMP[0].x, SAMP[1], 2D_MSAA");
    run_good(samples.interpreter, samples.group);
    CHECK(samples.result()[0] == 4);
}

TEST_CASE("SAMPLE style takes its target from the view and swizzles by it") {
    Bench sample("SAMPLE TEMP[0], IN[0], SVIEW[5].wzyx, SAMP[1]");
    CHECK(sample.only().target == Target::Tex2DArray);
    CHECK(sample.units.requests[0].texture == 5);
    CHECK(sample.units.requests[0].sampler == 1);
    CHECK(sample.units.requests[0].lanes[0].layer == bits(3.0F));
    CHECK(sample.result() == Word4{40, 30, 0, 5});
    Bench compare("SAMPLE_C TEMP[0].x, IN[0], SVIEW[5], SAMP[1], IN[1].wwww");
    CHECK(compare.only().target == Target::Shadow2DArray);
    CHECK(compare.units.requests[0].lanes[0].reference == bits(8.0F));
    CHECK(compare.units.requests[0].lanes[0].layer == bits(3.0F));
    CHECK(Bench("SAMPLE_B TEMP[0], IN[0], SVIEW[5], SAMP[1], IN[1].yyyy").lane().lod == bits(6.0F));
    CHECK(Bench("SAMPLE_L TEMP[0], IN[0], SVIEW[5], SAMP[1], IN[1].yyyy").only().lod_mode ==
          LodMode::Explicit);
    CHECK(Bench("SAMPLE_D TEMP[0], IN[0], SVIEW[5], SAMP[1], IN[1], IN[2]").lane().ddy ==
          coords(9, 10, 11));
    CHECK(Bench("SAMPLE_I TEMP[0], IMM[0], SVIEW[5]").lane().lod == 2);
    CHECK(Bench("GATHER4 TEMP[0], IN[0], SVIEW[5], SAMP[1].zzzz").only().component == 2);
    Bench info("SVIEWINFO TEMP[0], IMM[0].xxxx, SVIEW[5]");
    run_good(info.interpreter, info.group);
    CHECK(info.result() == Word4{105, 51, 24, 7});
}

TEST_CASE("one request a quad; lanes with other units get answers of their own") {
    Bench bench("F2I TEMP[0].x, IN[0].xxxx\nUARL ADDR[0].x, TEMP[0].xxxx\n"
                "TEX TEMP[0], IN[1], SAMP[ADDR[0].x], 2D",
                "FRAG", 6);
    for (uint32_t i = 0; i < 6; ++i)
        bench.group.invocations[i].inputs[0] = floats(i == 2 ? 5.0F : 1.0F);
    run_good(bench.interpreter, bench.group);
    CHECK(bench.result(1) == Word4{1, 1, 30, 40});
    CHECK(bench.result(2) == Word4{5, 2, 30, 40});
    CHECK(bench.result(5) == Word4{1, 1, 30, 40});
    const TextureRequest& last = bench.units.requests.back();
    CHECK(last.lanes[0].active);
    CHECK(last.lanes[1].active);
    CHECK_FALSE(last.lanes[2].active);
}
