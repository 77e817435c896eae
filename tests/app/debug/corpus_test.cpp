// Shaders of real programs, where the corpus is at hand: each can be recorded, and recompiled code
// gives the same results.
// SPDX-License-Identifier: MIT
#include "tests/app/debug/support.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace valkyr;
using namespace valkyr::debug;
using namespace valkyr::test;

namespace {

const std::filesystem::path kCorpus = "../shared/corpus/tgsi";

std::vector<std::filesystem::path> fragment_shaders() {
    std::vector<std::filesystem::path> files;
    if (!std::filesystem::exists(kCorpus))
        return files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kCorpus))
        if (entry.path().filename().string().ends_with(".frag.tgsi"))
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

/// Shaders that do not end on inputs of 0.
bool runs_for_ever(const Error& error) {
    return error.text.find("more than") != std::string::npos;
}

void try_shader(const std::filesystem::path& path, size_t& endless) {
    CAPTURE(path.string());
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    ShaderRequest request;
    request.name = path.filename().string();
    request.text = text.str();
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
        CHECK(lines.error().code == Errc::Unsupported);  // it writes to buffers
    else
        for (const CheckLine& line : *lines)
            CHECK_MESSAGE(!line.difference.has_value(), check_text(line));
}

}  // namespace

TEST_CASE("fragment shaders of the corpus are recorded, and recompiled code agrees") {
    const std::vector<std::filesystem::path> files = fragment_shaders();
    size_t endless = 0;
    for (const std::filesystem::path& file : files)
        try_shader(file, endless);
    CHECK(endless <= 8);
}
