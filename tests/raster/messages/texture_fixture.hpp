// Texture fixture: provides textures of known texels, and messages that sample them.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/handle.hpp"
#include "tests/raster/messages/fixture.hpp"

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

namespace valkyr::test {

struct Size {
    uint32_t width = 1, height = 1, depth = 1;
};

/// A texture in the layout of exec/abi.hpp, filled texel by texel.
class TestTexture {
public:
    /// fill(level, x, y, slice, sample, texel bytes)
    using Fill = std::function<void(
        uint32_t level, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample, uint8_t*)>;

    TestTexture(exec::TextureKind kind,
                exec::Format format,
                std::vector<Size> sizes,
                const Fill& fill,
                unsigned samples = 1) {
        const exec::FormatInfo& info = exec::format_info(format);
        descriptor.kind = kind;
        descriptor.format = format;
        descriptor.level_count = static_cast<uint8_t>(sizes.size());
        descriptor.samples = static_cast<uint8_t>(samples);
        descriptor.layer_count = sizes[0].depth;
        std::memcpy(descriptor.swizzle, info.swizzle, sizeof info.swizzle);
        for (uint32_t l = 0; l < sizes.size(); ++l)
            add_level(l, sizes[l], info.block_bytes, samples, fill);
    }

    exec::TextureDescriptor descriptor;

private:
    void
    add_level(uint32_t l, const Size& size, unsigned bytes, unsigned samples, const Fill& fill) {
        exec::TextureLevel& level = descriptor.levels[l];
        exec::set_size(level, size.width, size.height);
        level.depth = size.depth;
        level.slice_bytes =
            uint64_t{level.tiles_per_row} * ((size.height + 3) / 4) * 16 * samples * bytes;
        auto& data = storage_.emplace_back(level.slice_bytes * size.depth);
        for (uint32_t z = 0; z < size.depth; ++z)
            for (uint32_t y = 0; y < size.height; ++y)
                for (uint32_t x = 0; x < size.width; ++x)
                    for (uint32_t s = 0; s < samples; ++s) {
                        const size_t tile = size_t{y / 4} * level.tiles_per_row + x / 4;
                        const size_t element =
                            descriptor.kind == exec::TextureKind::Buffer
                                ? x
                                : (tile * samples + s) * 16 + exec::lane_at(x & 3, y & 3);
                        fill(l, x, y, z, s, data.data() + z * level.slice_bytes + element * bytes);
                    }
        level.data = data.data();
    }

    std::vector<std::vector<uint8_t>> storage_;
};

/// A fragment warp with one texture (handle 4:0) and one sampler (3:0).
struct TextureFixture : FragmentFixture {
    exec::TextureDescriptor texture;
    exec::SamplerDescriptor sampler;
    exec::TextureMessage message{};

    explicit TextureFixture(const TestTexture& from)
        : texture(from.descriptor) {
        draw.tables.textures = &texture;
        draw.tables.texture_count = 1;
        draw.tables.samplers = &sampler;
        draw.tables.sampler_count = 1;
        message.op = exec::TextureOp::Sample;
        message.dimension = 1;
        message.lod_mode = exec::LodMode::Zero;
        message.write_mask = 0xF;
        message.register_type = 1;
        message.staging_count = 8;
        message.texture = exec::make_handle(exec::ResourceTable::Textures, 0);
        message.sampler = exec::make_handle(exec::ResourceTable::Samplers, 0);
        sampler.modes.min_filter = sampler.modes.mag_filter = exec::Filter::Linear;
    }

    /// Runs the message with these registers in order (missing ones are 0) and returns the results.
    std::array<Lanes, 4> run(const std::vector<Lanes>& in) {
        std::array<Lanes, 8> padded{};
        std::copy(in.begin(), in.end(), padded.begin());
        std::array<Lanes, 4> out{};
        draw.environment->texture(warp, message, padded.data(), out.data());
        return out;
    }
    /// The components of lane 0.
    std::array<float, 4> sample(const std::vector<Lanes>& in) {
        const auto out = run(in);
        return {as_float(out[0].v[0]), as_float(out[1].v[0]), as_float(out[2].v[0]),
                as_float(out[3].v[0])};
    }
    std::array<uint32_t, 4> fetch(const std::vector<Lanes>& in) {
        const auto out = run(in);
        return {out[0].v[0], out[1].v[0], out[2].v[0], out[3].v[0]};
    }
};

}  // namespace valkyr::test
