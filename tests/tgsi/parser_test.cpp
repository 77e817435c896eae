// Parser test: checks every form of the grammar, and exact places of errors.
// SPDX-License-Identifier: MIT
#include "tests/tgsi/tgsi_kit.hpp"
#include "tgsi/names.hpp"
#include "tgsi/text/parser.hpp"
#include "tgsi/text/printer.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::tgsi;
using namespace valkyr::tgsi::test;
using Texts = std::vector<std::string>;

namespace {

Shader fragment(std::string_view statement) {
    return parse_good("FRAG\n" + std::string(statement) + "\n");
}

/// Parses a text with one instruction and returns it.
Instruction instruction(std::string_view line) {
    Shader shader = fragment(line);
    REQUIRE(shader.instructions.size() == 1);
    return shader.instructions[0];
}

Declaration declaration(std::string_view line) {
    Shader shader = fragment(line);
    REQUIRE(shader.declarations.size() == 1);
    return shader.declarations[0];
}

Texts errors_of(std::string_view statement) {
    return parse_errors("FRAG\n" + std::string(statement) + "\n");
}

}  // namespace

TEST_CASE("the header names the stage, in any case, behind any white space") {
    CHECK(parse_good("FRAG\n").stage == Stage::Fragment);
    CHECK(parse_good("VERT").stage == Stage::Vertex);
    CHECK(parse_good(" \t\r\n geom\n").stage == Stage::Geometry);
    CHECK(parse_good("TESS_CTRL\n").stage == Stage::TessCtrl);
    CHECK(parse_good("Tess_Eval\n").stage == Stage::TessEval);
    CHECK(parse_good("COMP\n").stage == Stage::Compute);
    CHECK(parse_errors("") ==
          Texts{"1:1: expected FRAG, VERT, GEOM, TESS_CTRL, TESS_EVAL or COMP"});
    CHECK(parse_errors("\n  HULL\n") ==
          Texts{"2:3: expected FRAG, VERT, GEOM, TESS_CTRL, TESS_EVAL or COMP instead of "
                "\"HULL\""});
}

TEST_CASE("the text ends at its first zero byte") {
    const std::string text("VERT\n0: END\n\0 this is not read", 30);
    CHECK(parse_good(text).instructions.size() == 1);
}

TEST_CASE("statements need white space in front of them, but no line of their own") {
    CHECK(parse_good("VERT DCL IN[0] DCL OUT[0], POSITION 0:MOV OUT[0],IN[0] 1:END")
              .instructions.size() == 2);
    CHECK(parse_good("VERT\nDCL\n IN\n [\n0\n ]\n").declarations.size() == 1);
    CHECK(parse_errors("VERT\nIMM[0] UINT32 {0, 0, 0, 0}DCL IN[0]\n") ==
          Texts{"2:27: expected white space before a statement"});
}

TEST_CASE("a register has a file, one or two indexes and an array id") {
    const Instruction i = instruction("MOV TEMP[3], CONST[ADDR[1].y+2][ADDR[0].x-7]");
    CHECK(i.dst[0].reg.file == File::Temporary);
    CHECK(i.dst[0].reg.index.value == 3);
    CHECK_FALSE(i.dst[0].reg.index.indirect);
    const RegisterRef& ref = i.src[0].reg;
    CHECK(ref.file == File::Constant);
    CHECK(ref.has_outer);
    CHECK(ref.outer.indirect);
    CHECK(ref.outer.value == 2);
    CHECK(ref.outer.by == IndirectIndex{File::Address, 1, 1});
    CHECK(ref.index.indirect);
    CHECK(ref.index.value == -7);
    CHECK(ref.index.by == IndirectIndex{File::Address, 0, 0});

    CHECK(instruction("MOV TEMP[ADDR[0].x](12), IN[0]").dst[0].reg.array_id == 12);
    CHECK(instruction("MOV TEMP[0], IN[ADDR[1].x](3)[4]").src[0].reg.outer_array_id == 3);
    // Mesa takes an index register without component as .x, and a negative index.
    CHECK(instruction("MOV TEMP[ADDR[2]+1], IN[0]").dst[0].reg.index.by.component == 0);
    CHECK(instruction("MOV TEMP[0], IN[-2]").src[0].reg.index.value == -2);
    CHECK(instruction("MOV TEMP [ 0 ] . x , - | IN [ 1 ] . xyzw |").src[0].absolute);
}

