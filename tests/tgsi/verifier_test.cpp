// Verifier test: each rule has a shader that obeys it and one that violates it.
// SPDX-License-Identifier: MIT
#include "tests/tgsi/tgsi_kit.hpp"
#include "tgsi/rules/verifier.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::tgsi;
using namespace valkyr::tgsi::test;
using Texts = std::vector<std::string>;

namespace {

Texts complaints(std::string_view text) {
    Texts out;
    for (const Error& error : verify(parse_good(text))) {
        CHECK(error.code == Errc::Semantic);
        out.push_back(std::to_string(error.pos.line) + ':' + std::to_string(error.pos.column) +
                      ": " + error.text);
    }
    return out;
}

/// A fragment shader around `body` with plenty of registers; the body starts in line 16.
Texts fragment(std::string_view body) {
    return complaints("FRAG\n"
                      "DCL IN[0..1], GENERIC[0], PERSPECTIVE\n"
                      "DCL OUT[0], COLOR\n"
                      "DCL OUT[1].z, POSITION\n"
                      "DCL CONST[0..3]\n"
                      "DCL CONST[1][0..3]\n"
                      "DCL TEMP[0..3]\n"
                      "DCL TEMP[4..7], ARRAY(1)\n"
                      "DCL ADDR[0]\n"
                      "DCL SAMP[0..1]\n"
                      "DCL SVIEW[0], 2D, FLOAT\n"
                      "DCL BUFFER[0]\n"
                      "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\n"
                      "DCL IMAGE[1], 2D, PIPE_FORMAT_R32_FLOAT\n"
                      "IMM[0] UINT32 {0, 1, 2, 3}\n" +
                      std::string(body) + "\nEND\n");
}

const Texts kGood{};

}  // namespace

TEST_CASE("F1: constructs are balanced") {
    CHECK(fragment("UIF TEMP[0].xxxx\nELSE\nENDIF") == kGood);
    CHECK(fragment("BGNLOOP\nUIF TEMP[0].xxxx\nBRK\nENDIF\nCONT\nENDLOOP") == kGood);
    CHECK(fragment("SWITCH TEMP[0].xxxx\nCASE IMM[0].xxxx\nBRK\nDEFAULT\nENDSWITCH") == kGood);
    CHECK(fragment("UIF TEMP[0].xxxx") ==
          Texts{"17:1: END inside UIF", "16:1: UIF is never closed"});
    CHECK(fragment("ENDIF") == Texts{"16:1: ENDIF without its beginning"});
    CHECK(fragment("ELSE") == Texts{"16:1: ELSE without IF or UIF"});
    CHECK(fragment("IF TEMP[0].xxxx\nELSE\nELSE\nENDIF") == Texts{"18:1: ELSE without IF or UIF"});
    CHECK(fragment("BGNLOOP\nENDIF\nENDLOOP") == Texts{"17:1: ENDIF without its beginning"});
    CHECK(fragment("BRK") == Texts{"16:1: BRK outside a loop"});
    CHECK(fragment("SWITCH TEMP[0].xxxx\nCONT\nENDSWITCH") == Texts{"17:1: CONT outside a loop"});
    CHECK(fragment("CASE IMM[0].xxxx") == Texts{"16:1: CASE outside SWITCH"});
    CHECK(fragment("SWITCH TEMP[0].xxxx\nDEFAULT\nDEFAULT\nENDSWITCH") ==
          Texts{"18:1: second DEFAULT of the same SWITCH"});
    CHECK(fragment("UIF TEMP[0].xxxx\nBGNSUB\nENDSUB\nENDIF")[0] == "17:1: BGNSUB inside UIF");
}

