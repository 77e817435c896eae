// State fuzz test: random legal and illegal calls do not crash, and engines agree on every byte.
// SPDX-License-Identifier: MIT
//
// A Player makes the random calls of a seed on any Device and logs their results. The interpreter
// on one thread and recompiled code on two must give equal logs; so must draw() and redraw(), which
// is told the changed state groups. VALKYR_FUZZ_SEEDS sets how many seeds run (default 24),
// VALKYR_FUZZ_FIRST the first one, and VALKYR_FUZZ_EACH compares after each call instead of at the
// end.
#include "gpu/create_device.hpp"
#include "tests/raster/record/state_fuzz_player.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>

namespace valkyr::raster::test {
namespace {

uint32_t number_from(const char* variable, uint32_t otherwise) {
    const char* text = std::getenv(variable);
    return text != nullptr ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10)) : otherwise;
}

std::unique_ptr<Device> engine(Engine kind, unsigned threads) {
    DeviceOptions options;
    options.engine = kind;
    options.threads = threads;
    options.filter_copies = threads > 1 ? FilterCopies::Always : FilterCopies::Never;
    return must(gpu::create_device(options));
}

}  // namespace

TEST_CASE("random calls, legal and not, do the same on every engine and never crash") {
    constexpr int kSteps = 40;
    const uint32_t first = number_from("VALKYR_FUZZ_FIRST", 1);
    const bool each = std::getenv("VALKYR_FUZZ_EACH") != nullptr;
    const uint32_t seeds = number_from("VALKYR_FUZZ_SEEDS", 24);
    const auto interpreter = engine(Engine::Valhall, 1);
    const auto recompiler = engine(Engine::Jit, 2);
    for (uint32_t seed = first; seed < first + seeds; ++seed) {
        CAPTURE(seed);
        Player slow(*interpreter, seed);
        Player fast(*recompiler, seed);
        for (int i = 0; i < kSteps && slow.log == fast.log; ++i) {
            slow.step();
            fast.step();
            if (each) {
                slow.finish();
                fast.finish();
            }
        }
        slow.finish();
        fast.finish();
        const auto differs =
            std::mismatch(slow.log.begin(), slow.log.end(), fast.log.begin(), fast.log.end());
        CHECK_MESSAGE(slow.log == fast.log, "first difference at entry "
                                                << differs.first - slow.log.begin() << " of "
                                                << slow.log.size());
    }
}

TEST_CASE("random changes from draw to draw do the same whether the device is told of them") {
    constexpr int kSteps = 120;
    const uint32_t first = number_from("VALKYR_FUZZ_FIRST", 1);
    const uint32_t seeds = number_from("VALKYR_FUZZ_SEEDS", 24);
    const auto anew = engine(Engine::Jit, 1);
    const auto told = engine(Engine::Jit, 1);
    for (uint32_t seed = first; seed < first + seeds; ++seed) {
        CAPTURE(seed);
        Player slow(*anew, seed, Partly::Draw);
        Player fast(*told, seed, Partly::Redraw);
        for (int i = 0; i < kSteps; ++i) {
            slow.step();
            fast.step();
        }
        slow.finish();
        fast.finish();
        CHECK(slow.log == fast.log);
    }
}

}  // namespace valkyr::raster::test