TEST_CASE("masks, swizzles and modifiers") {
    const Instruction i = instruction("MAD_SAT_PRECISE TEMP[0].xz, -IN[0].wzyx, |IN[1]|, "
                                      "-|IN[2].xxyy|");
    CHECK(i.opcode == Opcode::MAD);
    CHECK(i.saturate);
    CHECK(i.precise);
    CHECK(i.dst[0].write_mask == 0x5);
    CHECK(i.src[0].negate);
    CHECK_FALSE(i.src[0].absolute);
    CHECK(i.src[0].swizzle == std::array<uint8_t, 4>{3, 2, 1, 0});
    CHECK(i.src[1].absolute);
    CHECK_FALSE(i.src[1].negate);
    CHECK(i.src[2].negate);
    CHECK(i.src[2].absolute);
    CHECK(instruction("mov_sat temp[0].XyW, in[0].WWWw").dst[0].write_mask == 0xB);
}

TEST_CASE("texture instructions have a target and up to four offsets") {
    const Instruction i =
        instruction("TG4 TEMP[0], IN[0], IMM[0].xxxx, SAMP[2], SHADOW2D_ARRAY, IMM[1].xyz, "
                    "TEMP[3].wwx, IMM[1].zzz, IMM[0].yxy");
    CHECK(i.has_target);
    CHECK(i.target == Target::Shadow2DArray);
    REQUIRE(i.offset_count == 4);
    CHECK(i.offsets[1] == TexelOffset{File::Temporary, 3, {3, 3, 0}});
    CHECK(errors_of("TG4 TEMP[0], IN[0], IMM[0].xxxx, SAMP[2], 2D, IMM[1].xyz, IMM[1].xyz, "
                    "IMM[1].xyz, IMM[1].xyz, IMM[1].xyz") ==
          Texts{"2:94: more than 4 texel offsets"});
    CHECK(errors_of("TEX TEMP[0], IN[0], SAMP[0]") ==
          Texts{"2:28: expected ',' before the texture target"});
    CHECK(errors_of("TEX TEMP[0], IN[0], SAMP[0], 4D") == Texts{"2:30: expected a texture target"});
}

TEST_CASE("memory instructions end in qualifiers, a target and a format, in order") {
    const Instruction i = instruction(
        "LOAD TEMP[0], IMAGE[1], TEMP[1], COHERENT, VOLATILE, 2D, PIPE_FORMAT_R32_UINT");
    CHECK(i.qualifiers == (kCoherent | kVolatile));
    CHECK(i.target == Target::Tex2D);
    CHECK(i.format == "R32_UINT");
    CHECK(instruction("STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1]").dst[0].reg.file == File::Buffer);
    CHECK(instruction("RESQ TEMP[0], IMAGE[0], pipe_format_r8_unorm").format == "R8_UNORM");
    CHECK(errors_of("LOAD TEMP[0], IMAGE[1], TEMP[1], 2D, COHERENT") ==
          Texts{"2:38: expected memory qualifiers, a target, a format, in order"});
    CHECK(errors_of("LOAD TEMP[0], IMAGE[1], TEMP[1], PIPE_FORMAT_") ==
          Texts{"2:34: expected memory qualifiers, a target, a format, in order"});
}

TEST_CASE("instruction numbers and labels are optional") {
    CHECK_FALSE(instruction("UIF TEMP[0].xxxx").has_label);
    const Instruction i = instruction("  12:   UIF TEMP[0].xxxx :17");
    CHECK(i.has_label);
    CHECK(i.label == 17);
    CHECK(i.pos == SourcePos{2, 9});
    CHECK(errors_of("12 MOV TEMP[0], IN[0]") ==
          Texts{"2:3: expected ':' after the instruction number"});
}

TEST_CASE("the number of operands comes from the opcode") {
    CHECK(errors_of("MUL TEMP[0], IN[0]") ==
          Texts{"2:19: MUL takes 1 destination and 2 source operands"});
    CHECK(errors_of("MOV TEMP[0], IN[0], IN[1]") ==
          Texts{"2:19: expected white space before a statement"});
    CHECK(errors_of("END TEMP[0]") == Texts{"2:5: unknown opcode \"TEMP\""});
    // The only optional operand.
    CHECK(instruction("SAMPLE_INFO TEMP[0], SVIEW[0]").src_count == 1);
    CHECK(instruction("SAMPLE_INFO TEMP[0], SVIEW[0], IMM[0].xxxx").src_count == 2);
}