TEST_CASE("F2: one END, behind it only subroutines") {
    CHECK(complaints("VERT\nNOP\n") == Texts{"0:0: END is missing"});
    CHECK(complaints("VERT\nEND\nEND\n") == Texts{"3:1: second END"});
    CHECK(complaints("VERT\nEND\nNOP\n") == Texts{"3:1: instruction behind END"});
    CHECK(complaints("VERT\nCAL :2\nEND\nBGNSUB\nNOP\nENDSUB\n") == kGood);
    CHECK(complaints("VERT\nCAL :2\nRET\nBGNSUB\nNOP\nENDSUB\nEND\n") == kGood);
    CHECK(complaints("VERT\nNOP\nBGNSUB\nENDSUB\nEND\n") ==
          Texts{"3:1: the program runs into this subroutine"});
}

TEST_CASE("F3: calls go to subroutines and never in circles") {
    CHECK(complaints("VERT\nCAL :1\nEND\n") ==
          Texts{"2:1: the label of CAL is not the number of a BGNSUB"});
    CHECK(complaints("VERT\nCAL\nEND\n") ==
          Texts{"2:1: the label of CAL is not the number of a BGNSUB"});
    CHECK(complaints("VERT\nCAL :2\nEND\nBGNSUB\nCAL :5\nENDSUB\nBGNSUB\nNOP\nENDSUB\n") == kGood);
    CHECK(complaints("VERT\nEND\nBGNSUB\nCAL :4\nENDSUB\nBGNSUB\nCAL :1\nENDSUB\n") ==
          Texts{"3:1: subroutine calls itself"});
}

TEST_CASE("F4: opcodes stand in the stages that have them") {
    CHECK(fragment("KILL\nDDX TEMP[0], IN[0]") == kGood);
    CHECK(complaints("VERT\nKILL\nEND\n") == Texts{"2:1: KILL in a VERT shader"});
    CHECK(fragment("BARRIER") == Texts{"16:1: BARRIER in a FRAG shader"});
    CHECK(fragment("EMIT IMM[0].xxxx") == Texts{"16:1: EMIT in a FRAG shader"});
}

TEST_CASE("D1: registers are declared once") {
    CHECK(
        complaints("VERT\nDCL TEMP[0..3]\nDCL TEMP[4]\nDCL CONST[1][0]\nDCL CONST[2][0]\nEND\n") ==
        kGood);
    CHECK(complaints("VERT\nDCL TEMP[0..3]\nDCL TEMP[2]\nEND\n") ==
          Texts{"3:5: TEMP[2] is declared twice"});
    CHECK(complaints("VERT\nDCL TEMP[0..9]\nDCL TEMP[2]\nDCL TEMP[5]\nEND\n").size() == 2);
    // Mesa declares components separately, and declares a varying twice.
    CHECK(complaints("VERT\nDCL OUT[0].xy, GENERIC[0]\nDCL OUT[0].zw, GENERIC[1]\nEND\n") == kGood);
    CHECK(complaints("FRAG\nDCL IN[1], GENERIC[1], CONSTANT\nDCL IN[1].xy, GENERIC[1], "
                     "CONSTANT\nEND\n") == kGood);
}

TEST_CASE("D2: array ids are unique in their file") {
    CHECK(complaints("VERT\nDCL TEMP[0], ARRAY(1)\nDCL OUT[0], ARRAY(1), GENERIC[0]\nEND\n") ==
          kGood);
    CHECK(complaints("VERT\nDCL TEMP[0], ARRAY(1)\nDCL TEMP[1], ARRAY(1)\nEND\n") ==
          Texts{"3:5: second ARRAY(1) of TEMP"});
}

