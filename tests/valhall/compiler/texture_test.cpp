// Texture test: every operand of a texture opcode arrives at its place in the message.
// SPDX-License-Identifier: MIT
//
// Artificial textures return words that depend on every operand, so that a wrong operand shows.
#include "base/bits.hpp"
#include "tests/valhall/compiler/harness.hpp"

#include <doctest/doctest.h>
#include <random>

using namespace valkyr;
using namespace valkyr::test;

namespace {

ShaderInputs inputs(uint32_t seed, bool integers) {
    std::mt19937 random(seed);
    ShaderInputs in;
    in.inputs.resize(5);
    for (auto& by_lane : in.inputs)
        for (Word4& word : by_lane)
            for (uint32_t& component : word)
                component = integers ? random() % 300
                                     : as_bits(static_cast<float>(random() % 4096) / 256.0F - 8.0F);
    return in;
}

void check_agrees(const std::string& stage,
                  const std::string& declarations,
                  const std::string& line,
                  bool integers = false) {
    std::string text = stage;
    for (unsigned i = 0; i < 5; ++i)
        text += stage == "FRAG\n" ? "DCL IN[" + std::to_string(i) + "], GENERIC[" +
                                        std::to_string(i) + "], PERSPECTIVE\n"
                                  : "DCL IN[" + std::to_string(i) + "]\n";
    text += stage == "FRAG\n" ? "DCL OUT[0], COLOR\n" : "DCL OUT[0], GENERIC[0]\n";
    text += "DCL TEMP[0..1]\nDCL ADDR[0]\n" + declarations +
            "IMM[0] INT32 {-3, 7, 2, 1}\nIMM[1] INT32 {1, -8, 0, 3}\n";
    text += "  0: " + line + "\n  1: END\n";
    const std::string difference = differ(text, inputs(3, integers));
    CHECK_MESSAGE(difference.empty(), text, difference);
}

const char* const kStages[] = {"FRAG\n", "VERT\n"};
const char* const kTargets[] = {
    "1D",         "2D",         "3D",       "CUBE",     "RECT",           "SHADOW1D",
    "SHADOW2D",   "SHADOWRECT", "1D_ARRAY", "2D_ARRAY", "SHADOW1D_ARRAY", "SHADOW2D_ARRAY",
    "SHADOWCUBE", "CUBEARRAY"};
const std::string kUnits = "DCL SAMP[0..2]\nDCL SVIEW[0..2], 2D, FLOAT\n";

bool is_cube(const std::string& target) {
    return target.find("CUBE") != std::string::npos;
}

/// A filter of `taps` by `taps` taps in two loops, behind their declarations.
std::string filter_loops(unsigned taps) {
    return R"(DCL OUT[0], COLOR
DCL TEMP[0..6]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
IMM[0] INT32 {0, 1, )" +
           std::to_string(taps) +
           R"(, 0}
IMM[1] FLT32 {0.0625, 0.125, 0, 0}
  0: MOV TEMP[0], IMM[0].xxxx
  1: MOV TEMP[1].x, IMM[0].xxxx
  2: BGNLOOP :0
  3:   ISGE TEMP[2].x, TEMP[1].xxxx, IMM[0].zzzz
  4:   UIF TEMP[2].xxxx :0
  5:     BRK
  6:   ENDIF
  7:   MOV TEMP[3].x, IMM[0].xxxx
  8:   BGNLOOP :0
  9:     ISGE TEMP[4].x, TEMP[3].xxxx, IMM[0].zzzz
 10:     UIF TEMP[4].xxxx :0
 11:       BRK
 12:     ENDIF
 13:     I2F TEMP[5].x, TEMP[3].xxxx
 14:     I2F TEMP[5].y, TEMP[1].xxxx
 15:     MAD TEMP[5].xy, TEMP[5].xyyy, IMM[1].xxxx, IN[0].xyyy
 16:     TEX TEMP[6], TEMP[5].xyyy, SAMP[0], 2D
 17:     UADD TEMP[0], TEMP[0], TEMP[6]
 18:     UADD TEMP[3].x, TEMP[3].xxxx, IMM[0].yyyy
 19:   ENDLOOP :0
 20:   UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy
 21: ENDLOOP :0
 22: MOV OUT[0], TEMP[0]
 23: END
)";
}

}  // namespace

