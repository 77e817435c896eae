// Native scene: draws with kernels written in C++, to test the rasterizer without shader compilers.
// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/shader_cache.hpp"
#include "raster/device/device_impl.hpp"
#include "tests/raster/native_stage.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace valkyr::raster::test {

using Position = std::array<float, 4>;

/// A test vertex: x and y are window coordinates times w, z and w are in clip space; one varying
/// slot.
struct TestVertex {
    Position position{0, 0, 0, 1};
    std::array<float, 4> varying{};
};

/// A viewport of the guard band's size: window = 16384 * clip for w = 1; z in [0, 1].
inline Viewport large_viewport() {
    return {{16384, 16384, 1}, {0, 0, 0}};
}
/// The clip coordinate of a window coordinate in large_viewport(), exactly.
inline float clip_of(float window) {
    return window / 16384;
}

/// The value of a Result; an error fails the test.
template <typename T>
T must(Result<T> result) {
    if (!result.has_value())
        throw std::runtime_error(result.error().text);
    return std::move(*result);
}
inline void must(const Result<void>& result) {
    if (!result.has_value())
        throw std::runtime_error(result.error().text);
}

/// A vertex stage that copies vertex i of `vertices` to its record; vertices past the end are zero.
inline StageRef vertex_stage(std::vector<TestVertex> vertices,
                             exec::Interpolation interpolation = exec::Interpolation::Perspective) {
    exec::ProgramInfo info;
    info.stage = exec::Stage::Vertex;
    info.varying_slot_count = 1;
    info.varyings[0].interpolation = interpolation;
    const auto run = [vertices = std::move(vertices)](exec::VertexCall& call) {
        for (uint32_t i = 0; i < call.count; ++i) {
            const uint32_t id = call.vertex_ids[i];
            const TestVertex v = id < vertices.size() ? vertices[id] : TestVertex{{}, {}};
            uint8_t* record = call.records + size_t{call.first_record + i} * call.record_stride;
            const Position clip{clip_of(v.position[0]), clip_of(v.position[1]), v.position[2],
                                v.position[3]};
            std::memcpy(record, clip.data(), 16);
            std::memcpy(record + exec::kRecordVaryings, v.varying.data(), 16);
        }
    };
    return std::make_shared<NativeVertexStage>(info, 0, run);
}

/// One covered sample, for a fragment function.
struct Sample {
    const exec::FragmentCall& call;
    uint32_t x, y;  ///< pixel
    uint32_t sample;
    size_t index;  ///< into tile arrays: pixel and sample
};

/// A fragment stage that calls a function for every covered sample.
inline StageRef fragment_stage(std::function<void(const Sample&)> function,
                               exec::Interpolation interpolation = exec::Interpolation::Perspective,
                               unsigned samples = 1) {
    exec::ProgramInfo info;
    info.stage = exec::Stage::Fragment;
    info.varying_slot_count = 1;
    info.varyings[0].interpolation = interpolation;
    const auto run = [function = std::move(function), samples](exec::FragmentCall& call) {
        for (uint32_t i = 0; i < call.block_count; ++i)
            for (uint32_t s = 0; s < samples; ++s) {
                const uint32_t mask = call.sample_masks != nullptr
                                          ? call.sample_masks[i * samples + s]
                                          : call.blocks[i].mask;
                const uint32_t block = call.blocks[i].block;
                for (uint32_t lane = 0; lane < 16; ++lane)
                    if ((mask >> lane & 1) != 0)
                        function({call,
                                  static_cast<uint32_t>(call.tile_x) + block % 16 * 4 +
                                      exec::lane_x(lane),
                                  static_cast<uint32_t>(call.tile_y) + block / 16 * 4 +
                                      exec::lane_y(lane),
                                  s, (size_t{block} * samples + s) * 16 + lane});
            }
    };
    return std::make_shared<NativeFragmentStage>(info, 0, run);
}

/// Adds 1 to the 32-bit texel of every covered sample.
inline void count_hit(const Sample& s) {
    uint32_t value;
    std::memcpy(&value, s.call.color[0] + s.index * 4, 4);
    ++value;
    std::memcpy(s.call.color[0] + s.index * 4, &value, 4);
}

/// A device with one 32-bit target.
struct Scene {
    std::unique_ptr<DeviceImpl> device;
    TextureRef target;
    DrawState state;
    uint32_t width, height;

    Scene(uint32_t w, uint32_t h, DeviceOptions options = {}, uint32_t samples = 1)
        : width(w)
        , height(h) {
        options.engine = Engine::Valhall;
        if (options.threads == 0)
            options.threads = 1;
        device = must(DeviceImpl::create(options, must(gpu::make_shader_cache(options))));
        TextureDesc desc;
        desc.kind = samples > 1 ? TextureKind::Tex2DMs : TextureKind::Tex2D;
        desc.format = Format::R32_UINT;
        desc.width = w;
        desc.height = h;
        desc.samples = samples;
        desc.render_target = true;
        target = must(device->create_texture(desc));
        state.framebuffer.color = {{target, 0, 0}};
        state.viewport = large_viewport();
        state.scissor = {0, 0, static_cast<int32_t>(w), static_cast<int32_t>(h)};
    }

    /// Sets the pipeline; z clips to [0, w].
    void pipeline(PipelineDesc desc, StageRef vertex, StageRef fragment) {
        desc.vertex = std::make_shared<Shader>();  // not used
        desc.rasterizer.clip_halfz = true;
        state.pipeline = must(device->create_native_pipeline(
            std::move(desc), linked_stages(std::move(vertex), std::move(fragment))));
    }

    void clear(uint32_t value = 0) {
        ClearInfo info;
        info.color_targets = 1;
        info.color[0] = {value, 0, 0, 0};
        must(device->clear(state.framebuffer, info));
    }

    void draw(uint32_t count, uint32_t first = 0) {
        DrawInfo info;
        info.first = first;
        info.count = count;
        must(device->draw(state, info));
    }

    std::vector<uint32_t> read() {
        std::vector<uint32_t> pixels(size_t{width} * height);
        must(device->read_texture(target, 0, {0, 0, 0, width, height, 1},
                                  std::as_writable_bytes(std::span(pixels)), size_t{width} * 4, 0));
        return pixels;
    }
};

}  // namespace valkyr::raster::test