TEST_CASE("D3: semantics are there, fit, and do not clash") {
    CHECK(complaints("FRAG\nDCL IN[0]\nEND\n") == Texts{"2:5: IN[0] needs a semantic"});
    CHECK(complaints("VERT\nDCL IN[0]\nEND\n") == kGood);
    CHECK(complaints("VERT\nDCL SV[0]\nEND\n") == Texts{"2:5: SV[0] needs a semantic"});
    CHECK(complaints("VERT\nDCL SV[0], FOG\nEND\n") == Texts{"2:5: FOG is not a system value"});
    CHECK(complaints("FRAG\nDCL OUT[0], FOG\nEND\n") ==
          Texts{"2:5: FOG is not an output of fragment shaders"});
    CHECK(complaints("VERT\nDCL TEMP[0], FOG\nEND\n") ==
          Texts{"2:5: TEMP[0] cannot have the semantic FOG"});
    CHECK(complaints("VERT\nDCL OUT[0], GENERIC[3]\nDCL OUT[1..2], GENERIC[2]\nEND\n") ==
          Texts{"3:5: second OUT with GENERIC[3]"});
    CHECK(complaints("VERT\nDCL OUT[0].xy, GENERIC[3]\nDCL OUT[1].zw, GENERIC[3]\nEND\n") == kGood);
}

TEST_CASE("D4: parts of declarations belong to their files and stages") {
    CHECK(complaints("VERT\nDCL IN[][0]\nEND\n") == Texts{"2:5: IN[0] is not per vertex"});
    CHECK(complaints("TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL OUT[0], GENERIC[0]\nDCL OUT[1], "
                     "PATCH\nEND\n") == Texts{"3:5: OUT[0] is per vertex: \"[]\" is missing"});
    CHECK(complaints("VERT\nDCL IN[0], GENERIC[0], LINEAR\nEND\n") ==
          Texts{"2:5: interpolation of IN[0], which is not a fragment input"});
    CHECK(complaints("VERT\nDCL TEMP[0][1]\nEND\n") == Texts{"2:5: TEMP[1] has two dimensions"});
    CHECK(complaints("VERT\nDCL OUT[0], GENERIC[0], STREAM(0, 0, 0, 1)\nEND\n") ==
          Texts{"2:5: STREAM of OUT[0], which is not a geometry output"});
    CHECK(complaints("VERT\nDCL IMM[0]\nEND\n") == Texts{"2:5: IMM is not declared by DCL"});
}

TEST_CASE("D5: properties are known, given once, of the stage, and in range") {
    CHECK(complaints("FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nEND\n") == kGood);
    CHECK(complaints("FRAG\nPROPERTY FS_COLOUR 1\nEND\n") ==
          Texts{"2:10: unknown property FS_COLOUR"});
    CHECK(complaints("VERT\nPROPERTY FS_COORD_ORIGIN 1\nEND\n") ==
          Texts{"2:10: FS_COORD_ORIGIN in a VERT shader"});
    CHECK(complaints("FRAG\nPROPERTY FS_COORD_ORIGIN 2\nEND\n") ==
          Texts{"2:10: FS_COORD_ORIGIN cannot be 2"});
    CHECK(complaints("VERT\nPROPERTY SEPARABLE_PROGRAM 1\nPROPERTY SEPARABLE_PROGRAM 1\nEND\n") ==
          Texts{"3:10: second property SEPARABLE_PROGRAM"});
    CHECK(complaints("GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE "
                     "POINTS\nEND\n") == Texts{"0:0: property GS_MAX_OUTPUT_VERTICES is missing"});
    CHECK(complaints("TESS_CTRL\nEND\n") == Texts{"0:0: property TCS_VERTICES_OUT is missing"});
    CHECK(complaints("TESS_EVAL\nPROPERTY TES_PRIM_MODE 5\nEND\n") ==
          Texts{"2:10: TES_PRIM_MODE cannot be 5"});
}

