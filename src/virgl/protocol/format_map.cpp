// Format map: translates between format numbers of the protocol and the rasterizer's formats.
// SPDX-License-Identifier: MIT
#include "virgl/protocol/format_map.hpp"

#include <array>

namespace valkyr::virgl {

raster::Format format_of(uint32_t number) noexcept {
    static constexpr auto kFormats = [] {
        std::array<raster::Format, kFormatNumbers> table{};
#define VALKYR_VIRGL_FORMAT(n, id) table[n] = raster::Format::id;
#include "virgl/protocol/formats.inc"
#undef VALKYR_VIRGL_FORMAT
        return table;
    }();
    return number < kFormats.size() ? kFormats[number] : raster::Format::None;
}

FormatShape format_shape(raster::Format format) noexcept {
    const exec::FormatInfo& info = exec::format_info(format);
    return {info.block_bytes, info.block_width, info.block_height, info.srgb};
}

bool is_depth_stencil_format(raster::Format format) noexcept {
    return exec::format_info(format).layout == exec::FormatLayout::DepthStencil;
}

}  // namespace valkyr::virgl
