// Shaders of real programs, where the corpus is at hand: they compile, or say what is missing, and
// the validator accepts every program.
// SPDX-License-Identifier: MIT
#include "tgsi/parser.hpp"
#include "tgsi/verifier.hpp"
#include "valhall/compiler/compiler.hpp"
#include "valhall/isa/validate.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace valkyr;

namespace {

const std::filesystem::path kCorpus = "../shared/corpus/tgsi";

/// Of 1,598 vertex and fragment shaders; only ever raised.
constexpr size_t kCompiled = 1598;

std::vector<std::filesystem::path> corpus_files() {
    std::vector<std::filesystem::path> files;
    if (!std::filesystem::exists(kCorpus))
        return files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kCorpus)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".vert.tgsi") || name.ends_with(".frag.tgsi"))
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace

TEST_CASE("shaders of real programs compile to valid programs, or name what is unsupported") {
    const auto files = corpus_files();
    if (files.empty()) {
        MESSAGE("no corpus beside the source tree");
        return;
    }
    size_t compiled = 0;
    std::map<std::string, size_t> missing;
    for (const auto& file : files) {
        std::ifstream in(file);
        std::stringstream text;
        text << in.rdbuf();
        tgsi::ParseResult parsed = tgsi::parse(text.str());
        REQUIRE_MESSAGE(parsed.ok(), file.string());
        const auto program = valhall::compile(parsed.shader);
        if (!program) {
            CHECK_MESSAGE(program.error().code == Errc::Unsupported,
                          program.error().format(file.string()));
            CHECK_MESSAGE(program.error().pos.line != 0, program.error().format(file.string()));
            ++missing[program.error().text];
            continue;
        }
        ++compiled;
        CHECK(program->source_lines.size() == program->words.size());
        for (const auto& diagnostic : valhall::validate(*program, 3))
            FAIL_CHECK(file.string(), ": ", valhall::format_diagnostic(diagnostic, *program));
    }
    for (const auto& [what, count] : missing)
        MESSAGE(count, " times: ", what);
    CHECK(compiled >= kCompiled);
}
