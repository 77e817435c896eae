// Filetest: reads test files and checks their directives.
// SPDX-License-Identifier: MIT
#include "tests/valhall/compiler/filetest.hpp"

#include "base/bits.hpp"
#include "tests/valhall/compiler/harness.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <sstream>

namespace valkyr::test {
namespace {

FileTest read_file(const std::filesystem::path& path) {
    FileTest test;
    test.name = path.filename().string();
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

size_t count_of(const std::string& text, const std::string& part) {
    size_t n = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++n;
    return n;
}

}  // namespace

const std::string* FileTest::find(std::string_view directive) const {
    for (const std::string& line : directives)
        if (line.starts_with(directive))
            return &line;
    return nullptr;
}

valhall::CompileOptions FileTest::options() const {
    constexpr std::string_view kShared = "SHARED ";
    valhall::CompileOptions options;
    if (const std::string* line = find(kShared))
        options.shared_bytes =
            static_cast<uint32_t>(std::strtoul(line->c_str() + kShared.size(), nullptr, 10));
    return options;
}

std::vector<FileTest> read_filetests(const std::filesystem::path& directory,
                                     std::string_view test) {
    std::vector<FileTest> files;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        FileTest file = read_file(entry.path());
        if (file.find(test) != nullptr)
            files.push_back(std::move(file));
    }
    std::ranges::sort(files, {}, &FileTest::name);
    return files;
}

void check_text(const std::string& directive,
                std::string_view prefix,
                const std::string& text,
                size_t& at) {
    if (!directive.starts_with(prefix))
        return;
    const std::string kind = directive.substr(prefix.size(), directive.find(": ") - prefix.size());
    const std::string part = directive.substr(directive.find(": ") + 2);
    if (kind.starts_with("-COUNT ")) {
        CHECK_MESSAGE(count_of(text, part) == std::strtoul(kind.c_str() + 7, nullptr, 10),
                      directive, "\n", text);
    } else if (kind == "-NOT") {
        CHECK_MESSAGE(count_of(text, part) == 0, directive, "\n", text);
    } else if (kind.empty()) {
        const size_t found = text.find(part, at);
        CHECK_MESSAGE(found != std::string::npos, directive, "\n", text);
        at = found == std::string::npos ? at : found + part.size();
    }
}

void check_values(const tgsi::Shader& shader, const std::string& directive) {
    if (!directive.starts_with("EVAL "))
        return;
    ShaderInputs in;
    in.constants.resize(1);
    std::vector<Assignment> expected;
    std::stringstream parts(directive.substr(5));
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

}  // namespace valkyr::test
