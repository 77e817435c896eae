// Encoding cases: checks every line of the case files both ways.
// SPDX-License-Identifier: MIT
#include "tests/support/test_files.hpp"
#include "tests/valhall/isa/case_files.hpp"
#include "valhall/isa/decode.hpp"
#include "valhall/isa/encode.hpp"
#include "valhall/text/assemble.hpp"
#include "valhall/text/disassemble.hpp"
#include "valhall/text/hex_form.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::valhall;

namespace {

void check_both_ways(const test::Case& item) {
    INFO(item.where());
    const auto word = assemble_line(item.text);
    REQUIRE_MESSAGE(word.has_value(), (word.has_value() ? "" : word.error().text));
    CHECK(to_hex_form(*word) == to_hex_form(item.word));
    const auto text = disassemble(item.word);
    REQUIRE_MESSAGE(text.has_value(), (text.has_value() ? "" : text.error().text));
    CHECK(*text == item.text);
    const auto again = encode(*decode(item.word));
    REQUIRE(again.has_value());
    CHECK(*again == item.word);
}

}  // namespace

TEST_CASE("text assembles to the published bytes and the bytes print as that text") {
    for (const std::string& folder : test::valhall_case_folders())
        for (const char* file : {"/positive.txt", "/generated.txt"}) {
            const auto cases = test::read_word_cases(folder + file);
            CHECK_MESSAGE(cases.size() > 10, (folder + file));
            for (const test::Case& item : cases)
                check_both_ways(item);
        }
}

TEST_CASE("lines that break a rule are refused, with a column and a reason") {
    for (const std::string& folder : test::valhall_case_folders()) {
        const auto cases = test::read_text_cases(folder + "/negative.txt");
        CHECK_MESSAGE(cases.size() > 100, folder);
        for (const test::Case& item : cases) {
            INFO(item.where());
            const auto word = assemble_line(item.text);
            REQUIRE(!word.has_value());
            CHECK(word.error().pos.line == 1);
            CHECK(word.error().pos.column >= 1);
            CHECK(word.error().pos.column <= item.text.size() + 1);
            CHECK(!word.error().text.empty());
            CHECK(assemble(item.text).errors.size() == 1);
        }
    }
}

TEST_CASE("words that break a rule do not decode") {
    for (const std::string& folder : test::valhall_case_folders()) {
        const auto cases = test::read_word_cases(folder + "/negative-words.txt");
        CHECK_MESSAGE(cases.size() > 50, folder);
        for (const test::Case& item : cases) {
            INFO(item.where());
            const auto instr = decode(item.word);
            REQUIRE(!instr.has_value());
            CHECK(instr.error().code == Errc::BadEncoding);
        }
    }
}
