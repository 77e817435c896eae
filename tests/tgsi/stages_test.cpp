// Stages test: checks emitted vertices, per-vertex and per-patch registers.
// SPDX-License-Identifier: MIT
#include "tests/tgsi/tgsi_kit.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::tgsi;
using namespace valkyr::tgsi::test;

TEST_CASE("EMIT keeps the outputs as they are, ENDPRIM marks the end, by stream") {
    const Interpreter interpreter = make_interpreter(
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
        "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL SV[0], INVOCATIONID\n"
        "DCL OUT[0], POSITION\nDCL ADDR[0..1]\nIMM[0] UINT32 {0, 1, 2, 3}\n"
        "UARL ADDR[1].x, SV[0].xxxx\nMOV OUT[0], IN[ADDR[1].x][0]\nEMIT IMM[0].xxxx\n"
        "MOV OUT[0].x, IN[2][0].xxxx\nEMIT IMM[0].zzzz\nENDPRIM IMM[0].zzzz\nEMIT IMM[0].xxxx\n"
        "EMIT IMM[0].xxxx\nEND\n");
    Group group = make_group(interpreter, 2);
    group.vertex_inputs = {{{10, 11, 0, 0}}, {{20, 21, 0, 0}}, {{30, 31, 0, 0}}};
    group.invocations[1].system_values[0] = {1, 0, 0, 0};
    run_good(interpreter, group);
    const auto& events = group.invocations[1].emissions;
    REQUIRE(events.size() == 4);  // three vertices at most, and the end of a primitive
    CHECK(events[0].outputs[0] == Word4{20, 21, 0, 0});
    CHECK(events[0].stream == 0);
    CHECK(events[1].outputs[0] == Word4{30, 21, 0, 0});
    CHECK(events[1].stream == 2);
    CHECK(events[2].ends_primitive);
    CHECK(events[2].outputs.empty());
    CHECK_FALSE(events[3].ends_primitive);
    CHECK(group.invocations[0].emissions[0].outputs[0] == Word4{10, 11, 0, 0});
}

TEST_CASE("emitted vertices are limited in memory") {
    const Shader shader =
        parse_good("GEOM\nDCL OUT[0..99], GENERIC[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nBGNLOOP\nEMIT "
                   "IMM[0].xxxx\nENDLOOP\nEND\n");
    InterpreterLimits limits;
    limits.register_bytes = 100000;
    const auto interpreter = Interpreter::create(shader, limits);
    REQUIRE(interpreter.has_value());
    Group group = make_group(*interpreter, 1);
    CHECK(interpreter->run(group).error().text == "emitted vertices need more than 100000 bytes");
}

TEST_CASE("tessellation control: own vertices, others' after a barrier, the patch") {
    const Interpreter interpreter = make_interpreter(
        "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], GENERIC[0]\nDCL SV[0], INVOCATIONID\n"
        "DCL OUT[][0], GENERIC[0]\nDCL OUT[][1], GENERIC[1]\nDCL OUT[2], TESSOUTER\n"
        "DCL ADDR[0..1]\nDCL TEMP[0]\nIMM[0] UINT32 {1, 3, 0, 0}\n"
        "UARL ADDR[1].x, SV[0].xxxx\nMOV OUT[ADDR[1].x][0], IN[ADDR[1].x][0]\nBARRIER\n"
        "UADD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nUMOD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
        "UARL ADDR[1].x, TEMP[0].xxxx\nMOV TEMP[0], OUT[ADDR[1].x][0]\nMOV OUT[1], TEMP[0]\n"
        "MOV OUT[2].x, SV[0].xxxx\nEND\n");
    Group group = make_group(interpreter, 3);
    group.vertex_inputs = {{{7, 0, 0, 0}}, {{8, 0, 0, 0}}, {{9, 0, 0, 0}}};
    for (uint32_t i = 0; i < 3; ++i)
        group.invocations[i].system_values[0] = {i, 0, 0, 0};
    run_good(interpreter, group);
    CHECK(group.vertex_outputs[2][0][0] == 9);
    // OUT[1] without a vertex index is that of the invocation's own vertex.
    CHECK(group.vertex_outputs[0][1][0] == 8);
    CHECK(group.vertex_outputs[2][1][0] == 7);
    // The last invocation's write to a patch output stays.
    CHECK(group.patch_outputs[2][0] == 2);
}

TEST_CASE("tessellation evaluation reads vertices with two indexes and the patch with one") {
    const Interpreter interpreter = make_interpreter(
        "TESS_EVAL\nPROPERTY TES_PRIM_MODE TRIANGLES\nDCL IN[][0], POSITION\nDCL IN[1], PATCH\n"
        "DCL SV[0], TESSCOORD\nDCL OUT[0], POSITION\nDCL TEMP[0]\n"
        "MUL TEMP[0], IN[0][0], SV[0].xxxx\nMAD TEMP[0], IN[1][0], SV[0].yyyy, TEMP[0]\n"
        "ADD OUT[0], TEMP[0], IN[1]\nEND\n");
    Group group = make_group(interpreter, 2);
    group.vertex_inputs = {{floats(1, 2)}, {floats(10, 20)}};
    for (Invocation& lane : group.invocations)
        lane.inputs = {{}, floats(100, 200)};
    group.invocations[0].system_values[0] = floats(1, 0);
    group.invocations[1].system_values[0] = floats(0.5F, 0.5F);
    run_good(interpreter, group);
    CHECK(group.invocations[0].outputs[0] == floats(101, 202));
    CHECK(group.invocations[1].outputs[0] == floats(105.5F, 211));
}

TEST_CASE("registers are found by semantic") {
    const Shader shader =
        parse_good("VERT\nDCL OUT[0], POSITION\nDCL OUT[3..5], GENERIC[7]\nDCL SV[0], VERTEXID\n");
    CHECK(find_register(shader, File::Output, Semantic::Position, 0) == 0);
    CHECK(find_register(shader, File::Output, Semantic::Generic, 9) == 5);
    CHECK(find_register(shader, File::Output, Semantic::Generic, 10) == -1);
    CHECK(find_register(shader, File::Output, Semantic::VertexId, 0) == -1);
    CHECK(find_register(shader, File::SystemValue, Semantic::VertexId, 0) == 0);
}