TEST_CASE("O1: registers, immediates, index registers and arrays are declared") {
    CHECK(fragment("MOV TEMP[0], TEMP[ADDR[0].x+4](1)") == kGood);
    CHECK(fragment("MOV TEMP[8], IN[0]") == Texts{"16:1: TEMP[8] is not declared"});
    CHECK(fragment("MOV TEMP[0], IN[-1]") == Texts{"16:1: IN[-1] is not declared"});
    CHECK(fragment("MOV TEMP[0], SV[0]") == Texts{"16:1: SV[0] is not declared"});
    CHECK(fragment("MOV TEMP[0], CONST[2][0]") == Texts{"16:1: CONST[2][0] is not declared"});
    CHECK(fragment("MOV TEMP[0], IMM[1]") == Texts{"16:1: IMM[1] is not there"});
    CHECK(fragment("MOV TEMP[0], TEMP[ADDR[1].x]") ==
          Texts{"16:1: index register ADDR[1] is not declared"});
    CHECK(fragment("MOV TEMP[0], TEMP[ADDR[0].x](2)") ==
          Texts{"16:1: array 2 of TEMP[ADDR[0].x](2) is not declared"});
    CHECK(fragment("MOV TEMP[0], SV[ADDR[0].x]") == Texts{"16:1: SV[ADDR[0].x] is not declared"});
    // Shared memory need not be declared.
    CHECK(fragment("LOAD TEMP[0], MEMORY[0], IMM[0].xxxx") == kGood);
}

TEST_CASE("O2: destinations can be written") {
    CHECK(fragment("MOV NULL[0], IN[0]\nUARL ADDR[0].x, TEMP[0].xxxx") == kGood);
    CHECK(fragment("MOV IN[0], TEMP[0]") == Texts{"16:1: MOV cannot write IN[0]"});
    CHECK(fragment("MOV CONST[0], TEMP[0]") == Texts{"16:1: MOV cannot write CONST[0]"});
    CHECK(fragment("MOV IMM[0], TEMP[0]") == Texts{"16:1: MOV cannot write IMM[0]"});
    CHECK(fragment("MOV ADDR[0], TEMP[0]") == Texts{"16:1: MOV cannot write ADDR[0]"});
    CHECK(fragment("STORE TEMP[0], IMM[0].xxxx, TEMP[0]") ==
          Texts{"16:1: STORE cannot write TEMP[0]"});
}

TEST_CASE("O3: values and resources come from their files") {
    CHECK(fragment("MOV TEMP[0], OUT[0]\nMOV TEMP[1], ADDR[0].xxxx") == kGood);
    CHECK(fragment("MOV TEMP[0], SAMP[0]") == Texts{"16:1: MOV cannot read SAMP[0] as operand 0"});
    CHECK(fragment("TEX TEMP[0], IN[0], TEMP[1], 2D") ==
          Texts{"16:1: TEX cannot read TEMP[1] as operand 1"});
    CHECK(fragment("LOAD TEMP[0], SAMP[0], IMM[0].xxxx") ==
          Texts{"16:1: LOAD cannot read SAMP[0] as operand 0"});
    CHECK(fragment("RESQ TEMP[0], MEMORY[0]") ==
          Texts{"16:1: RESQ cannot read MEMORY[0] as operand 0"});
    CHECK(fragment("SAMPLE TEMP[0], IN[0], SAMP[0], SAMP[0]") ==
          Texts{"16:1: SAMPLE cannot read SAMP[0] as operand 1"});
}

TEST_CASE("O4: one or two indexes as declared") {
    CHECK(fragment("MOV TEMP[0], CONST[1][0]\nMOV TEMP[0], CONST[0][1]") == kGood);
    CHECK(fragment("MOV TEMP[0], IN[0][1]") == Texts{"16:1: IN[0][1] has one index too many"});
    const std::string geometry =
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY "
        "GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n";
    CHECK(complaints(geometry + "MOV OUT[0], IN[0][0]\nEND\n") == kGood);
    CHECK(complaints(geometry + "MOV OUT[0], IN[0]\nEND\n") ==
          Texts{"7:1: IN[0] needs two indexes"});
    CHECK(complaints("TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 1\nDCL OUT[][0], POSITION\nDCL "
                     "TEMP[0]\nMOV OUT[0], TEMP[0]\nEND\n") == kGood);
}

