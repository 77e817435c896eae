// Limits test: the parser refuses hostile texts in linear time and bounded memory.
// SPDX-License-Identifier: MIT
#include "tests/tgsi/tgsi_kit.hpp"
#include "tgsi/limits.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"
#include "tgsi/text/printer.hpp"

#include <atomic>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::tgsi;
using namespace valkyr::tgsi::test;
using Texts = std::vector<std::string>;

namespace {

std::string repeated(std::string_view head, std::string_view line, size_t count) {
    std::string out(head);
    for (size_t i = 0; i < count; ++i)
        out += line;
    return out;
}

}  // namespace

TEST_CASE("a text that is too long is not read") {
    Limits limits;
    limits.text_bytes = 10;
    CHECK(parse_errors("VERT\nDCL IN[0]\n", limits) == Texts{"0:0: text longer than 10 bytes"});
    CHECK(parse("VERT\n", limits).ok());
}

TEST_CASE("parsing that is cancelled ends before the next statement, with an error") {
    const std::string text = repeated("VERT\n", "NOP\n", 1000) + "END\n";
    std::atomic<uint32_t> flag = 0;
    CHECK(parse(text, {}, Cancellation(flag)).ok());
    flag = 1;
    const ParseResult result = parse(text, {}, Cancellation(flag));
    REQUIRE(result.errors.size() == 1);
    CHECK(result.errors[0].code == Errc::Cancelled);
    CHECK(result.shader.instructions.empty());
}

TEST_CASE("each kind of statement has a limit, reported once") {
    Limits limits;
    limits.instructions = 2;
    CHECK(parse_errors("VERT\nNOP\nNOP\nNOP\nNOP\nNOP\n", limits) ==
          Texts{"4:4: more than 2 instructions"});
    limits = {};
    limits.declarations = 1;
    CHECK(parse_errors("VERT\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\n", limits) ==
          Texts{"3:4: more than 1 declarations"});
    limits = {};
    limits.immediates = 1;
    CHECK(parse_errors("VERT\nIMM[0] UINT32 {0}\nIMM[1] UINT32 {0}\n", limits) ==
          Texts{"3:4: more than 1 immediates"});
    limits = {};
    limits.properties = 1;
    CHECK(parse_errors("VERT\nPROPERTY A 1\nPROPERTY B 1\n", limits) ==
          Texts{"3:13: more than 1 properties"});
    limits = {};
    limits.registers = 100;
    CHECK(parse_errors("VERT\nDCL TEMP[0..98]\nDCL CONST[0..1]\n", limits) ==
          Texts{"3:5: more than 100 registers"});
    limits = {};
    limits.nesting = 2;
    CHECK(parse_errors("VERT\nBGNLOOP\nBGNLOOP\nENDLOOP\nBGNLOOP\nBGNLOOP\nEND\n", limits) ==
          Texts{"6:1: nesting deeper than 2"});
}

TEST_CASE("parsing stops after the allowed number of errors") {
    const std::string text = repeated("VERT\n", "FOO\n", 1000);
    CHECK(parse(text).errors.size() == 20);
    Limits limits;
    limits.errors = 3;
    CHECK(parse(text, limits).errors.size() == 3);
}

TEST_CASE("numbers in the text do not decide how much memory is used") {
    // A large range, a huge index and a huge array need only a few bytes of text.
    const Shader shader = parse_good("VERT\nDCL CONST[0..32767]\nDCL TEMP[32767]\n");
    CHECK(shader.declarations.size() == 2);
    CHECK(parse_errors("VERT\nDCL TEMP[99999999999999999999]\n") ==
          Texts{"2:10: register index out of range, 0..32767"});
    CHECK(parse_errors("VERT\nDCL TEMP[0], ARRAY(1024)\n") ==
          Texts{"2:20: array id out of range, 0..1023"});
    CHECK(parse_errors("VERT\nDCL OUT[0], GENERIC[65536]\n") ==
          Texts{"2:21: semantic index out of range, 0..65535"});
}

TEST_CASE("words of any length are refused without copying them") {
    const std::string word(100000, 'A');
    CHECK(parse_errors("VERT\n" + word + "\n").size() == 1);
    CHECK(parse_errors("VERT\nPROPERTY " + word + " 1\n") ==
          Texts{"2:10: expected a property name"});
    CHECK(parse_errors("VERT\nLOAD TEMP[0], IMAGE[0], IN[0], PIPE_FORMAT_" + word + "\n") ==
          Texts{"2:32: expected memory qualifiers, a target, a format, in order"});
}

TEST_CASE("hostile shapes end quickly") {
    // With disproportionate time or memory, the test would not finish.
    CHECK_FALSE(parse(repeated("VERT\n", "0: MOV OUT[0],\n", 100000)).ok());
    CHECK_FALSE(parse(repeated("VERT\n", "DCL", 100000)).ok());
    CHECK_FALSE(parse(std::string("VERT") + std::string(1000000, '\n') + "x").ok());
    CHECK_FALSE(parse("VERT\nMOV " + repeated("", "TEMP[ADDR[", 10000)).ok());
    CHECK_FALSE(parse("VERT\nIMM[0] FLT32 {" + std::string(1000000, '9') + "}\n").ok());

    const ParseResult deep = parse(repeated("VERT\n", "SWITCH TEMP[0].xxxx\n", 60000));
    CHECK(deep.ok());
    CHECK_FALSE(verify(deep.shader).empty());
    const ParseResult calls =
        parse(repeated("VERT\n", "CAL :0\n", 30000) + repeated("", "BGNSUB\nENDSUB\n", 15000));
    CHECK(calls.ok());
    CHECK_FALSE(verify(calls.shader).empty());
    const ParseResult indirect =
        parse(repeated("VERT\n", "DCL IN[][0]\n", 16000) +
              repeated("", "MAD TEMP[0], IN[ADDR[0].x], IN[ADDR[0].x], IN[ADDR[0].x]\n", 60000));
    CHECK(indirect.ok());
    CHECK_FALSE(verify(indirect.shader).empty());
}

TEST_CASE("printing stays in proportion to the shader") {
    const std::string text = repeated("VERT\n", "BGNLOOP :0\n", 256) +
                             repeated("", "NOP\n", 20000) + repeated("", "ENDLOOP :0\n", 256);
    CHECK(print(parse_good(text)).size() < 12000000);
}
