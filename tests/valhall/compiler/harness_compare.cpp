// Harness compare: compares the outputs of both engines.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/valhall/compiler/harness.hpp"

#include <cmath>
#include <cstdio>

namespace valkyr::test {

bool same_word(uint32_t a, uint32_t b, const Tolerance& tolerance) {
    if (a == b)
        return true;
    const float x = as_float(a);
    const float y = as_float(b);
    if (std::isnan(x) || std::isnan(y))
        return std::isnan(x) && std::isnan(y);
    if (tolerance.absolute != 0 && std::fabs(x - y) <= tolerance.absolute)
        return true;
    // Order the floats like integers, so that neighbours differ by one.
    const auto ordered = [](uint32_t word) {
        return (word >> 31) != 0 ? -static_cast<int64_t>(word & 0x7FFFFFFF)
                                 : static_cast<int64_t>(word);
    };
    return tolerance.ulp != 0 && std::abs(ordered(a) - ordered(b)) <= int64_t{tolerance.ulp};
}

namespace {

std::string compare_words(const char* name,
                          const std::vector<std::vector<uint32_t>>& expected,
                          const std::vector<std::vector<uint32_t>>& actual) {
    for (size_t b = 0; b < expected.size(); ++b)
        for (size_t i = 0; i < expected[b].size(); ++i)
            if (expected[b][i] != actual[b][i]) {
                char text[120];
                std::snprintf(text, sizeof text, "%s[%zu] word %zu: %08x expected, %08x compiled\n",
                              name, b, i, expected[b][i], actual[b][i]);
                return text;
            }
    return {};
}

std::string compare_memory(const Memory& expected, const Memory& actual) {
    std::string text = compare_words("BUFFER", expected.buffers, actual.buffers);
    if (text.empty())
        text = compare_words("HWATOMIC", expected.counters, actual.counters);
    return text.empty() ? "images differ\n" : text;
}

}  // namespace

std::string compare_outputs(const ShaderOutputs& expected,
                            const ShaderOutputs& actual,
                            const std::vector<uint8_t>& masks,
                            const Tolerance& tolerance) {
    if (!expected.failure.empty())
        return "TGSI interpreter: " + expected.failure;
    if (!actual.failure.empty())
        return "compiled: " + actual.failure;
    char text[160];
    if (expected.killed != actual.killed) {
        std::snprintf(text, sizeof text, "killed lanes: %04x expected, %04x compiled\n",
                      expected.killed, actual.killed);
        return text;
    }
    if (expected.shared != actual.shared)
        return "shared memory differs\n";
    if (!(expected.memory == actual.memory))
        return compare_memory(expected.memory, actual.memory);
    for (size_t i = 0; i < expected.outputs.size(); ++i) {
        const uint8_t mask = i < masks.size() ? masks[i] : 0xF;
        for (unsigned l = 0; l < kLanes; ++l) {
            for (unsigned c = 0; c < 4; ++c) {
                const uint32_t a = expected.outputs[i][l][c];
                const uint32_t b = actual.outputs[i][l][c];
                const bool drawn = (expected.covered & ~expected.killed) >> l & 1;
                if (!drawn || (mask >> c & 1) == 0 || same_word(a, b, tolerance))
                    continue;
                std::snprintf(text, sizeof text,
                              "OUT[%zu].%c lane %u: %08x (%g) expected, %08x (%g) compiled\n", i,
                              "xyzw"[c], l, a, static_cast<double>(as_float(a)), b,
                              static_cast<double>(as_float(b)));
                return text;
            }
        }
    }
    return {};
}

/// Depth, stencil and point size outputs have one component.
std::vector<uint8_t> output_masks(const tgsi::Shader& shader) {
    std::vector<uint8_t> masks(valhall::register_count(shader, tgsi::File::Output), 0xF);
    valhall::for_each_register(shader, tgsi::File::Output,
                               [&](const auto& declaration, uint32_t i, uint32_t) {
                                   const bool fragment = shader.stage == tgsi::Stage::Fragment;
                                   if (fragment && declaration.semantic == tgsi::Semantic::Position)
                                       masks[i] = 4;
                                   else if (declaration.semantic == tgsi::Semantic::Stencil)
                                       masks[i] = 2;
                                   else if (declaration.semantic == tgsi::Semantic::PSize)
                                       masks[i] = 1;
                                   else if (declaration.semantic == tgsi::Semantic::SampleMask ||
                                            declaration.semantic == tgsi::Semantic::EdgeFlag)
                                       masks[i] = 0;
                               });
    return masks;
}

std::string differ(std::string_view text,
                   const ShaderInputs& inputs,
                   const Tolerance& tolerance,
                   const valhall::CompileOptions& options) {
    const tgsi::Shader shader = parse_shader(text);
    return compare_outputs(run_tgsi(shader, inputs), run_valhall(shader, inputs, options),
                           output_masks(shader), tolerance);
}

const std::vector<uint32_t>& interesting_words() {
    static const std::vector<uint32_t> words{
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x3F800000,
        0xBF800000, 0x3F000000, 0xBF000000, 0x40000000, 0x3FFFFFFF, 0x3F800001, 0x3F7FFFFF,
        0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFFFFFFF, 0x4B000000,
        0x4B7FFFFF, 0x4EFFFFFF, 0x4F000000, 0x4F800000, 0xCF000000, 0x40490FDB, 0x3DCCCCCD,
        0x00000002, 0x0000001F, 0x00000020, 0x7FFFFFFF, 0x80000002, 0x12345678, 0xC2C80000,
        0x42C80000, 0x41200000, 0xC1200000, 0x3EAAAAAB, 0x461C4000,
    };
    return words;
}

}  // namespace valkyr::test