TEST_CASE("O5: 64-bit operations use pairs") {
    CHECK(fragment("DADD TEMP[0].zw, TEMP[1].zwxy, TEMP[2].xyxy\nDSLT TEMP[0].xz, TEMP[1], "
                   "TEMP[2]\nD2F TEMP[0].y, TEMP[1]\nF2D TEMP[0].xy, TEMP[1].wwww") == kGood);
    CHECK(fragment("DADD TEMP[0].xyz, TEMP[1], TEMP[2]") ==
          Texts{"16:1: write mask of TEMP[0] does not fit a 64-bit operation"});
    CHECK(fragment("DADD TEMP[0].x, TEMP[1], TEMP[2]").size() == 1);
    CHECK(fragment("DSLT TEMP[0].xy, TEMP[1], TEMP[2]") ==
          Texts{"16:1: write mask of TEMP[0] does not fit a 64-bit operation"});
    CHECK(fragment("D2I TEMP[0].z, TEMP[1]") ==
          Texts{"16:1: write mask of TEMP[0] does not fit a 64-bit operation"});
    CHECK(fragment("DMUL TEMP[0].xy, TEMP[1].yzww, TEMP[2]") ==
          Texts{"16:1: swizzle of TEMP[1] splits a 64-bit value"});
    // The swizzle of the pair that is not written does not matter.
    CHECK(fragment("DMUL TEMP[0].xy, TEMP[1].xyyx, TEMP[2]") == kGood);
}

TEST_CASE("O6: saturate and modifiers fit their types") {
    CHECK(fragment("MOV_SAT TEMP[0], -|IN[0]|\nUADD TEMP[0], TEMP[1], -TEMP[2]") == kGood);
    CHECK(fragment("UADD_SAT TEMP[0], TEMP[1], TEMP[2]") == Texts{"16:1: UADD cannot saturate"});
    CHECK(fragment("DADD_SAT TEMP[0], TEMP[1], TEMP[2]") == Texts{"16:1: DADD cannot saturate"});
    CHECK(fragment("UADD TEMP[0], |TEMP[1]|, TEMP[2]") ==
          Texts{"16:1: absolute value of the integer operand TEMP[1]"});
    CHECK(fragment("TEX TEMP[0], IN[0], -SAMP[0], 2D") ==
          Texts{"16:1: modifier on the resource SAMP[0]"});
}

TEST_CASE("O7: operands of a certain kind") {
    CHECK(fragment("MEMBAR IMM[0].yyyy\nINTERP_CENTROID TEMP[0], IN[1]\nFBFETCH TEMP[0], OUT[0]") ==
          kGood);
    CHECK(fragment("MEMBAR TEMP[0].xxxx") ==
          Texts{"16:1: the operand of MEMBAR is not an immediate"});
    CHECK(fragment("SWITCH TEMP[0].xxxx\nCASE TEMP[1].xxxx\nENDSWITCH") ==
          Texts{"17:1: the operand of CASE is not an immediate"});
    CHECK(fragment("INTERP_SAMPLE TEMP[0], TEMP[1], IMM[0].xxxx") ==
          Texts{"16:1: the first operand of INTERP_SAMPLE is not an input"});
    CHECK(fragment("FBFETCH TEMP[0], OUT[1]") ==
          Texts{"16:1: FBFETCH of an output that is not COLOR"});
}

TEST_CASE("O8: index registers are ADDR or TEMP") {
    CHECK(fragment("MOV TEMP[0], CONST[TEMP[1].y+1]") == kGood);
    CHECK(fragment("MOV TEMP[0], CONST[IN[0].x]") == Texts{"16:1: index register of file IN"});
}

TEST_CASE("R1: TEX style and SAMPLE style do not mix") {
    CHECK(fragment("TEX TEMP[0], IN[0], SAMP[0], 2D\nTXQ TEMP[0], IMM[0], SAMP[0], 2D") == kGood);
    CHECK(fragment("TEX TEMP[0], IN[0], SAMP[0], 2D\nSAMPLE TEMP[0], IN[0], SVIEW[0], SAMP[0]") ==
          Texts{"17:1: TEX-style and SAMPLE-style opcodes in one shader"});
}

