// Double range test: an operation on doubles is one instruction up to its words, which are named.
// SPDX-License-Identifier: MIT
#include "jit/recompiler.hpp"
#include "tests/valhall/compiler/double_checker.hpp"
#include "tests/valhall/compiler/harness.hpp"
#include "valhall/compiler/double_templates.hpp"
#include "valhall/isa/source_byte.hpp"

#include <algorithm>
#include <bit>
#include <doctest/doctest.h>
#include <random>
#include <set>

using namespace valkyr;
using namespace valkyr::test;
using valhall::DoubleOp;

namespace {

const std::string kDoubleHeader = "FRAG\nDCL IN[0..2], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\n"
                                  "DCL CONST[0..3]\nDCL TEMP[0..40]\n"
                                  "IMM[0] UINT32 {0, 1074266112, 0, 1073741824}\n"  // 3.0, 2.0
                                  "IMM[1] UINT32 {0, 1, 3, 7}\n";

std::vector<DoubleOp> operations_of(const std::string& body) {
    const auto program = valhall::compile(parse_shader(kDoubleHeader + program_lines(body)));
    REQUIRE(program.has_value());
    std::vector<DoubleOp> operations;
    for (const valhall::DoubleRange& range : program->double_ranges)
        operations.push_back(range.op);
    return operations;
}

/// Doubles of moderate size in all components.
ShaderInputs number_inputs(unsigned seed) {
    std::mt19937 random(seed);
    ShaderInputs in;
    in.inputs.resize(3);
    for (auto& reg : in.inputs)
        for (Word4& word : reg)
            for (unsigned pair = 0; pair < 2; ++pair) {
                const double value = static_cast<double>(random() % 4096) / 64.0 - 20.0;
                const auto bits = std::bit_cast<uint64_t>(value);
                word[2 * pair] = static_cast<uint32_t>(bits);
                word[2 * pair + 1] = static_cast<uint32_t>(bits >> 32);
            }
    return in;
}

std::string difference(const std::string& body, unsigned seed) {
    return differ(kDoubleHeader + program_lines(body), number_inputs(seed));
}

std::string temporary(unsigned i) {
    return "TEMP[" + std::to_string(i) + "]";
}

}  // namespace

TEST_CASE("templates need few registers and uniforms, whatever a program combines") {
    std::set<std::pair<uint32_t, uint32_t>> slots;
    for (unsigned i = 0; i < valhall::kDoubleOpCount; ++i) {
        const auto op = static_cast<DoubleOp>(i);
        const valhall::ir::DoubleTemplate& made = valhall::double_template(op);
        CAPTURE(valhall::double_op_info(op).name);
        CHECK(made.words.size() > 2);
        CHECK(made.scratch_pairs <= 16);
        REQUIRE(made.literals.size() % 2 == 0);
        for (size_t k = 0; k < made.literals.size(); k += 2)
            slots.insert({made.literals[k], made.literals[k + 1]});
        CHECK(made.loops == (op == DoubleOp::Divide || op == DoubleOp::SquareRoot));
    }
    // The compiler's own uniforms take half of the words at most.
    CHECK(slots.size() * 2 <= valhall::kUniformsPerPage * valhall::kPageCount / 2);
}

TEST_CASE("equal operations are one, unread ones none, and those on literals are computed") {
    CHECK(operations_of("DADD TEMP[0], IN[0], IN[1]\nDADD TEMP[1], IN[0], IN[1]\n"
                        "DMUL OUT[0], TEMP[0], TEMP[1]") ==
          std::vector{DoubleOp::Add, DoubleOp::Add, DoubleOp::Multiply, DoubleOp::Multiply});
    CHECK(operations_of("DSQRT TEMP[0], IN[0]\nDADD OUT[0].xy, TEMP[0], IN[1]\n"
                        "MOV OUT[0].zw, IN[0]") ==
          std::vector{DoubleOp::SquareRoot, DoubleOp::Add});
    CHECK(operations_of("DDIV TEMP[0], IN[0], IN[1]\nMOV OUT[0], IN[0]").empty());
    CHECK(operations_of("DDIV OUT[0], IMM[0], IMM[0].zwxy").empty());
    CHECK(operations_of("DFMA TEMP[0].xy, IMM[0], IMM[0].zwzw, IMM[0].zwzw\n"
                        "DSQRT OUT[0].xy, TEMP[0]\nMOV OUT[0].zw, IN[0]")
              .empty());
}

TEST_CASE("an operation that no round of a loop changes is computed in front of it") {
    const std::string body = "AND TEMP[1].x, IN[0].xxxx, IMM[1].wwww\nMOV TEMP[0], IN[1]\nBGNLOOP\n"
                             "USEQ TEMP[1].y, TEMP[1].xxxx, IMM[1].xxxx\nUIF TEMP[1].yyyy\nBRK\n"
                             "ENDIF\nDDIV TEMP[2].xy, IN[1], IN[2]\n"
                             "DADD TEMP[0].xy, TEMP[0], TEMP[2]\n"
                             "UADD TEMP[1].x, TEMP[1].xxxx, -IMM[1].yyyy\nENDLOOP\n"
                             "MOV OUT[0], TEMP[0]";
    CHECK(operations_of(body) == std::vector{DoubleOp::Divide, DoubleOp::Add});
    CHECK(difference(body, 1) == "");
}

