// Depth codes: convert depths to the codes of each format and back.
// SPDX-License-Identifier: MIT
#include "raster/formats/depth_codes.hpp"

#include "base/bits.hpp"
#include "raster/formats/format_channel.hpp"

namespace valkyr::raster {

DepthLayout depth_layout(exec::Format format) noexcept {
    switch (format) {
    case exec::Format::D16_UNORM:
    case exec::Format::D24_UNORM_X8_UINT:
    case exec::Format::D32_FLOAT: return {0, -1};
    case exec::Format::D24_UNORM_S8_UINT:
    case exec::Format::D32_FLOAT_S8X24_UINT: return {0, 1};
    case exec::Format::S8_UINT_D24_UNORM: return {1, 0};
    case exec::Format::X8_UINT_D24_UNORM: return {1, -1};
    case exec::Format::S8_UINT: return {-1, 0};
    default: return {};
    }
}

uint32_t encode_depth(exec::Format format, float z) noexcept {
    const DepthLayout layout = depth_layout(format);
    if (layout.depth < 0)
        return 0;
    const FormatInfo& info = exec::format_info(format);
    if (info.type == exec::ChannelType::Float)
        return z > 0 ? as_bits(z) : 0;
    return encode_channel(info, static_cast<unsigned>(layout.depth), as_bits(z),
                          IntegerKind::Unsigned);
}

float decode_depth(exec::Format format, uint32_t code) noexcept {
    const DepthLayout layout = depth_layout(format);
    if (layout.depth < 0)
        return 0;
    return as_float(
        decode_channel(exec::format_info(format), static_cast<unsigned>(layout.depth), code));
}

DepthStencil load_depth_stencil(exec::Format format, const uint8_t* texel) noexcept {
    const DepthLayout layout = depth_layout(format);
    const Codes codes = load_codes(exec::format_info(format), texel);
    DepthStencil value;
    if (layout.depth >= 0)
        value.depth = codes[static_cast<unsigned>(layout.depth)];
    if (layout.stencil >= 0)
        value.stencil = static_cast<uint8_t>(codes[static_cast<unsigned>(layout.stencil)]);
    return value;
}

void store_depth_stencil(exec::Format format, const DepthStencil& value, uint8_t* texel) noexcept {
    const DepthLayout layout = depth_layout(format);
    Codes codes{};
    if (layout.depth >= 0)
        codes[static_cast<unsigned>(layout.depth)] = value.depth;
    if (layout.stencil >= 0)
        codes[static_cast<unsigned>(layout.stencil)] = value.stencil;
    store_codes(exec::format_info(format), codes, 0xF, texel);
}

}  // namespace valkyr::raster
