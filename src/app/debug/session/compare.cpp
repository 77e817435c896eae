// Comparing recompiled code with the interpreter: whole runs.
// SPDX-License-Identifier: MIT
#include "app/debug/session/compare.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace valkyr::debug {

namespace {

/// The aligned word that contains byte `at`, filled up with zeros at the end.
uint32_t word_around(const std::vector<uint8_t>& bytes, size_t at) {
    uint32_t word = 0;
    const size_t start = at & ~size_t{3};
    if (start < bytes.size())
        std::memcpy(&word, bytes.data() + start, std::min<size_t>(4, bytes.size() - start));
    return word;
}

std::optional<Difference> compare_part(const ResultPart& expected, const ResultPart& actual) {
    const auto [a, b] = std::ranges::mismatch(expected.bytes, actual.bytes);
    if (a == expected.bytes.end() && b == actual.bytes.end())
        return std::nullopt;
    const auto at = static_cast<size_t>(a - expected.bytes.begin());
    Difference difference{expected.name, std::nullopt, static_cast<uint32_t>(at),
                          word_around(expected.bytes, at), word_around(actual.bytes, at)};
    if (const uint32_t lane_bytes = expected.lane_bytes; lane_bytes != 0) {
        difference.lane = static_cast<unsigned>(at / lane_bytes % exec::kLanes);
        difference.byte %= lane_bytes;
    }
    return difference;
}

MakeKernel kernel_maker(jit::HostLevel level, bool inline_messages) {
    return [level, inline_messages](
               const valhall::Program& program,
               const WarpCase& warp) -> Result<std::shared_ptr<const jit::CompiledKernel>> {
        VALKYR_TRY(recompiler, jit::Recompiler::create(level));
        jit::RecompileOptions options;
        options.inline_messages = inline_messages && warp.inline_messages;
        VALKYR_TRY(kernel, recompiler->recompile(program, warp.key(), options));
        // The recompiler owns the kernel's memory and must outlive it.
        struct Both {
            std::unique_ptr<jit::Recompiler> recompiler;
            std::unique_ptr<jit::CompiledKernel> kernel;
        };
        auto both = std::make_shared<Both>();
        both->recompiler = std::move(recompiler);
        both->kernel = std::move(kernel);
        return std::shared_ptr<const jit::CompiledKernel>(both, both->kernel.get());
    };
}

CheckLine check_engine(const WarpCase& warp, const WarpResult& expected, const HostEngine& engine) {
    CheckLine line{engine.name, std::nullopt, std::nullopt};
    const auto kernel = engine.make(*warp.program, warp);
    if (!kernel) {
        line.refused = kernel.error();
        return line;
    }
    line.difference = find_difference(expected, run_warp(warp, kernel_engine((*kernel)->entry())));
    return line;
}

}  // namespace

std::vector<HostEngine> host_engines() {
    std::vector<HostEngine> engines;
    for (const jit::HostLevel level :
         {jit::HostLevel::Avx512, jit::HostLevel::Avx2, jit::HostLevel::Neon}) {
        if (!jit::host_supports(level))
            continue;
        const std::string name(jit::host_level_name(level));
        engines.push_back({name, kernel_maker(level, true)});
        engines.push_back({name + ", messages by routine", kernel_maker(level, false)});
    }
    return engines;
}

std::string describe(const Difference& difference) {
    char text[96];
    std::snprintf(text, sizeof text, ", byte %u: 0x%08x by the interpreter, 0x%08x",
                  difference.byte, difference.expected, difference.actual);
    const std::string lane =
        difference.lane ? ", lane " + std::to_string(*difference.lane) : std::string();
    return difference.what + lane + text;
}

std::optional<Difference> find_difference(const WarpResult& expected, const WarpResult& actual) {
    for (size_t i = 0; i < expected.parts.size() && i < actual.parts.size(); ++i)
        if (auto difference = compare_part(expected.parts[i], actual.parts[i]))
            return difference;
    return std::nullopt;
}

std::string check_text(const CheckLine& line) {
    if (line.refused)
        return line.engine + ": " + line.refused->text + "\n";
    if (line.difference)
        return line.engine + ": DIFFERENT: " + describe(*line.difference) + "\n";
    return line.engine + ": equal\n";
}

Result<void> can_run_again(const WarpCase& warp) {
    // Runs of a work-group have copies of its memory, but not of a draw's buffers.
    if (warp.program->info.has_side_effects && (!warp.work_group || warp.patches))
        return Error{Errc::Unsupported,
                     {},
                     "the program writes to buffers or images: a second run would begin with what "
                     "the first one wrote"};
    return {};
}

Result<std::vector<CheckLine>>
check(const WarpCase& warp, const Recording& recording, const std::vector<HostEngine>& engines) {
    VALKYR_TRY_VOID(can_run_again(warp));
    std::vector<CheckLine> lines;
    for (const HostEngine& engine : engines)
        lines.push_back(check_engine(warp, recording.result(), engine));
    return lines;
}

}  // namespace valkyr::debug