TEST_CASE("operations in divergent branches and loops, between messages") {
    const std::string body =
        "AND TEMP[1].x, IN[0].yyyy, IMM[1].wwww\nMOV TEMP[0], IN[1]\nBGNLOOP\n"
        "USEQ TEMP[1].y, TEMP[1].xxxx, IMM[1].xxxx\nUIF TEMP[1].yyyy\nBRK\nENDIF\n"
        "AND TEMP[1].z, TEMP[1].xxxx, IMM[1].yyyy\nUIF TEMP[1].zzzz\n"
        "DDIV TEMP[0], TEMP[0], IN[2]\nDFMA TEMP[0].xy, TEMP[0], CONST[1].xyxy, IN[1].zwzw\nELSE\n"
        "DSQRT TEMP[0].zw, TEMP[0]\nDSLT TEMP[1].w, TEMP[0], CONST[0]\nUIF TEMP[1].wwww\n"
        "DMUL TEMP[0], TEMP[0], TEMP[0].zwxy\nENDIF\nENDIF\n"
        "UADD TEMP[1].x, TEMP[1].xxxx, -IMM[1].yyyy\nENDLOOP\nMOV OUT[0], TEMP[0]";
    for (unsigned seed = 0; seed < 4; ++seed)
        CHECK(difference(body, seed) == "");
}

TEST_CASE("operations that read results of operations, and NaNs of any bits") {
    // The results of each line are read by the next ones alone, or as words at the end, too.
    const std::string chain =
        "DADD TEMP[0], IN[0], IN[1]\nDMUL TEMP[1], TEMP[0], IN[2]\n"
        "DFMA TEMP[2], TEMP[1], TEMP[0], TEMP[0].zwxy\n"
        "DMAX TEMP[3], TEMP[2], TEMP[1]\nDSQRT TEMP[4].xy, TEMP[3]\n"
        "DDIV TEMP[4].zw, TEMP[4].xyxy, TEMP[3]\n"
        "DFLR TEMP[5].xy, TEMP[4].zwzw\nDMIN TEMP[5].zw, TEMP[5].xyxy, IN[0]\n"
        "DLDEXP TEMP[6].xy, TEMP[5].zwzw, IN[2].xxxx\n"
        "DSLT TEMP[7].x, TEMP[6], TEMP[5]\nD2F TEMP[7].y, TEMP[6]\n"
        "D2I TEMP[7].z, TEMP[4].zwzw\nF2D TEMP[8].xy, TEMP[7].yyyy\n"
        "I2D TEMP[8].zw, TEMP[7].zzzz\nDADD TEMP[9].xy, TEMP[8], TEMP[8].zwzw\n"
        "MOV TEMP[9].z, TEMP[7].xxxx\n";
    const std::string last[] = {"MOV TEMP[9].w, TEMP[7].yyyy", "MOV TEMP[9].w, TEMP[0].xxxx",
                                "MOV TEMP[9].w, TEMP[3].yyyy", "MOV TEMP[9].w, TEMP[5].wwww"};
    for (unsigned seed = 0; seed < 4; ++seed) {
        ShaderInputs in = number_inputs(seed);
        for (unsigned reg = 0; reg < 3; ++reg) {  // payloads in both words, signs, signalling NaNs
            in.inputs[reg][seed] = {0x12345678, 0xFFF80000, 0x00000001, 0x7FF00000};
            in.inputs[reg][4 + reg] = {0x00000005, 0x7FFABCDE, 0x00000000, 0x3FF00000};
        }
        for (const std::string& line : last)
            CHECK(differ(kDoubleHeader + program_lines(chain + line + "\nMOV OUT[0], TEMP[9]"),
                         in) == "");
    }
}

TEST_CASE("operations beside many values that are alive") {
    for (const unsigned values : {4U, 8U, 12U, 16U, 30U}) {
        std::string body;
        for (unsigned i = 0; i < values; ++i)
            body += "DADD " + temporary(i) + ", IN[" + std::to_string(i % 3) + "], " +
                    (i < 3 ? "IN[1]" : temporary(i - 3) + ".zwxy") + "\n";
        for (unsigned i = 0; i < values; ++i)
            body += (i % 8 == 3 ? "DDIV " : "DFMA ") + temporary(i) + ", " + temporary(i) + ", " +
                    temporary((i * 7 + 1) % values) +
                    (i % 8 == 3 ? "" : ", " + temporary((i * 5 + 2) % values)) + "\n";
        body += "MOV " + temporary(40) + ", " + temporary(0) + "\n";
        for (unsigned i = 1; i < values; ++i)
            body +=
                "DMAX " + temporary(40) + ", " + temporary(40) + ", " + temporary(i) + ".zwxy\n";
        body += "MOV OUT[0], " + temporary(40);
        CAPTURE(values);
        CHECK(difference(body, values) == "");
    }
}

