// Texel: keeps the bytes of one texel of a texture, with all its samples.
// SPDX-License-Identifier: MIT
#include "app/debug/history/texel.hpp"

#include "raster/formats/tiled_texels.hpp"
#include "raster/resource/resource.hpp"

#include <algorithm>

namespace valkyr::debug {

uint32_t level_size(uint32_t size, uint32_t level) {
    return std::max(1U, size >> level);
}

uint32_t slices_of(const raster::TextureDesc& desc, uint32_t level) {
    return desc.kind == raster::TextureKind::Tex3D ? level_size(desc.depth, level) : desc.layers;
}

bool is_inside(const raster::TextureDesc& desc, const Spot& spot) {
    return spot.level < desc.levels && spot.x < level_size(desc.width, spot.level) &&
           spot.y < level_size(desc.height, spot.level) && spot.z < slices_of(desc, spot.level);
}

Result<Texel>
read_texel(raster::Device& device, const raster::TextureRef& texture, const Spot& at) {
    VALKYR_TRY_VOID(device.finish());
    auto& image = static_cast<raster::TextureImpl&>(*texture);
    image.settle(at.level, at.z);
    Texel texel;
    texel.format = image.storage();
    texel.samples = image.desc().samples;
    const uint32_t bytes = image.texel_bytes();
    const uint8_t* slice = image.slice(at.level, at.z);
    for (uint32_t s = 0; s < texel.samples; ++s) {
        const uint8_t* first =
            slice + raster::texel_offset({at.x, at.y, 0, s}, image.level(at.level).tiles_per_row, 0,
                                         texel.samples, bytes);
        texel.bytes.insert(texel.bytes.end(), first, first + bytes);
    }
    return texel;
}

Texel texel_of_block(exec::Format format,
                     uint32_t samples,
                     unsigned lane,
                     std::span<const uint8_t> block) {
    const size_t bytes = exec::format_info(format).block_bytes;
    Texel texel{format, samples, {}};
    for (uint32_t s = 0; s < samples; ++s) {
        const auto one = block.subspan((size_t{s} * exec::kLanes + lane) * bytes, bytes);
        texel.bytes.insert(texel.bytes.end(), one.begin(), one.end());
    }
    return texel;
}

Texel texel_of_block(exec::Format format,
                     uint32_t samples,
                     unsigned lane,
                     std::span<const uint32_t> depth,
                     std::span<const uint8_t> stencil) {
    const size_t bytes = exec::format_info(format).block_bytes;
    Texel texel{format, samples, std::vector<uint8_t>(bytes * samples)};
    for (uint32_t s = 0; s < samples; ++s) {
        const size_t element = size_t{s} * exec::kLanes + lane;
        const raster::DepthStencil value{depth.empty() ? 0 : depth[element],
                                         stencil.empty() ? uint8_t{0} : stencil[element]};
        raster::store_depth_stencil(format, value, texel.bytes.data() + s * bytes);
    }
    return texel;
}

}  // namespace valkyr::debug
