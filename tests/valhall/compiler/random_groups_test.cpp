// Random groups test: random compute shaders with barriers agree with the TGSI interpreter.
// SPDX-License-Identifier: MIT
#include "tests/support/random.hpp"
#include "tests/support/random_groups.hpp"
#include "tests/valhall/compiler/harness.hpp"
#include "tgsi/rules/verifier.hpp"

#include <cstdlib>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;

namespace {

ShaderInputs inputs_of(const RandomGroups& groups) {
    ShaderInputs in;
    in.groups = {groups.block, groups.grid, groups.shared_bytes};
    for (const uint32_t words : RandomGroups::kBufferWords)
        in.memory.buffers.emplace_back(words);
    return in;
}

unsigned number_of(const char* variable) {
    const char* text = std::getenv(variable);
    return text != nullptr ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 1;
}

}  // namespace

TEST_CASE("random groups with barriers agree") {
    const unsigned first = number_of("VALKYR_RANDOM_SEED");
    for (unsigned seed = first; seed < first + 200 * number_of("VALKYR_RANDOM_ROUNDS"); ++seed) {
        Random random(seed);
        const RandomGroups groups = random_groups([&](uint32_t n) { return random.below(n); });
        const ShaderInputs in = inputs_of(groups);
        const std::string& text = groups.text;
        const tgsi::Shader shader = parse_shader(text);
        REQUIRE_MESSAGE(tgsi::verify(shader).empty(), text);
        const ShaderOutputs out = run_valhall(shader, in);
        const std::string difference = compare_outputs(run_tgsi(shader, in), out);
        REQUIRE_MESSAGE(difference.empty(), "seed ", seed, "\n", text, difference);
        REQUIRE_MESSAGE(out.refusal.empty(), "seed ", seed, "\n", text, out.refusal);
    }
}