TEST_CASE("a program whose uniforms fill their half has room for operations") {
    std::string header = "FRAG\nDCL IN[0..2], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\n"
                         "DCL CONST[0..63]\nDCL TEMP[0..1]\n";
    std::string body = "DADD TEMP[0], IN[0], CONST[0]\n";
    for (unsigned i = 1; i < 64; ++i)
        body += std::string(i % 2 == 0 ? "DMUL" : "DADD") + " TEMP[0], TEMP[0], CONST[" +
                std::to_string(i) + "]\n";
    body += "DSQRT TEMP[0].xy, TEMP[0]\nDDIV TEMP[0], TEMP[0], IN[1]\nMOV OUT[0], TEMP[0]";
    ShaderInputs in = number_inputs(3);
    in.constants.emplace_back();
    for (unsigned i = 0; i < 128; ++i) {
        const auto bits = std::bit_cast<uint64_t>(1.0 + i / 256.0);
        in.constants[0].push_back(static_cast<uint32_t>(bits));
        in.constants[0].push_back(static_cast<uint32_t>(bits >> 32));
    }
    CHECK(differ(header + program_lines(body), in) == "");
}

TEST_CASE("subroutines cannot multiply operations beyond the limit of a program") {
    constexpr unsigned depth = 12;
    std::string body = "CAL :2\nEND\n";
    for (unsigned i = 0; i < depth; ++i) {
        const std::string call = "CAL :" + std::to_string(2 + 4 * (i + 1)) + "\n";
        body += "BGNSUB\n" + call + call + "ENDSUB\n";
    }
    body += "BGNSUB\nDDIV TEMP[0], TEMP[0], IN[1]\nENDSUB";
    const auto program = valhall::compile(parse_shader(kDoubleHeader + program_lines(body)));
    REQUIRE_FALSE(program.has_value());
    CHECK(program.error().code == Errc::OutOfRange);
}

TEST_CASE("operations that hosts have are a few host instructions on every level") {
    const char* const lines[] = {
        "DADD OUT[0].xy, IN[0], IN[1]",
        "DMUL OUT[0].xy, IN[0], IN[1]",
        "DDIV OUT[0].xy, IN[0], IN[1]",
        "DFMA OUT[0].xy, IN[0], IN[1], IN[2]",
        "DSQRT OUT[0].xy, IN[0]",
        "DMIN OUT[0].xy, IN[0], IN[1]",
        "DMAX OUT[0].xy, IN[0], IN[1]",
        "DSLT OUT[0].x, IN[0], IN[1]",
        "DSEQ OUT[0].x, IN[0], IN[1]",
        "DSGE OUT[0].x, IN[0], IN[1]",
        "DTRUNC OUT[0].xy, IN[0]",
        "DFLR OUT[0].xy, IN[0]",
        "DCEIL OUT[0].xy, IN[0]",
        "DROUND OUT[0].xy, IN[0]",
        "F2D OUT[0].xy, IN[0].xxxx",
        "I2D OUT[0].xy, IN[0].xxxx",
        "U2D OUT[0].xy, IN[0].xxxx",
        "D2F OUT[0].x, IN[0]",
        "D2I OUT[0].x, IN[0]",
        "D2U OUT[0].x, IN[0]",
        "DLDEXP OUT[0].xy, IN[0], IN[1].xxxx",
    };
    const exec::FragmentKey fragment;
    for (const auto level : {jit::HostLevel::Avx2, jit::HostLevel::Avx512, jit::HostLevel::Neon}) {
        const auto lister = jit::Recompiler::create(level, {.listing_only = true});
        REQUIRE(lister.has_value());
        for (const char* line : lines) {
            const std::string body = std::string(line) + "\nMOV OUT[0].zw, IN[0]";
            const auto program =
                valhall::compile(parse_shader(kDoubleHeader + program_lines(body)));
            REQUIRE(program.has_value());
            REQUIRE(program->double_ranges.size() == 1);
            jit::RecompileOptions options;
            options.listing = true;
            options.inline_messages = false;
            const auto kernel = (*lister)->recompile(*program, {.fragment = &fragment}, options);
            REQUIRE(kernel.has_value());
            const valhall::DoubleRange& range = program->double_ranges.front();
            const auto instructions =
                std::ranges::count_if((*kernel)->listing(), [&](const jit::HostLine& host) {
                    return host.word_index >= range.first &&
                           host.word_index < range.first + range.count;
                });
            const bool scales = std::string(line).starts_with("DLDEXP");  // by three products
            CHECK_MESSAGE(instructions < (scales ? 80 : 40), line, " on ",
                          jit::host_level_name(level), ": ", instructions);
        }
    }
}
