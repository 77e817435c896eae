// Fuzz target: sends bytes as TGSI text through parser, printer, verifier and interpreter.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "tests/fuzz/error_check.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/oracle/sampling/memory_texture.hpp"
#include "tgsi/interpreter/interpreter.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"
#include "tgsi/text/printer.hpp"

#include <algorithm>
#include <string_view>

namespace valkyr::fuzz {

using namespace tgsi;

namespace {

/// Runs a valid shader: it ends or reaches a limit, and never accesses memory outside of its
/// resources.
void execute(const Shader& shader) {
    InterpreterLimits limits;
    limits.steps = 2000;
    limits.register_bytes = 1U << 20;
    const auto interpreter = Interpreter::create(shader, limits);
    if (!interpreter)
        return;
    const auto texture = MemoryTexture::create("R8G8B8A8_UNORM", {.width = 2, .height = 2});
    VALKYR_CHECK(texture.has_value());
    MemoryTexture image = *texture;
    ReferenceSampler sampler;
    sampler.views = {&*texture};
    MemoryImages images;
    images.images = {&image};
    std::vector<uint8_t> buffer(64);
    std::vector<uint32_t> words(16, 0x3F800000);
    Group group;
    group.invocations.resize(5);
    for (Invocation& lane : group.invocations)
        lane.inputs = {{0x3F000000, 0x3F800000, 1, 2}, {3, 4, 5, 6}};
    group.vertex_inputs = {{{1, 2, 3, 4}}};
    group.constants = {words};
    group.counters = {words};
    group.buffers = {buffer};
    group.shared = buffer;
    group.textures = &sampler;
    group.images = &images;
    const auto result = interpreter->run(group);
    VALKYR_CHECK(result.has_value() || !result.error().text.empty());
}

}  // namespace

void tgsi_parser(std::span<const uint8_t> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const ParseResult parsed = parse(text);
    check_errors(parsed.errors, text, 0);
    for (const Error& error : parsed.errors)
        VALKYR_CHECK(format_error(error, text, "text").size() < 3000);
    // The text of a parsed shader must parse and print to that text again.
    const std::string once = print(parsed.shader);
    const ParseResult again = parse(once);
    VALKYR_CHECK(again.ok());
    VALKYR_CHECK(print(again.shader) == once);
    const auto complaints = verify(again.shader);
    check_errors(complaints, once, 0);
    if (complaints.empty())
        execute(again.shader);
}

}  // namespace valkyr::fuzz
