// Random test: compiled random shaders give the bits of the TGSI interpreter.
// SPDX-License-Identifier: MIT
//
// VALKYR_RANDOM_ROUNDS multiplies the number of shaders, VALKYR_RANDOM_SEED sets the first seed.
#include "tests/valhall/compiler/harness.hpp"
#include "tests/valhall/compiler/random_shader.hpp"
#include "tgsi/rules/verifier.hpp"

#include <cstdlib>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;

namespace {

unsigned environment_number(const char* name, unsigned fallback) {
    const char* text = std::getenv(name);
    return text != nullptr ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : fallback;
}

ShaderInputs random_inputs(std::mt19937& random) {
    const std::vector<uint32_t>& words = interesting_words();
    const auto word = [&] {
        return random() % 2 == 0 ? words[random() % words.size()] : static_cast<uint32_t>(random());
    };
    ShaderInputs in;
    in.inputs.resize(4);
    for (auto& by_lane : in.inputs)
        for (Word4& value : by_lane)
            for (uint32_t& component : value)
                component = word();
    in.constants.resize(1);
    for (unsigned i = 0; i < 32; ++i)
        in.constants[0].push_back(word());
    in.memory.buffers = {std::vector<uint32_t>(6, 5), std::vector<uint32_t>(9, 0)};
    return in;
}

void try_shaders(unsigned count, const RandomShaderOptions& options) {
    const unsigned first = environment_number("VALKYR_RANDOM_SEED", 1);
    const unsigned rounds = environment_number("VALKYR_RANDOM_ROUNDS", 1);
    for (unsigned seed = first; seed < first + count * rounds; ++seed) {
        std::mt19937 random(seed);
        const std::string text = random_shader(random, options);
        REQUIRE_MESSAGE(tgsi::verify(parse_shader(text)).empty(), text);
        const std::string difference = differ(text, random_inputs(random));
        REQUIRE_MESSAGE(difference.empty(), "seed ", seed, "\n", text, difference);
    }
}

}  // namespace

// These tests run 2,000 shaders in all.

TEST_CASE("random straight-line shaders agree") {
    try_shaders(500, {.instructions = 30});
}

TEST_CASE("random shaders with control flow agree") {
    try_shaders(500, {.instructions = 12, .control_flow = true});
}

TEST_CASE("random shaders with indirect temporaries agree") {
    try_shaders(100, {.instructions = 20, .indirect = true});
    try_shaders(100, {.instructions = 10, .control_flow = true, .indirect = true});
}

TEST_CASE("random shaders with discards agree on what is killed and drawn") {
    try_shaders(150, {.instructions = 10, .control_flow = true, .discard = true});
}

TEST_CASE("random shaders with doubles and 64-bit integers agree") {
    try_shaders(100, {.instructions = 15, .wide = true});
    try_shaders(50, {.instructions = 6, .control_flow = true, .wide = true});
}

TEST_CASE("random shaders that look at other lanes agree") {
    try_shaders(100, {.instructions = 20, .lanes = true});
    try_shaders(100, {.instructions = 10, .control_flow = true, .lanes = true});
}

TEST_CASE("random shaders with loads, stores and atomics leave the same memory") {
    try_shaders(100, {.instructions = 10, .control_flow = true, .memory = true});
}

TEST_CASE("random shaders with textures agree") {
    try_shaders(80, {.instructions = 10, .control_flow = true, .textures = true});
}

TEST_CASE("random shaders with subroutines agree") {
    try_shaders(80, {.instructions = 10, .control_flow = true, .subroutines = true});
}

TEST_CASE("random shaders with more values than registers spill and agree") {
    try_shaders(25, {.instructions = 120, .temporaries = 40});
    try_shaders(15, {.instructions = 30, .control_flow = true, .temporaries = 32});
}
