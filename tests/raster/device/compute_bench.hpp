// Compute bench: runs compute shaders on devices of both engines, for tests of dispatches.
// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/create_device.hpp"
#include "tests/raster/native_scene.hpp"

#include <array>
#include <cstdint>
#include <doctest/doctest.h>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace valkyr::raster::test {

using Sizes = std::array<uint32_t, 3>;
using Words = std::vector<uint32_t>;

inline uint32_t product(const Sizes& sizes) {
    return sizes[0] * sizes[1] * sizes[2];
}

struct Machine {
    Engine engine;
    unsigned threads;
};
inline constexpr Machine kMachines[] = {
    {Engine::Valhall, 1}, {Engine::Valhall, 3}, {Engine::Jit, 1}, {Engine::Jit, 4}};

/// A compute shader with its global ID in TEMP[0].xyz, its number in the whole grid in TEMP[0].w
/// and four times that in TEMP[1].w. TEMP[2..7] are free; IMM[0] = (0, 4, 1, 2).
inline std::string
compute(const Sizes& block, const std::string& declarations, const std::string& body) {
    return "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH " + std::to_string(block[0]) +
           "\nPROPERTY CS_FIXED_BLOCK_HEIGHT " + std::to_string(block[1]) +
           "\nPROPERTY CS_FIXED_BLOCK_DEPTH " + std::to_string(block[2]) +
           "\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL SV[2], GRID_SIZE\n"
           "DCL SV[3], BLOCK_SIZE\nDCL TEMP[0..7]\nIMM[0] UINT32 {0, 4, 1, 2}\n" +
           declarations +
           "UMAD TEMP[0].xyz, SV[1], SV[3], SV[0]\n"
           "UMUL TEMP[1].xyz, SV[2], SV[3]\n"
           "UMAD TEMP[0].w, TEMP[0].zzzz, TEMP[1].yyyy, TEMP[0].yyyy\n"
           "UMAD TEMP[0].w, TEMP[0].wwww, TEMP[1].xxxx, TEMP[0].xxxx\n"
           "UMUL TEMP[1].w, TEMP[0].wwww, IMM[0].yyyy\n" +
           body + "END\n";
}

/// A device and the state of its next dispatch.
struct ComputeBench {
    std::unique_ptr<Device> device;
    DispatchState state;

    explicit ComputeBench(const Machine& machine, DeviceOptions options = {}) {
        options.engine = machine.engine;
        options.threads = machine.threads;
        device = must(gpu::create_device(options));
    }

    ComputePipelineRef pipeline(const std::string& text, uint32_t shared_bytes = 0) {
        return must(
            device->create_compute_pipeline({must(device->create_shader(text)), shared_bytes}));
    }
    void shader(const std::string& text, uint32_t shared_bytes = 0) {
        state.pipeline = pipeline(text, shared_bytes);
    }
    BufferRef words(const Words& values) {
        return must(device->create_buffer(values.size() * 4, std::as_bytes(std::span(values))));
    }
    BufferRef words(size_t count, uint32_t value = 0) { return words(Words(count, value)); }
    Words read(const BufferRef& buffer) {
        Words result(buffer->size() / 4);
        must(device->read_buffer(buffer, 0, std::as_writable_bytes(std::span(result))));
        return result;
    }
    TextureRef texture(Format format, uint32_t width, uint32_t height, bool target = false) {
        TextureDesc desc;
        desc.format = format;
        desc.width = width;
        desc.height = height;
        desc.render_target = target;
        return must(device->create_texture(desc));
    }
    Words texels(const TextureRef& texture) {
        const Box box{0, 0, 0, texture->desc().width, texture->desc().height, 1};
        Words result(size_t{box.width} * box.height);
        must(device->read_texture(texture, 0, box, std::as_writable_bytes(std::span(result)),
                                  size_t{box.width} * 4));
        return result;
    }
    void write_texels(const TextureRef& texture, const Words& values) {
        const Box box{0, 0, 0, texture->desc().width, texture->desc().height, 1};
        must(device->write_texture(texture, 0, box, std::as_bytes(std::span(values)),
                                   size_t{box.width} * 4));
    }
    void run(const Sizes& groups) { must(device->dispatch(state, groups)); }
    /// Error of a dispatch that must be refused.
    Error refused(const Sizes& groups = {1, 1, 1}) {
        const Result<void> done = device->dispatch(state, groups);
        REQUIRE(!done.has_value());
        return done.error();
    }
};

}  // namespace valkyr::raster::test