TEST_CASE("TEX and its kin, for every target") {
    for (const char* stage : kStages) {
        for (const std::string target : kTargets) {
            for (const std::string opcode : {"TEX", "TEX_LZ"})
                check_agrees(stage, kUnits, opcode + " OUT[0], IN[0], SAMP[1], " + target);
            const bool w_is_free =
                target != "SHADOWCUBE" && target != "CUBEARRAY" && target != "SHADOW2D_ARRAY";
            if (w_is_free)
                for (const std::string opcode : {"TXB", "TXL"})
                    check_agrees(stage, kUnits, opcode + " OUT[0], IN[0], SAMP[2], " + target);
            if (w_is_free && target.find("ARRAY") == std::string::npos && !is_cube(target))
                check_agrees(stage, kUnits, "TXP OUT[0], IN[0], SAMP[0], " + target);
        }
        for (const std::string target : {"SHADOWCUBE", "CUBEARRAY", "SHADOW2D_ARRAY"})
            for (const std::string opcode : {"TXB2", "TXL2"})
                check_agrees(stage, kUnits, opcode + " OUT[0], IN[0], IN[1], SAMP[0], " + target);
        for (const std::string opcode : {"TEX2", "TXB2", "TXL2"})
            check_agrees(stage, kUnits, opcode + " OUT[0], IN[0], IN[1], SAMP[0], SHADOWCUBEARRAY");
    }
}

TEST_CASE("only what is written is loaded, in its place") {
    for (const std::string mask : {"x", "y", "w", "xz", "yzw"})
        check_agrees("FRAG\n", kUnits, "TEX OUT[0]." + mask + ", IN[0], SAMP[0], 2D");
}

TEST_CASE("texel offsets") {
    for (const std::string target : {"1D", "2D", "3D", "RECT", "2D_ARRAY", "SHADOW2D"})
        check_agrees("FRAG\n", kUnits, "TEX OUT[0], IN[0], SAMP[0], " + target + ", IMM[0].xyz");
    check_agrees("FRAG\n", kUnits, "TXF OUT[0], IN[0], SAMP[0], 2D, IMM[1].xyz", true);
}

