// Filetest test: runs tests/filetests, which state expected listings, IR and results.
// SPDX-License-Identifier: MIT
//
// Directives are lines that begin with a semicolon:
//
//     ; TEST lower                         lower/: checks the listing of the compiled program
//     ; CHECK: text                        in it, behind the text of the CHECK before it
//     ; CHECK-COUNT n: text                exactly n times
//     ; CHECK-NOT: text                    nowhere
//     ; TEST pass NAME                     pass/: BEFORE, BEFORE-COUNT, ... check the text of the
//                                          IR in front of the pass, AFTER, ... that behind it
//     ; EVAL IN[0]=(1,2,3,4) CONST[0]=(..) -> OUT[0]=(..)
//     ; SHARED n                           COMP: bytes of shared memory (otherwise 0)
//     ; ERROR: text                        lower/: the whole error, place included
#include "tests/support/test_files.hpp"
#include "tests/valhall/compiler/filetest.hpp"
#include "tests/valhall/compiler/harness.hpp"
#include "tgsi/text/parser.hpp"
#include "valhall/text/disassemble.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

using namespace valkyr;
using namespace valkyr::test;

namespace {

std::string listing(const valhall::Program& program) {
    std::string text;
    for (const uint64_t word : program.words) {
        const auto line = valhall::disassemble(word);
        REQUIRE(line.has_value());
        text += *line + "\n";
    }
    if (program.prologue)
        text += "prologue\n" + listing(*program.prologue);
    return text;
}

/// The IR before and after a pass; empty if the pass did not run.
struct PassTexts {
    std::string before;
    std::string after;
};

PassTexts
texts_of_pass(const tgsi::Shader& shader, std::string_view name, valhall::CompileOptions options) {
    PassTexts texts;
    std::string last;
    options.dump = [&](std::string_view pass, const std::string& ir) {
        if (pass == name && texts.after.empty())
            texts = {last, ir};
        last = ir;
    };
    REQUIRE(valhall::compile(shader, options).has_value());
    return texts;
}

void check_lowering(const FileTest& test) {
    const tgsi::Shader shader = parse_shader(test.shader);
    const auto program = valhall::compile(shader, test.options());
    if (const std::string* error = test.find("ERROR: ")) {
        REQUIRE_FALSE(program.has_value());
        CHECK(program.error().format(test.name) == error->substr(7));
        return;
    }
    REQUIRE(program.has_value());
    const std::string text = listing(*program);
    size_t at = 0;
    for (const std::string& directive : test.directives) {
        check_text(directive, "CHECK", text, at);
        check_values(shader, directive);
    }
}

/// A loop with a branch, a texture and uniform work: every pass has something to do.
const char* const kBusyShader =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0]\n"
    "DCL TEMP[0..1]\nIMM[0] UINT32 {0, 1, 4, 0}\nRSQ TEMP[1].y, CONST[0].xxxx\n"
    "MUL TEMP[1].y, TEMP[1].yyyy, IN[0].xxxx\nMOV TEMP[0].x, IMM[0].xxxx\nBGNLOOP\n"
    "USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\nUIF TEMP[0].yyyy\nBRK\nENDIF\n"
    "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\nMOV OUT[0], TEMP[1].yyyy\nEND\n";

}  // namespace

TEST_CASE("filetests: listings and values are those that the files name") {
    const auto files = read_filetests("tests/filetests/lower", "TEST lower");
    for (const FileTest& test : files) {
        CAPTURE(test.name);
        check_lowering(test);
    }
    CHECK(files.size() > 10);
}

TEST_CASE("filetests: passes change the representation as the files say") {
    for (const FileTest& test : read_filetests("tests/filetests/pass", "TEST pass ")) {
        CAPTURE(test.name);
        const tgsi::Shader shader = parse_shader(test.shader);
        const std::string name = test.find("TEST pass ")->substr(10);
        const PassTexts texts = texts_of_pass(shader, name, test.options());
        REQUIRE_FALSE(texts.after.empty());
        size_t before = 0;
        size_t after = 0;
        for (const std::string& directive : test.directives) {
            check_text(directive, "BEFORE", texts.before, before);
            check_text(directive, "AFTER", texts.after, after);
            check_values(shader, directive);
        }
    }
}

TEST_CASE("filetests: every pass has a file with its name") {
    std::set<std::string> passes;
    valhall::CompileOptions options;
    options.dump = [&](std::string_view pass, const std::string&) {
        if (!pass.starts_with("prologue.") && pass != "lower")
            passes.emplace(pass);
    };
    REQUIRE(valhall::compile(parse_shader(kBusyShader), options).has_value());
    CHECK(passes.size() >= 12);
    std::set<std::string> tested;
    for (const FileTest& test : read_filetests("tests/filetests/pass", "TEST pass "))
        tested.insert(test.find("TEST pass ")->substr(10));
    CHECK(passes == tested);
}

TEST_CASE("the representation behind the last pass has one instruction a word, or a double") {
    size_t programs = 0;
    for (const std::string& file : repository_shaders()) {
        const tgsi::ParseResult parsed = tgsi::parse(read_file(file));
        std::string text;
        valhall::CompileOptions options;
        options.dump = [&](std::string_view pass, const std::string& ir) {
            if (pass == "insert_flow")
                text = ir;
        };
        if (!parsed.ok())
            continue;
        const auto program = valhall::compile(parsed.shader, options);
        if (!program)
            continue;
        ++programs;
        size_t instructions = 0;
        for (size_t at = text.find("\n    "); at != std::string::npos;
             at = text.find("\n    ", at + 1))
            ++instructions;
        size_t expected = program->words.size();
        for (const valhall::DoubleRange& range : program->double_ranges)
            expected -= range.count - 1;
        CHECK_MESSAGE(instructions == expected, file);
    }
    CHECK(programs > 50);
}
