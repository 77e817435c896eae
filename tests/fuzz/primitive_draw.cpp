// Primitive draw: sets up the draw's resources.
// SPDX-License-Identifier: MIT
#include "tests/fuzz/primitive_draw.hpp"

#include "base/check.hpp"
#include "tests/fuzz/engines.hpp"
#include "tests/support/random.hpp"

#include <algorithm>
#include <span>

namespace valkyr::fuzz {

namespace {

constexpr uint32_t kSize = 64;  ///< of the window
constexpr const char* kVertex = R"(VERT
DCL IN[0]
DCL IN[1]
DCL IN[2]
DCL SV[0], INSTANCEID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], GENERIC[1]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: UADD OUT[2], IN[2], SV[0].xxxx
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

template <typename T>
raster::BufferRef buffer_of(raster::Device& device, const std::vector<T>& values) {
    return must(device.create_buffer(values.size() * sizeof(T), std::as_bytes(std::span(values))));
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

raster::ShaderRef shader_of(raster::Device& device, const std::string& text) {
    return text.empty() ? nullptr : must(device.create_shader(text));
}

raster::PipelineRef pipeline_of(raster::Device& device, const PrimitiveDraw& draw) {
    raster::PipelineDesc desc;
    desc.vertex = must(device.create_shader(kVertex));
    desc.tess_control = shader_of(device, draw.control);
    desc.tess_evaluation = shader_of(device, draw.evaluation);
    desc.geometry = shader_of(device, draw.geometry);
    desc.fragment = must(device.create_shader(kFragment));
    for (uint32_t i = 0; i < 3; ++i)
        desc.elements.push_back({0, 16 * i, 0, exec::Format::R32G32B32A32_UINT});
    desc.strides = {48};
    desc.primitive = draw.primitive;
    desc.rasterizer.flat_shade_first = draw.provoking_first;
    desc.rasterizer.rasterizer_discard = draw.discards;
    desc.stream_output = draw.captured;
    return must(device.create_pipeline(desc));
}

void add_targets(raster::Device& device, raster::DrawState& state) {
    for (unsigned target = 0; target < 2; ++target) {
        raster::TextureDesc desc;
        desc.format = exec::Format::R32G32B32A32_UINT;
        desc.width = desc.height = kSize;
        desc.render_target = true;
        state.framebuffer.color.push_back({must(device.create_texture(desc))});
    }
    state.viewport = raster::Viewport::over(0, 0, kSize, kSize, 0, 1);
    raster::ClearInfo clear;
    clear.color_targets = 3;
    VALKYR_CHECK(device.clear(state.framebuffer, clear).has_value());
}

void append_texels(raster::Device& device, const raster::Surface& surface, Words& left) {
    Words texels(size_t{4} * kSize * kSize);
    VALKYR_CHECK(device
                     .read_texture(surface.texture, 0, {0, 0, 0, kSize, kSize, 1},
                                   std::as_writable_bytes(std::span(texels)),
                                   kSize * 4 * sizeof(uint32_t))
                     .has_value());
    left.insert(left.end(), texels.begin(), texels.end());
}

void append_words(raster::Device& device,
                  const raster::BufferRef& buffer,
                  size_t count,
                  Words& left) {
    Words words(count);
    VALKYR_CHECK(
        device.read_buffer(buffer, 0, std::as_writable_bytes(std::span(words))).has_value());
    left.insert(left.end(), words.begin(), words.end());
}

}  // namespace

Words draw_primitives(raster::Device& device, const PrimitiveDraw& draw) {
    raster::DrawState state;
    state.pipeline = pipeline_of(device, draw);
    add_targets(device, state);
    state.vertex_buffers = {{buffer_of(device, vertex_words(draw.info.first + draw.info.count))}};
    if (!draw.indices.empty()) {
        state.index_buffer = {buffer_of(device, draw.indices)};
        state.index_type = raster::IndexType::U16;
    }
    state.outer_levels = draw.outer;
    state.inner_levels = draw.inner;
    const raster::BufferRef counted = buffer_of(device, Words(4));
    state.stage(raster::DrawStage::TessEvaluation).storage = {{counted}};
    std::vector<raster::BufferRef> streams;
    for (const uint32_t words : draw.stream_words) {
        streams.push_back(buffer_of(device, Words(words + 1)));
        state.stream_targets.push_back(
            must(device.create_stream_target({streams.back(), 0, words * sizeof(uint32_t)})));
    }
    VALKYR_CHECK(device.draw(state, draw.info).has_value());
    Words left;
    for (const raster::Surface& surface : state.framebuffer.color)
        append_texels(device, surface, left);
    append_words(device, counted, 4, left);
    for (size_t slot = 0; slot < streams.size(); ++slot) {
        left.push_back(static_cast<uint32_t>(state.stream_targets[slot]->position()));
        append_words(device, streams[slot], draw.stream_words[slot] + 1, left);
    }
    VALKYR_CHECK(device.finish().has_value());
    return left;
}

}  // namespace valkyr::fuzz
