// Round trip test: checks properties of random legal instructions and words.
// SPDX-License-Identifier: MIT
#include "tests/support/random_instr.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/isa/encode.hpp"
#include "valhall/text/assemble.hpp"
#include "valhall/text/disassemble.hpp"
#include "valhall/text/hex_form.hpp"

#include <cstdlib>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::valhall;

namespace {

constexpr uint64_t kSeed = 20240501;

/// The number of random cases per instruction; VALKYR_TEST_SCALE multiplies it.
unsigned rounds(unsigned normal) {
    const char* const scale = std::getenv("VALKYR_TEST_SCALE");
    return normal * (scale != nullptr ? static_cast<unsigned>(std::atoi(scale)) : 1);
}

void check_text_round_trip(const Instr& instr, uint64_t word) {
    const std::string text = disassemble(instr);
    const auto parsed = parse_instr(text);
    REQUIRE_MESSAGE(parsed.has_value(), text);
    CHECK_MESSAGE(*parsed == instr, text);
    const auto again = assemble_line(text);
    REQUIRE(again.has_value());
    CHECK_MESSAGE(*again == word, text);
}

/// Checks that a word is refused, or encodes back to itself and its text assembles to it.
bool check_word(uint64_t word) {
    const auto instr = decode(word);
    if (!instr.has_value())
        return false;
    const auto again = encode(*instr);
    REQUIRE_MESSAGE(again.has_value(), to_hex_form(word));
    REQUIRE_MESSAGE(*again == word, to_hex_form(word));
    return true;
}

bool uses_second_zero(const Instr& instr) {
    for (size_t i = 0; i < op_info(instr.op).sources.size(); ++i)
        if (instr.src[i].kind == SourceKind::Constant && instr.src[i].index == 21)
            return true;
    return false;
}

}  // namespace

TEST_CASE("a million random legal instructions come back from their words") {
    test::Random random(kSeed);
    test::RandomInstrOptions options;
    options.second_zero = true;
    const unsigned count = rounds(4300);
    for (const OpInfo& info : all_ops())
        for (unsigned i = 0; i < count; ++i) {
            const Instr instr = test::random_instr(info.op, random, options);
            const auto word = encode(instr);
            REQUIRE_MESSAGE(word.has_value(), disassemble(instr));
            const auto back = decode(*word);
            REQUIRE_MESSAGE(back.has_value(), (to_hex_form(*word) + " " + disassemble(instr)));
            REQUIRE_MESSAGE(*back == instr, disassemble(instr));
        }
}

TEST_CASE("random legal instructions come back from their text") {
    test::Random random(kSeed + 1);
    const unsigned count = rounds(200);
    for (const OpInfo& info : all_ops())
        for (unsigned i = 0; i < count; ++i) {
            const Instr instr = test::random_instr(info.op, random);
            check_text_round_trip(instr, *encode(instr));
        }
}

TEST_CASE("flipping any one bit of a legal word gives a legal word or a refusal") {
    test::Random random(kSeed + 2);
    const unsigned count = rounds(60);
    unsigned legal = 0;
    for (const OpInfo& info : all_ops())
        for (unsigned i = 0; i < count; ++i) {
            const uint64_t word = *encode(test::random_instr(info.op, random));
            for (unsigned bit = 0; bit < 64; ++bit) {
                const uint64_t flipped = word ^ uint64_t { 1 } << bit;
                if (!check_word(flipped))
                    continue;
                ++legal;
                const Instr instr = *decode(flipped);
                if (i < 4 && !uses_second_zero(instr))
                    check_text_round_trip(instr, flipped);
            }
        }
    CHECK(legal > 0);
}

TEST_CASE("random words are refused or encode back") {
    test::Random random(kSeed + 3);
    const unsigned count = rounds(1000000);
    for (unsigned i = 0; i < count; ++i)
        check_word(random.next() & random.next());
}

TEST_CASE("the second zero decodes, prints as 0x0 and assembles to the first") {
    const uint64_t first = *assemble_line("MOV.i32 r1, 0x0");
    const uint64_t second = first + 21;
    const auto instr = decode(second);
    REQUIRE(instr.has_value());
    CHECK(disassemble(*instr) == "MOV.i32 r1, 0x0");
    CHECK(*encode(*instr) == second);
}
