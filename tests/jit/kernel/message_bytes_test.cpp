// Message bytes test: programs with messages are recompiled to the same bytes every time.
// SPDX-License-Identifier: MIT
#include "tests/jit/harness.hpp"

#include <cstring>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;
using exec::Stage;

namespace {

/// Leaves `value` in the stack that the next call uses.
[[gnu::noinline]] void dirty_stack(uint8_t value) {
    volatile uint8_t bytes[128 << 10];
    for (volatile uint8_t& byte : bytes)
        byte = value;
}

std::string code_of(jit::Recompiler& recompiler, Stage stage, const std::string& text) {
    exec::VertexKey vertex{};
    exec::FragmentKey fragment{};
    jit::KernelKey key;
    if (stage == Stage::Vertex)
        key.vertex = &vertex;
    else
        key.fragment = &fragment;
    valhall::Program program;
    program.words = words_of(text + "NOP.end");
    program.info.stage = stage;
    jit::RecompileOptions options;
    options.inline_messages = false;
    const auto kernel = recompiler.recompile(program, key, options);
    REQUIRE_MESSAGE(kernel.has_value(), kernel.error().text);
    const auto* const code = reinterpret_cast<const char*>((*kernel)->entry().entry);
    return {code, (*kernel)->code_bytes()};
}

void check_code(Stage stage, const std::string& text) {
    for (const auto& recompiler : recompilers()) {
        dirty_stack(0x11);
        const std::string first = code_of(*recompiler, stage, text);
        dirty_stack(0xEE);
        const bool equal = code_of(*recompiler, stage, text) == first;
        CHECK_MESSAGE(equal, text);
    }
}

}  // namespace

TEST_CASE("unused bytes of messages are the same every time") {
    for (const char* message :
         {"LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.clobber.wait0 @r0:r1:r2:r3, r61, index:0x0\n",
          "LD_TEX_IMM.slot0.v4.auto @r8:r9:r10:r11, r0, r1, index:0x0, table:0x5\n",
          "LD_TILE.slot0.v4.f32.wait0 @r4:r5:r6:r7, r8, r60, 0x0\n",
          "BLEND.slot0.v4.f32 @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n"})
        check_code(Stage::Fragment, message);
    check_code(Stage::Vertex,
               "LD_ATTR_IMM.slot0.v4.f32 @r0:r1:r2:r3, r60, r61, index:0x0, table:0x1\n");
}
