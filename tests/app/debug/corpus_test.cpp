// Corpus test: records every fragment shader and compares recompiled code with the recording.
// SPDX-License-Identifier: MIT
#include "tests/app/debug/support.hpp"
#include "tests/support/test_files.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <string_view>

using namespace valkyr;
using namespace valkyr::debug;
using namespace valkyr::test;

namespace {

constexpr std::string_view kFragment[] = {".frag.tgsi"};

/// Whether the error is the step limit: some shaders loop for ever on inputs of 0.
bool runs_for_ever(const Error& error) {
    return error.text.find("more than") != std::string::npos;
}

void try_shader(const std::string& path, size_t& endless) {
    CAPTURE(path);
    ShaderRequest request;
    request.name = std::filesystem::path(path).filename().string();
    request.text = read_file(path);
    request.shader = tgsi::parse(request.text).shader;
    request.group.invocations.resize(exec::kLanes);
    request.level = jit::HostLevel::None;
    const auto session = open_shader(std::move(request));
    REQUIRE_MESSAGE(session.has_value(), session.error().text);
    const auto debugger = Debugger::create(*session, {.sample = 0, .step_limit = 20000});
    if (!debugger.has_value() && runs_for_ever(debugger.error())) {
        ++endless;
        return;
    }
    REQUIRE_MESSAGE(debugger.has_value(), debugger.error().text);
    CHECK((*debugger)->recording().faults().empty());
    std::vector<HostEngine> engines = host_engines();
    engines.resize(std::min<size_t>(engines.size(), 1));
    const auto lines = check(*(*session)->warp, (*debugger)->recording(), engines);
    if (!lines.has_value())
        CHECK(lines.error().code == Errc::Unsupported);  // the program writes to buffers
    else
        for (const CheckLine& line : *lines)
            CHECK_MESSAGE(!line.difference.has_value(), check_text(line));
}

}  // namespace

TEST_CASE("fragment shaders of the repository are recorded, and recompiled code agrees") {
    const auto files = repository_shaders(kFragment);
    REQUIRE(files.size() >= 25);
    size_t endless = 0;
    for (const std::string& file : files)
        try_shader(file, endless);
    CHECK(endless == 1);  // Mandelbrot's set in doubles, whose operations are many words
}

TEST_CASE("fragment shaders of the corpus are recorded, and recompiled code agrees") {
    const auto files = corpus_shaders(kFragment);
    if (files.empty()) {
        MESSAGE("skipped: VALKYR_TGSI_CORPUS names no folder of shaders");
        return;
    }
    size_t endless = 0;
    for (const std::string& file : files)
        try_shader(file, endless);
    CHECK(endless <= 8);
}
