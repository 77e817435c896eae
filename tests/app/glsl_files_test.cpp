// GLSL files test: captured programs, exchanged files, and names of registers.
// SPDX-License-Identifier: MIT
#include "app/glsl/glsl_exchange.hpp"
#include "app/glsl/program_interface.hpp"
#include "app/glsl/register_names.hpp"
#include "app/glsl/shader_test.hpp"
#include "app/run/private_folder.hpp"

#include <doctest/doctest.h>

namespace valkyr::test::glsl_files {

using namespace app;

TEST_CASE("captured programs have their stages and their kind") {
    const CapturedProgram program =
        parse_shader_test("[require]\nGLSL >= 3.30\nSSO ENABLED\n\n[vertex shader]\n#version 330\n"
                          "void main() {}\n\n[tessellation evaluation shader]\nE\n");
    CHECK(program.separable);
    CHECK(!program.es);
    REQUIRE(program.sources.size() == 2);
    CHECK(program.sources[0].stage->ending == ".vert");
    CHECK(program.sources[0].text == "#version 330\nvoid main() {}\n");
    CHECK(program.sources[1].stage->ending == ".tese");
    CHECK(program.sources[1].text == "E\n");
    CHECK(parse_shader_test("[require]\nGLSL ES >= 1.00\n[fragment shader]\n").es);
    CHECK(parse_shader_test("").sources.empty());
    CHECK(parse_shader_test("[no shader]\ntext\n").sources.empty());
}

TEST_CASE("programs and replies come back as they were written") {
    const PrivateFolder folder;
    REQUIRE(write_programs(folder.path(), {{true, {"0-0.vert"}}, {false, {"1-0.vert", "1-1.frag"}}})
                .has_value());
    const auto programs = read_programs(folder.path());
    REQUIRE(programs.has_value());
    REQUIRE(programs->size() == 2);
    CHECK((*programs)[0].separable);
    CHECK((*programs)[1].names == std::vector<std::string>{"1-0.vert", "1-1.frag"});
    CHECK(!read_reply(folder.path()).has_value());
    REQUIRE(add_linked(folder.path(), {true, {{0, "a\nb"}, {1, ""}}, "0 x\n", 1, 3}).has_value());
    REQUIRE(add_linked(folder.path(), {false, {}, "", 3, 3}).has_value());
    const auto reply = read_reply(folder.path());
    REQUIRE(reply.has_value());
    CHECK(reply->failure.empty());
    REQUIRE(reply->programs.size() == 2);
    CHECK(reply->programs[0].linked);
    REQUIRE(reply->programs[0].messages.size() == 2);
    CHECK(reply->programs[0].messages[0].text == "a\nb");
    CHECK(reply->programs[0].interface == "0 x\n");
    CHECK(reply->programs[0].texts_end == 3);
    CHECK(!reply->programs[1].linked);
    REQUIRE(write_failure(folder.path(), "no context").has_value());
    CHECK(read_reply(folder.path())->failure == "no context");
}

TEST_CASE("damaged lines of an interface are left out") {
    const auto resources =
        parse_interface("0 a 35666 1 -1 -1 0 0 2 17\n0 b\n9 c 1 1 1 1 1 1 1 1\n\n");
    REQUIRE(resources.size() == 1);
    CHECK(resources[0].name == "a");
    CHECK(resources[0].location == 2);
    CHECK(resources[0].stages == 17);
}

TEST_CASE("registers have the names of uniforms by their declarations") {
    // OpenGL lists b before a, since the vertex shader has it, too. Types: vec4, mat3, sampler2D.
    constexpr const char* kInterface = "0 b 35675 2 -1 -1 0 0 0 17\n"
                                       "0 only_vertex 35666 1 -1 -1 0 0 4 1\n"
                                       "0 a 35666 1 -1 -1 0 0 3 16\n"
                                       "0 image 35678 1 -1 -1 0 0 5 16\n"
                                       "3 color 35666 1 -1 -1 0 0 0 16\n";
    const GlslStage& fragment = *glsl_stage_of(".frag");
    constexpr const char* kSource = "uniform vec4 a; uniform mat3 b[2]; uniform sampler2D image;";
    const auto names = [&](const std::string& last) {
        return register_names(fragment, kInterface, kSource,
                              "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n"
                              "DCL CONST[0.." +
                                  last + "]\n  0: MOV OUT[0], CONST[0]\n  1: END\n");
    };
    CHECK(names("6").starts_with("CONST[0][0] a\n"));
    // "b" is no array for OpenGL unless its name ends in [0].
    CHECK(names("2") == "CONST[0][0] a\nCONST[0][1] b[0]\nCONST[0][2] b[1]\nSAMP[0] image\n"
                        "OUT[0] color\n");
    // More registers than uniforms: nobody knows which is which.
    CHECK(names("9") == "SAMP[0] image\nOUT[0] color\n");
    CHECK(register_names(fragment, kInterface, kSource, "no text").empty());
}

TEST_CASE("attributes have the registers of their locations, matrices one a column") {
    constexpr const char* kInterface = "2 late 35666 1 -1 -1 0 0 7 1\n"
                                       "2 matrix 35674 1 -1 -1 0 0 2 1\n"
                                       "2 gl_Vertex 35666 1 -1 -1 0 0 -1 1\n";
    const auto names = [&](const std::string& last) {
        return register_names(*glsl_stage_of(".vert"), kInterface, "",
                              "VERT\nDCL IN[0.." + last +
                                  "]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n");
    };
    CHECK(names("3") == "IN[0] gl_Vertex\nIN[1] matrix[0]\nIN[2] matrix[1]\nIN[3] late\n");
    CHECK(names("2").empty());
}

TEST_CASE("blocks are numbered among those that the stage uses") {
    constexpr const char* kInterface = "0 Used.m 35675 1 1 16 0 16 -1 16\n"
                                       "1 Other 0 1 -1 -1 0 0 -1 1\n"
                                       "1 Used 0 1 -1 -1 0 0 -1 16\n"
                                       "4 Store 0 1 -1 -1 0 0 -1 16\n";
    CHECK(register_names(*glsl_stage_of(".frag"), kInterface, "",
                         "FRAG\nDCL OUT[0], COLOR\nDCL CONST[1][0..4]\n"
                         "  0: MOV OUT[0], CONST[1][1]\n  1: END\n") ==
          "BUFFER[0] Store\nCONST[1][1] Used.m[0]\nCONST[1][2] Used.m[1]\nCONST[1][3] Used.m[2]\n");
}

}  // namespace valkyr::test::glsl_files