TEST_CASE("R2: targets that an opcode can have") {
    CHECK(
        fragment("TEX TEMP[0], IN[0], SAMP[1], SHADOWCUBE\nTXF TEMP[0], IMM[0], SAMP[1], BUFFER") ==
        kGood);
    for (const char* bad :
         {"TEX TEMP[0], IN[0], SAMP[1], SHADOWCUBEARRAY", "TXF TEMP[0], IMM[0], SAMP[1], CUBE",
          "TXF TEMP[0], IMM[0], SAMP[1], SHADOW2D", "TXP TEMP[0], IN[0], SAMP[1], 2D_ARRAY",
          "TXB TEMP[0], IN[0], SAMP[1], CUBEARRAY", "TXL TEMP[0], IN[0], SAMP[1], SHADOW2D_ARRAY",
          "TEX TEMP[0], IN[0], SAMP[1], 2D_MSAA", "TEX TEMP[0], IN[0], SAMP[1], BUFFER",
          "TG4 TEMP[0], IN[0], IMM[0], SAMP[1], 3D", "TEX2 TEMP[0], IN[0], IN[1], SAMP[1], 2D"})
        CHECK_MESSAGE(fragment(bad).size() == 1, bad);
}

TEST_CASE("R3: texel offsets are declared, and as many as the opcode takes") {
    CHECK(fragment("TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[0].xyz\nTG4 TEMP[0], IN[0], IMM[0].xxxx, "
                   "SAMP[0], 2D, IMM[0].xyz, IMM[0].xyz, TEMP[3].xyz, IMM[0].xyz") == kGood);
    CHECK(fragment("TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[0].xyz, IMM[0].xyz") ==
          Texts{"16:1: 2 texel offsets of TEX"});
    CHECK(fragment("TEX TEMP[0], IN[0], SAMP[0], 2D, IMM[1].xyz") ==
          Texts{"16:1: texel offset IMM[1] is not declared"});
    CHECK(fragment("TEX TEMP[0], IN[0], SAMP[0], 2D, SAMP[0].xyz") ==
          Texts{"16:1: texel offset SAMP[0] is not declared"});
}

TEST_CASE("R4: images are written if declared so, atomics need 32-bit integers") {
    CHECK(fragment("STORE IMAGE[0], IN[0], TEMP[0], 2D\nATOMUADD TEMP[0].x, IMAGE[0], IN[0], "
                   "IMM[0].xxxx, 2D, PIPE_FORMAT_R32_UINT") == kGood);
    CHECK(fragment("STORE IMAGE[1], IN[0], TEMP[0], 2D") ==
          Texts{"16:1: IMAGE[1] is not declared WR"});
    CHECK(fragment("ATOMUADD TEMP[0].x, IMAGE[0], IN[0], IMM[0].xxxx, 2D, "
                   "PIPE_FORMAT_R8G8B8A8_UNORM") ==
          Texts{"16:1: atomic operation on the format R8G8B8A8_UNORM"});
}

TEST_CASE("R5: the target equals that of the view's declaration") {
    CHECK(fragment("TEX TEMP[0], IN[0], SAMP[0], 3D") ==
          Texts{"16:1: TEX with target 3D of a view declared 2D"});
    CHECK(fragment("TEX TEMP[0], IN[0], SAMP[1], 3D") == kGood);
}

TEST_CASE("the number of errors is limited") {
    std::string body;
    for (int i = 0; i < 100; ++i)
        body += "MOV TEMP[99], IN[0]\n";
    CHECK(fragment(body).size() == 20);
    CHECK(verify(parse_good("VERT\nMOV TEMP[0], IN[0]\n" + body), 3).size() == 3);
}