TEST_CASE("fetches by integer coordinates") {
    for (const std::string target :
         {"BUFFER", "1D", "2D", "3D", "RECT", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_ARRAY_MSAA"}) {
        check_agrees("FRAG\n", kUnits, "TXF OUT[0], IN[0], SAMP[1], " + target, true);
        if (target.find("MSAA") == std::string::npos)
            check_agrees("FRAG\n", kUnits, "TXF_LZ OUT[0], IN[0], SAMP[1], " + target, true);
    }
}

TEST_CASE("gathers of each component, with one offset and with four") {
    for (const std::string target : {"2D", "RECT", "CUBE", "2D_ARRAY", "CUBEARRAY"}) {
        check_agrees("FRAG\n", kUnits, "TG4 OUT[0], IN[0], IMM[0].zzzz, SAMP[0], " + target);
        check_agrees("FRAG\n", kUnits, "TG4 OUT[0], IN[0], IMM[1].zzzz, SAMP[0].wwww, " + target);
    }
    for (const std::string target : {"SHADOW2D", "SHADOWRECT", "SHADOW2D_ARRAY", "SHADOWCUBE"})
        check_agrees("FRAG\n", kUnits, "TG4 OUT[0], IN[0], IMM[1].zzzz, SAMP[0], " + target);
    check_agrees("FRAG\n", kUnits, "TG4 OUT[0], IN[0], IN[1].xxxx, SAMP[0], SHADOWCUBEARRAY");
    check_agrees("FRAG\n", kUnits, "TG4 OUT[0], IN[0], IMM[0].wwww, SAMP[0], 2D, IMM[0].xyx");
    check_agrees("FRAG\n", kUnits,
                 "TG4 OUT[0], IN[0], IMM[0].wwww, SAMP[0], 2D, IMM[0].xyx, IMM[0].zwx, "
                 "IMM[1].xyx, IMM[1].wzx");
}

TEST_CASE("sizes, levels and samples of textures") {
    for (const std::string target : {"BUFFER", "1D", "2D", "3D", "CUBE", "RECT", "1D_ARRAY",
                                     "2D_ARRAY", "CUBEARRAY", "2D_MSAA"}) {
        // Level 2 for targets with levels. The artificial textures do not distinguish depth and
        // layers.
        const bool has_levels = target == "1D" || target == "2D" || target == "CUBE" ||
                                target.find("ARRAY") != std::string::npos;
        const std::string level = has_levels ? "IMM[0].zzzz" : "IMM[1].zzzz";
        check_agrees("FRAG\n", kUnits, "TXQ OUT[0], " + level + ", SAMP[1], " + target, true);
        check_agrees("VERT\n", kUnits, "TXQ OUT[0], IMM[1].zzzz, SAMP[1], " + target, true);
    }
    check_agrees("FRAG\n", kUnits, "TXQ OUT[0], IN[0].xxxx, SAMP[1], 2D", true);
    check_agrees("FRAG\n", kUnits, "TXQS OUT[0].x, SAMP[1], 2D_MSAA", true);
}

TEST_CASE("gradients reach the right texture") {
    for (const std::string target : {"1D", "2D", "3D", "CUBE", "RECT", "SHADOW2D", "2D_ARRAY"})
        check_agrees("FRAG\n", kUnits, "TXD OUT[0], IN[0], IN[1], IN[2], SAMP[1], " + target);
}

TEST_CASE("views and samplers by themselves: the SAMPLE family") {
    for (const std::string target : {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY"}) {
        const std::string units = "DCL SAMP[0..2]\nDCL SVIEW[0..1], " + target + ", FLOAT\n";
        for (const std::string tail : {"SAMPLE OUT[0], IN[0], SVIEW[1].zyxw, SAMP[2]",
                                       "SAMPLE_B OUT[0], IN[0], SVIEW[1], SAMP[2], IN[1].xxxx",
                                       "SAMPLE_L OUT[0], IN[0], SVIEW[1], SAMP[2], IN[1].yyyy",
                                       "SAMPLE_C OUT[0].x, IN[0], SVIEW[0], SAMP[1], IN[2].xxxx",
                                       "SAMPLE_C_LZ OUT[0].x, IN[0], SVIEW[0], SAMP[1], IN[2].xxxx",
                                       "SAMPLE_D OUT[0], IN[0], SVIEW[0], SAMP[1], IN[1], IN[2]"})
            check_agrees("FRAG\n", units, tail);
    }
    const std::string units = "DCL SAMP[0..2]\nDCL SVIEW[0..1], 2D, FLOAT\n";
    check_agrees("FRAG\n", units, "GATHER4 OUT[0], IN[0], SVIEW[0], SAMP[1].yyyy");
    check_agrees("FRAG\n", units, "SAMPLE_I OUT[0], IN[0], SVIEW[0]", true);
    check_agrees("FRAG\n", units, "SVIEWINFO OUT[0], IN[0].xxxx, SVIEW[1]", true);
    check_agrees("FRAG\n", "DCL SAMP[0]\nDCL SVIEW[0], 2D_MSAA, FLOAT\n",
                 "SAMPLE_I_MS OUT[0], IN[0], SVIEW[0], IN[1].xxxx", true);
}

TEST_CASE("samplers with a computed number") {
    check_agrees("FRAG\n", kUnits,
                 "UARL ADDR[0].x, IMM[0].zzzz\n  1: TEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D");
    for (const std::string index : {"IMM[1].zzzz", "IMM[1].xxxx", "IMM[0].zzzz"}) {
        const std::string address = "UARL ADDR[0].x, " + index + "\n  1: ";
        check_agrees("FRAG\n", kUnits, address + "TXQ OUT[0], IMM[1].zzzz, SAMP[ADDR[0].x], 2D",
                     true);
        check_agrees("FRAG\n", kUnits, address + "TXQS OUT[0].x, SAMP[ADDR[0].x], 2D_MSAA", true);
        check_agrees("FRAG\n", kUnits,
                     address + "TXD OUT[0], IN[0], IN[1], IN[2], SAMP[ADDR[0].x], 2D");
    }
}

TEST_CASE("handles of samplers and images") {
    check_agrees("FRAG\n", kUnits + "DCL IMAGE[0..1], 2D, PIPE_FORMAT_R32_UINT, WR\n",
                 "SAMP2HND OUT[0], SAMP[2], 2D\n  1: IMG2HND OUT[0].x, IMAGE[1], 2D, "
                 "PIPE_FORMAT_R32_UINT");
}

TEST_CASE("filters in loops: copied, copied within a loop, and neither") {
    for (const unsigned taps : {3U, 5U, 12U, 60U}) {
        const std::string text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\n" + filter_loops(taps);
        const std::string difference = differ(text, inputs(3, false));
        CHECK_MESSAGE(difference.empty(), text, difference);
    }
}
