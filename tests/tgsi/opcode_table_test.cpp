// Opcode table test: compares the table with the specification's counts and signatures.
// SPDX-License-Identifier: MIT
#include "tgsi/names.hpp"
#include "tgsi/opcode_table.hpp"

#include <doctest/doctest.h>
#include <set>
#include <string>

using namespace valkyr::tgsi;

TEST_CASE("every opcode has its name, and names find their opcodes in any case") {
    CHECK(kOpcodeCount == 244);  // 238 headings of tgsi.rst, END, and five more of Mesa
    std::set<std::string_view> names;
    for (unsigned i = 0; i < kOpcodeCount; ++i) {
        const auto opcode = static_cast<Opcode>(i);
        const OpcodeInfo& info = opcode_info(opcode);
        CHECK(names.insert(info.name).second);
        CHECK(find_opcode(info.name) == opcode);
        std::string lower(info.name);
        for (char& c : lower)
            c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        CHECK(find_opcode(lower) == opcode);
    }
    CHECK_FALSE(find_opcode("").has_value());
    CHECK_FALSE(find_opcode("M").has_value());
    CHECK_FALSE(find_opcode("MOV ").has_value());
    CHECK_FALSE(find_opcode("MO\x16").has_value());  // differs from MOV by the case bit only
}

TEST_CASE("operand counts follow the recorded grammar") {
    struct Row {
        const char* name;
        unsigned dst;
        unsigned src;
    };
    // One opcode of each group of the grammar.
    for (const Row& row :
         {Row{"END", 0, 0},          Row{"UIF", 0, 1},         Row{"EMIT", 0, 1},
          Row{"CLOCK", 1, 0},        Row{"READ_HELPER", 1, 0}, Row{"MOV", 1, 1},
          Row{"RESQ", 1, 1},         Row{"TXQS", 1, 1},        Row{"SAMP2HND", 1, 1},
          Row{"STORE", 1, 2},        Row{"LOAD", 1, 2},        Row{"TEX", 1, 2},
          Row{"TXQ", 1, 2},          Row{"SAMPLE_INFO", 1, 2}, Row{"MAD", 1, 3},
          Row{"SAMPLE", 1, 3},       Row{"SAMPLE_I_MS", 1, 3}, Row{"LOD", 1, 3},
          Row{"ATOMINC_WRAP", 1, 3}, Row{"TG4", 1, 3},         Row{"TXB2", 1, 3},
          Row{"ATOMCAS", 1, 4},      Row{"BFI", 1, 4},         Row{"SAMPLE_C", 1, 4},
          Row{"TXD", 1, 4},          Row{"SAMPLE_D", 1, 5},    Row{"DFRACEXP", 2, 1}}) {
        const OpcodeInfo& info = opcode_info(*find_opcode(row.name));
        CHECK_MESSAGE(info.dst_count == row.dst, row.name);
        CHECK_MESSAGE(info.src_count == row.src, row.name);
    }
}

TEST_CASE("types decide about modifiers: LDEXP, UCMP, shifts, doubles") {
    const auto src = [](Opcode opcode, unsigned i) { return opcode_info(opcode).src_types[i]; };
    CHECK(src(Opcode::LDEXP, 0) == OperandType::Float);
    CHECK(src(Opcode::LDEXP, 1) == OperandType::Signed);
    CHECK(src(Opcode::UCMP, 0) == OperandType::Unsigned);
    CHECK(src(Opcode::UCMP, 1) == OperandType::Untyped);
    CHECK(src(Opcode::DLDEXP, 1) == OperandType::Signed);
    CHECK(src(Opcode::U64SHL, 1) == OperandType::Unsigned);
    CHECK(opcode_info(Opcode::FSLT).dst_types[0] == OperandType::Signed);
    CHECK(opcode_info(Opcode::D2F).src_types[0] == OperandType::Double);
    CHECK(opcode_info(Opcode::DFRACEXP).dst_types[1] == OperandType::Signed);
    CHECK(opcode_info(Opcode::STORE).dst_types[0] == OperandType::Resource);
}

TEST_CASE("stages that have an opcode") {
    CHECK(legal_in_stage(opcode_info(Opcode::KILL).stages, Stage::Fragment));
    CHECK_FALSE(legal_in_stage(opcode_info(Opcode::KILL).stages, Stage::Vertex));
    CHECK_FALSE(legal_in_stage(opcode_info(Opcode::DDX).stages, Stage::Compute));
    CHECK(legal_in_stage(opcode_info(Opcode::EMIT).stages, Stage::Geometry));
    CHECK_FALSE(legal_in_stage(opcode_info(Opcode::EMIT).stages, Stage::TessEval));
    CHECK(legal_in_stage(opcode_info(Opcode::BARRIER).stages, Stage::TessCtrl));
    CHECK(legal_in_stage(opcode_info(Opcode::BARRIER).stages, Stage::Compute));
    CHECK_FALSE(legal_in_stage(opcode_info(Opcode::BARRIER).stages, Stage::Fragment));
    CHECK(legal_in_stage(opcode_info(Opcode::MOV).stages, Stage::Geometry));
}

TEST_CASE("property symbols are Mesa's, both ways") {
    CHECK(property_symbol("GS_OUTPUT_PRIMITIVE", 5) == "TRIANGLE_STRIP");
    CHECK(property_symbol("TES_PRIM_MODE", 4).empty());
    CHECK(property_symbol("FS_COORD_PIXEL_CENTER", 1) == "INTEGER");
    CHECK(find_property_symbol("PATCHES") == 14u);
    CHECK(find_property_symbol("LOWER_LEFT") == 1u);
    CHECK(find_property_symbol("COMP") == 5u);
    CHECK_FALSE(find_property_symbol("MIDDLE").has_value());
}
