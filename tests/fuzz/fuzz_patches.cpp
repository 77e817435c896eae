// Fuzz target: makes tessellation shaders of bytes, and draws with them on devices that must agree.
// SPDX-License-Identifier: MIT
#include "tests/fuzz/engines.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_patches.hpp"

#include <vector>

namespace valkyr::fuzz {

namespace {

using Words = std::vector<uint32_t>;

constexpr uint32_t kSize = 64;  ///< of the window
constexpr const char* kVertex = R"(VERT
DCL IN[0]
DCL IN[1]
DCL IN[2]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], GENERIC[1]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: MOV OUT[2], IN[2]
  3: END
)";
constexpr const char* kFragment = R"(FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL IN[1], GENERIC[1], CONSTANT
DCL OUT[0], COLOR
DCL OUT[1], COLOR[1]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: END
)";

raster::BufferRef buffer_of(raster::Device& device, const Words& words) {
    return must(
        device.create_buffer(words.size() * sizeof(uint32_t), std::as_bytes(std::span(words))));
}

/// Three attributes of four words a vertex: floats, small numbers, and any bits.
Words vertex_words(uint32_t count) {
    test::Random random(1);
    Words words;
    for (uint32_t i = 0; i < 3 * 4 * count; ++i) {
        const uint32_t kind = random.below(3);
        const uint32_t any = random.next32();
        words.push_back(kind == 0 ? any : kind == 1 ? any & 15 : 0x3F000000 | (any & 0xFFFFFF));
    }
    return words;
}

raster::PipelineRef pipeline_of(raster::Device& device, const test::RandomPatches& patches) {
    raster::PipelineDesc desc;
    desc.vertex = must(device.create_shader(kVertex));
    if (!patches.control.empty())
        desc.tess_control = must(device.create_shader(patches.control));
    desc.tess_evaluation = must(device.create_shader(patches.evaluation));
    desc.fragment = must(device.create_shader(kFragment));
    for (uint32_t i = 0; i < 3; ++i)
        desc.elements.push_back({0, 16 * i, 0, exec::Format::R32G32B32A32_UINT});
    desc.strides = {48};
    desc.primitive = raster::Primitive::Patches;
    desc.rasterizer.flat_shade_first = patches.provoking_first;
    return must(device.create_pipeline(desc));
}

/// Draws the patches; returns the texels of both targets, and the words of the buffer.
Words draw(raster::Device& device, const test::RandomPatches& patches) {
    raster::DrawState state;
    state.pipeline = pipeline_of(device, patches);
    for (unsigned target = 0; target < 2; ++target) {
        raster::TextureDesc desc;
        desc.format = exec::Format::R32G32B32A32_UINT;
        desc.width = desc.height = kSize;
        desc.render_target = true;
        state.framebuffer.color.push_back({must(device.create_texture(desc))});
    }
    state.viewport = raster::Viewport::over(0, 0, kSize, kSize, 0, 1);
    state.vertex_buffers = {{buffer_of(device, vertex_words(patches.count))}};
    state.outer_levels = patches.outer;
    state.inner_levels = patches.inner;
    const raster::BufferRef counted = buffer_of(device, Words(4));
    state.stage(raster::DrawStage::TessEvaluation).storage = {{counted}};
    raster::ClearInfo clear;
    clear.color_targets = 3;
    VALKYR_CHECK(device.clear(state.framebuffer, clear).has_value());
    raster::DrawInfo info;
    info.count = patches.count;
    info.patch_vertices = patches.vertices;
    VALKYR_CHECK(device.draw(state, info).has_value());
    constexpr size_t kWords = size_t{4} * kSize * kSize;
    Words left(2 * kWords + 4);
    for (size_t target = 0; target < 2; ++target)
        VALKYR_CHECK(
            device
                .read_texture(
                    state.framebuffer.color[target].texture, 0, {0, 0, 0, kSize, kSize, 1},
                    std::as_writable_bytes(std::span(left).subspan(target * kWords, kWords)),
                    kSize * 4 * sizeof(uint32_t))
                .has_value());
    VALKYR_CHECK(
        device.read_buffer(counted, 0, std::as_writable_bytes(std::span(left).subspan(2 * kWords)))
            .has_value());
    VALKYR_CHECK(device.finish().has_value());
    return left;
}

}  // namespace

void patches(std::span<const uint8_t> bytes) {
    const test::RandomPatches made = test::random_patches(test::choices_of(bytes));
    check_engines(made.control + made.evaluation,
                  [&](raster::Device& device) { return draw(device, made); });
}

}  // namespace valkyr::fuzz