TEST_CASE("declarations: ranges, dimensions, masks, arrays") {
    Declaration d = declaration("DCL TEMP[2..9], ARRAY(3), LOCAL");
    CHECK(d.first == 2);
    CHECK(d.last == 9);
    CHECK(d.array_id == 3);
    CHECK(d.local);
    d = declaration("DCL CONST[4][0..31]");
    CHECK(d.has_outer);
    CHECK(d.outer == 4);
    CHECK(d.last == 31);
    d = declaration("DCL IN[][7].xy, GENERIC[9]");
    CHECK(d.per_vertex);
    CHECK(d.first == 7);
    CHECK(d.usage_mask == 3);
    CHECK(d.semantic_index == 9);
    CHECK(errors_of("DCL TEMP[5..2]") == Texts{"2:13: register range ends before it starts"});
    CHECK(errors_of("DCL CONST[0..1][2]") ==
          Texts{"2:10: the first of two dimensions is one index, not a range"});
    CHECK(errors_of("DCL TEMP[0], ARRAY(0)") == Texts{"2:19: array id 0 means no array"});
}

TEST_CASE("declarations: semantics, interpolation, streams") {
    Declaration d = declaration("DCL IN[0], COLOR[1], COLOR, CENTROID, INVARIANT");
    CHECK(d.semantic == Semantic::Color);
    CHECK(d.semantic_index == 1);
    CHECK(d.has_interpolation);
    CHECK(d.interpolation == Interpolation::Color);
    CHECK(d.location == Location::Centroid);
    CHECK(d.invariant);
    CHECK(declaration("DCL IN[0], FOG, LINEAR, CENTER").location == Location::Center);
    d = declaration("DCL OUT[0], GENERIC[0], STREAM(0, 1, 2, 3)");
    CHECK(d.has_streams);
    CHECK(d.streams == std::array<uint8_t, 4>{0, 1, 2, 3});
    CHECK(errors_of("DCL OUT[0], GENERIC[0], STREAM(0, 1, 2, 4)") ==
          Texts{"2:41: stream out of range, 0..3"});
    CHECK(errors_of("DCL OUT[0], COLOUR") ==
          Texts{"2:13: unexpected \"COLOUR\" in a declaration of OUT"});
}

TEST_CASE("declarations: every name of semantics, targets, types and memory") {
    for (unsigned i = 0; i < 49; ++i) {
        const auto semantic = static_cast<Semantic>(i);
        CHECK(declaration("DCL IN[0], " + std::string(name_of(semantic))).semantic == semantic);
    }
    for (unsigned i = 0; i < 19; ++i) {
        const auto target = static_cast<Target>(i);
        CHECK(declaration("DCL SVIEW[0], " + std::string(name_of(target)) + ", UINT").target ==
              target);
    }
    for (unsigned i = 0; i < 5; ++i) {
        const auto type = static_cast<ReturnType>(i);
        CHECK(declaration("DCL SVIEW[0], 2D, " + std::string(name_of(type))).return_types[3] ==
              type);
    }
    for (unsigned i = 0; i < 4; ++i) {
        const auto kind = static_cast<MemoryKind>(i);
        CHECK(declaration("DCL MEMORY[0], " + std::string(name_of(kind))).memory_kind == kind);
    }
    for (unsigned i = 0; i < 15; ++i) {
        const auto file = static_cast<File>(i);
        const bool resource = file == File::SamplerView || file == File::Image;
        const std::string tail = file == File::Image ? ", 2D, PIPE_FORMAT_R8_UNORM" : ", 2D, FLOAT";
        CHECK(declaration("DCL " + std::string(name_of(file)) + "[0]" + (resource ? tail : ""))
                  .file == file);
    }
}

