// Texture scenes: declares shared random textures, samplers and meshes.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/scene_check.hpp"
#include "tests/pictures/scenes/shaders.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace valkyr::scenes::textures {

using exec::Format;
using exec::TextureKind;
using raster::Filter;
using raster::MipFilter;
using raster::SamplerState;
using raster::TextureDesc;
using raster::Wrap;

inline void draw_mesh(SceneKit& kit, const Mesh& mesh) {
    kit.vertices(mesh.data(), {4, 4});
    kit.draw(mesh.count());
}

/// Random bytes; float formats get small finite numbers.
inline std::vector<uint8_t> random_texels(uint32_t seed, Format format, size_t count) {
    Random random(seed);
    const exec::FormatInfo& info = exec::format_info(format);
    std::vector<uint8_t> bytes(count * info.block_bytes);
    for (uint8_t& byte : bytes)
        byte = static_cast<uint8_t>(random.word() >> 24);
    const bool floats = info.type == exec::ChannelType::Float && info.bits[0] >= 16;
    const size_t size = info.bits[0] / 8U;
    for (size_t i = 0; floats && i + size <= bytes.size(); i += size)
        bytes[i + size - 1] = static_cast<uint8_t>(0x38 + random.below(7));  // about 0.5 to 2
    return bytes;
}

inline TextureDesc desc_2d(Format format, uint32_t width, uint32_t height, uint32_t levels = 1) {
    TextureDesc desc;
    desc.format = format;
    desc.width = width;
    desc.height = height;
    desc.levels = levels;
    return desc;
}

inline raster::TextureRef
random_texture(SceneKit& kit, const TextureDesc& desc, uint32_t seed = 90) {
    raster::TextureRef texture = kit.texture(desc);
    for (uint32_t level = 0; level < desc.levels; level++) {
        const size_t slices =
            desc.kind == TextureKind::Tex3D ? std::max(1U, desc.depth >> level) : desc.layers;
        const size_t texels =
            std::max(1U, desc.width >> level) * size_t{std::max(1U, desc.height >> level)} * slices;
        kit.write_level(texture, level, random_texels(seed + level, desc.format, texels));
    }
    return texture;
}

/// Adds a target, and binds a random texture to unit 0.
inline void begin(SceneKit& kit,
                  const TextureDesc& desc,
                  const SamplerState& sampler,
                  const char* fragment = kFragmentTexture,
                  Format target = Format::R8G8B8A8_UNORM) {
    kit.add_color(target);
    kit.clear(0, 0, 0, 0);
    kit.shaders(kVertexColor, fragment);
    kit.state.fragment().textures = {{random_texture(kit, desc)}};
    kit.state.fragment().samplers = {sampler};
}

inline SamplerState sampler_of(Filter filter, MipFilter mip = MipFilter::None) {
    SamplerState sampler;
    sampler.min_filter = sampler.mag_filter = filter;
    sampler.mip_filter = mip;
    return sampler;
}

/// A rectangle over the whole target with texture coordinates from a to b.
inline Mesh over(float a, float b) {
    Mesh mesh;
    mesh.shaded_rectangle(-1, -1, 1, 1, 0,
                          {{{a, a, 0, 1}, {b, a, 0, 1}, {b, b, 0, 1}, {a, b, 0, 1}}});
    return mesh;
}

inline std::string sampling(const char* target, const char* instruction = "TEX") {
    return std::string("FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
                       "DCL SAMP[0]\nDCL SVIEW[0], ") +
           target + ", FLOAT\n  0: " + instruction + " OUT[0], IN[0], SAMP[0], " + target +
           "\n  1: END\n";
}

/// A rectangle over the target with varyings x, y in [-1.2, 1.2], z and w.
inline Mesh directions(float z, float w) {
    Mesh mesh;
    mesh.shaded_rectangle(
        -1, -1, 1, 1, 0,
        {{{-1.2F, -1.2F, z, w}, {1.2F, -1.2F, z, w}, {1.2F, 1.2F, z, w}, {-1.2F, 1.2F, z, w}}});
    return mesh;
}

}  // namespace valkyr::scenes::textures
