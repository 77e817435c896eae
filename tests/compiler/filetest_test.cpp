// tests/filetests/lower/*.tgsi: shaders with what their listing must and must not contain, and what
// both engines must compute.
// SPDX-License-Identifier: MIT
//
// Directives are lines that begin with a semicolon:
//
//     ; TEST lower                         the file belongs to this runner
//     ; CHECK: text                        in the listing, behind the text of the CHECK before it
//     ; CHECK-COUNT n: text                exactly n times in the listing
//     ; CHECK-NOT: text                    nowhere
//     ; EVAL IN[0]=(1,2,3,4) CONST[0]=(..) -> OUT[0]=(..)
//
// Numbers: C floats (also 0x1p-3, inf, nan), or words with the suffix u.
#include "base/bits.hpp"
#include "compiler/harness.hpp"
#include "valhall/isa/disassemble.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace valkyr;
using namespace valkyr::test;

namespace {

struct FileTest {
    std::string shader;  ///< directives blanked: line numbers stay
    std::vector<std::string> directives;
};

FileTest read_file(const std::filesystem::path& path) {
    FileTest test;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(';')) {
            test.directives.push_back(line.substr(std::min<size_t>(2, line.size())));
            line.clear();
        }
        // The text must begin with the processor.
        if (!test.shader.empty() || !line.empty())
            test.shader += line + "\n";
    }
    return test;
}

uint32_t parse_word(const std::string& text) {
    if (text.ends_with('u'))
        return static_cast<uint32_t>(std::strtoul(text.c_str(), nullptr, 0));
    return as_bits(std::strtof(text.c_str(), nullptr));
}

/// "IN[0]=(1,2,3,4)" -> file, index, words.
struct Assignment {
    std::string file;
    size_t index = 0;
    Word4 words{};
};

Assignment parse_assignment(const std::string& text) {
    Assignment result;
    const size_t open = text.find('[');
    const size_t paren = text.find("=(");
    REQUIRE_MESSAGE((open != std::string::npos && paren != std::string::npos), text);
    result.file = text.substr(0, open);
    result.index = std::strtoul(text.c_str() + open + 1, nullptr, 10);
    std::stringstream numbers(text.substr(paren + 2));
    for (uint32_t& word : result.words) {
        std::string number;
        std::getline(numbers, number, ',');
        word = parse_word(number.substr(0, number.find(')')));
    }
    return result;
}

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

size_t count_of(const std::string& text, const std::string& part) {
    size_t n = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++n;
    return n;
}

void evaluate(const tgsi::Shader& shader, const std::string& directive) {
    ShaderInputs in;
    in.constants.resize(1);
    std::vector<Assignment> expected;
    std::stringstream parts(directive);
    bool results = false;
    for (std::string part; parts >> part;) {
        if (part == "->") {
            results = true;
            continue;
        }
        const Assignment value = parse_assignment(part);
        if (results) {
            expected.push_back(value);
        } else if (value.file == "IN") {
            in.inputs.resize(std::max(in.inputs.size(), value.index + 1));
            in.inputs[value.index].fill(value.words);
        } else {
            REQUIRE(value.file == "CONST");
            in.constants[0].resize(std::max(in.constants[0].size(), value.index * 4 + 4));
            std::ranges::copy(value.words, in.constants[0].begin() + 4 * value.index);
        }
    }
    const ShaderOutputs engines[] = {run_tgsi(shader, in), run_valhall(shader, in)};
    for (const ShaderOutputs& out : engines) {
        REQUIRE_MESSAGE(out.failure.empty(), out.failure);
        for (const Assignment& value : expected) {
            for (unsigned c = 0; c < 4; ++c)
                CHECK_MESSAGE(same_word(out.outputs[value.index][5][c], value.words[c]), directive,
                              " component ", c, ": ", as_float(out.outputs[value.index][5][c]));
        }
    }
}

void check_directives(const FileTest& test) {
    const tgsi::Shader shader = parse_shader(test.shader);
    const auto program = valhall::compile(shader);
    REQUIRE(program.has_value());
    const std::string text = listing(*program);
    size_t at = 0;
    for (const std::string& directive : test.directives) {
        const size_t colon = directive.find(": ");
        const std::string argument = colon == std::string::npos ? "" : directive.substr(colon + 2);
        if (directive.starts_with("CHECK-COUNT ")) {
            CHECK_MESSAGE(count_of(text, argument) ==
                              std::strtoul(directive.c_str() + 12, nullptr, 10),
                          directive, "\n", text);
        } else if (directive.starts_with("CHECK-NOT: ")) {
            CHECK_MESSAGE(count_of(text, argument) == 0, directive, "\n", text);
        } else if (directive.starts_with("CHECK: ")) {
            const size_t found = text.find(argument, at);
            CHECK_MESSAGE(found != std::string::npos, directive, "\n", text);
            at = found == std::string::npos ? at : found + argument.size();
        } else if (directive.starts_with("EVAL ")) {
            evaluate(shader, directive.substr(5));
        }
    }
}

}  // namespace

TEST_CASE("filetests: listings and values are those that the files name") {
    size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator("tests/filetests/lower")) {
        const FileTest test = read_file(entry.path());
        if (std::ranges::find(test.directives, "TEST lower") == test.directives.end())
            continue;
        CAPTURE(entry.path().string());
        check_directives(test);
        ++files;
    }
    CHECK(files > 10);
}