TEST_CASE("declarations: sampler views, images, buffers, memory") {
    Declaration d = declaration("DCL SVIEW[3], 2D_ARRAY, FLOAT, UNORM, SINT, UINT");
    CHECK(d.return_type_count == 4);
    CHECK(d.return_types[2] == ReturnType::Sint);
    d = declaration("DCL IMAGE[0], CUBE, PIPE_FORMAT_R8G8B8A8_UNORM, WR, RAW");
    CHECK(d.format == "R8G8B8A8_UNORM");
    CHECK(d.writable);
    CHECK(d.raw);
    CHECK(declaration("DCL BUFFER[2], ATOMIC").atomic);
    CHECK(declaration("DCL MEMORY[0], SHARED").memory_kind == MemoryKind::Shared);
    CHECK(errors_of("DCL SVIEW[0], 2D") == Texts{"2:17: expected a target and a return type"});
    CHECK(errors_of("DCL SVIEW[0], 2D, FLOAT, UINT") ==
          Texts{"2:30: expected one or four return types"});
    CHECK(errors_of("DCL IMAGE[0], 2D") == Texts{"2:17: expected a target and a format"});
    CHECK(errors_of("DCL BUFFER[0], SHARED") == Texts{"2:16: expected ATOMIC"});
}

TEST_CASE("properties have numbers or symbols") {
    CHECK(fragment("PROPERTY FS_COORD_ORIGIN LOWER_LEFT").property("FS_COORD_ORIGIN", 9) == 1);
    CHECK(fragment("PROPERTY fs_coord_origin 1").property("FS_COORD_ORIGIN", 9) == 1);
    CHECK(fragment("PROPERTY GS_INPUT_PRIMITIVE TRIANGLES_ADJACENCY")
              .property("GS_INPUT_PRIMITIVE", 0) == 12);
    CHECK(fragment("PROPERTY NEXT_SHADER FRAG").property("NEXT_SHADER", 0) == 1);
    CHECK(fragment("PROPERTY ANYTHING 4294967295").property("NOTHING", 7) == 7);
    CHECK(errors_of("PROPERTY GS_INVOCATIONS many") == Texts{"2:25: expected a property value"});
    CHECK(errors_of("PROPERTY GS_INVOCATIONS 4294967296") ==
          Texts{"2:25: property value out of range, 0..4294967295"});
}

TEST_CASE("all errors of a text are reported, each at its place") {
    const std::string text = "VERT\n"
                             "DCL IN[0]\n"
                             "DCL OUT[0, POSITION\n"
                             "IMM[1] UINT32 {1, 2, 3, 4}\n"
                             "  0: MOVE OUT[0], IN[0]\n"
                             "  1: MUL OUT[0], IN[0].xyzq, IN[0]\n"
                             "  2: MOV OUT[0].yx, IN[0]\n"
                             "  3: ADD OUT[0], IN[0], FOO[1]\n"
                             "  4: MOV OUT[70000], IN[0]\n"
                             "  5: END\n";
    CHECK(parse_errors(text) == Texts{
                                    "3:10: expected ']' after the register range",
                                    "4:5: immediates count from 0: expected index 0",
                                    "5:6: unknown opcode \"MOVE\"",
                                    "6:24: expected 4 of the letters x, y, z, w",
                                    "7:17: expected a write mask: letters of xyzw in order",
                                    "8:25: unknown register file \"FOO\"",
                                    "9:14: register index out of range, 0..32767",
                                });
    CHECK(parse(text).shader.instructions.size() == 1);
}

TEST_CASE("a statement that runs into the next line does not take that line with it") {
    CHECK(parse_errors("VERT\n0: MOV OUT[0],\n1: NOP\n2: END\n") ==
          Texts{"3:1: unknown register file \"1\""});
    CHECK(parse("VERT\n0: MOV OUT[0],\n1: NOP\n2: END\n").shader.instructions.size() == 2);
}

TEST_CASE("errors show the line and a caret") {
    const std::string text = "VERT\n\t0: MOV OUT[0], IN[0].xyzq\n";
    const auto errors = parse(text).errors;
    REQUIRE(errors.size() == 1);
    CHECK(format_error(errors[0], text, "a.tgsi") ==
          "a.tgsi:2:23: error: expected 4 of the letters x, y, z, w\n"
          "     0: MOV OUT[0], IN[0].xyzq\n"
          "                          ^\n");
    // Messages cut long lines and leave out lines that do not exist.
    const std::string wide =
        "VERT\n" + std::string(500, ' ') + "FOO" + std::string(500, 'x') + "\n";
    const std::string shown = format_error(parse(wide).errors[0], wide, "b");
    CHECK(shown.size() < 400);
    CHECK(format_error({Errc::Semantic, {}, "END is missing"}, text, "c") ==
          "c: error: END is missing\n");
    CHECK(format_error({Errc::Semantic, {99, 1}, "?"}, text, "c") ==
          "c:99:1: error: ?\n    \n    ^\n");
}
