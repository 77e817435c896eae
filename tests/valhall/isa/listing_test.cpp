// Listing test: checks listings and the hexadecimal and binary forms of programs.
// SPDX-License-Identifier: MIT
#include "valhall/text/assemble.hpp"
#include "valhall/text/hex_form.hpp"
#include "valhall/text/listing.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::valhall;

namespace {

constexpr uint64_t kMov = 0x0091C10000000002;  // MOV.i32 r1, r2
constexpr uint64_t kEnd = 0x7800C00000000000;  // NOP.end
constexpr uint64_t kBad = 0xFF00000000000001;

}  // namespace

TEST_CASE(
    "a listing has bytes, four blanks and text, shows what does not decode, and ends at zero") {
    const uint64_t words[] = {kMov, kBad, kEnd, 0, kMov};
    CHECK(list_words(words) == "02 00 00 00 00 c1 91 00    MOV.i32 r1, r2\n"
                               "01 00 00 00 00 00 00 ff    .word 0xFF00000000000001\n"
                               "00 00 00 00 00 c0 00 78    NOP.end\n");
    CHECK(list_words({}).empty());
}

TEST_CASE("a listing without bytes and with labels assembles to the same words") {
    const char* const text = "BRANCHZ r0, offset:2\nNOP\nBRANCHZ r1, offset:-3\n"
                             "BLEND.slot0.f32 @r0, u0, r1, target:0x1\nNOP\n"
                             "BRANCHZ r0, offset:-100\nNOP.end\n";
    const Assembly first = assemble(text);
    REQUIRE(first.errors.empty());
    const std::string listing = list_words(first.words, {.bytes = false, .labels = true});
    CHECK(listing == "L0:\nBRANCHZ r0, offset:L1\nNOP\nBRANCHZ r1, offset:L0\nL1:\n"
                     "BLEND.slot0.f32 @r0, u0, r1, target:L2\nNOP\nL2:\n"
                     "BRANCHZ r0, offset:-100\nNOP.end\n");
    CHECK(assemble(listing).words == first.words);
}

TEST_CASE("a program's listing shows the source line above the words that came from it") {
    Program program;
    program.words = {kMov, kMov, kEnd};
    program.source_lines = {2, 2, 0};
    program.source_name = "x.tgsi";
    CHECK(list_program(program, "VERT\n  0: MOV OUT[0], IN[0]\n  1: END\n") ==
          "# x.tgsi:2:   0: MOV OUT[0], IN[0]\n"
          "    0  02 00 00 00 00 c1 91 00    MOV.i32 r1, r2\n"
          "    1  02 00 00 00 00 c1 91 00    MOV.i32 r1, r2\n"
          "    2  00 00 00 00 00 c0 00 78    NOP.end\n");
    program.source_lines = {2, 9};
    program.prologue = std::make_unique<Program>();
    program.prologue->words = {kEnd};
    CHECK(list_program(program) == "# x.tgsi:2\n"
                                   "    0  02 00 00 00 00 c1 91 00    MOV.i32 r1, r2\n"
                                   "# x.tgsi:9\n"
                                   "    1  02 00 00 00 00 c1 91 00    MOV.i32 r1, r2\n"
                                   "    2  00 00 00 00 00 c0 00 78    NOP.end\n"
                                   "# prologue\n"
                                   "    0  00 00 00 00 00 c0 00 78    NOP.end\n");
}

TEST_CASE("hexadecimal lines are the bytes in memory order") {
    CHECK(to_hex_form(uint64_t{0x0123456789ABCDEF}) == "ef cd ab 89 67 45 23 01");
    CHECK(*parse_hex_form("ef cd AB 89 67 45 23 01") == 0x0123456789ABCDEF);
    CHECK(*parse_hex_form("ef cd ab 89 67 45 23 01    anything") == 0x0123456789ABCDEF);
    const auto words =
        parse_hex_file("# comment\n\n01 00 00 00 00 00 00 00\r\n02 00 00 00 00 00 00 00    NOP");
    REQUIRE(words.has_value());
    CHECK(*words == std::vector<uint64_t>{1, 2});
}

TEST_CASE("malformed hexadecimal lines are errors with their place") {
    const struct {
        const char* text;
        uint32_t column;
    } cases[] = {{"", 1},
                 {"01", 3},
                 {"01 02 03 04 05 06 07", 21},
                 {"01 02 03 04 05 06 07 0", 22},
                 {"01 02 03 04 05 06 07 0g", 22},
                 {"01,02 03 04 05 06 07 08", 3},
                 {"0102030405060708", 3},
                 {" 01 02 03 04 05 06 07 08", 1},
                 {"01 02 03 04 05 06 07 08x", 24},
                 {"01 02 03 04 05 06 07 08 09", 24}};
    for (const auto& item : cases) {
        const auto word = parse_hex_form(item.text);
        REQUIRE_MESSAGE(!word.has_value(), item.text);
        CHECK_MESSAGE((word.error().pos == SourcePos{1, item.column}), item.text);
    }
    CHECK(parse_hex_file("01 00 00 00 00 00 00 00\nx\n").error().pos.line == 2);
}

TEST_CASE("binary programs are little-endian words") {
    const std::vector<uint64_t> words = {0x0123456789ABCDEF, kEnd};
    const std::string bytes = to_binary(words);
    REQUIRE(bytes.size() == 16);
    CHECK(bytes[0] == '\xEF');
    CHECK(bytes[7] == '\x01');
    CHECK(*from_binary(bytes) == words);
    CHECK(!from_binary("1234567").has_value());
    CHECK(from_binary("")->empty());
}
