// Format map: translates between format numbers of the protocol and the rasterizer's formats.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/state.hpp"

#include <cstdint>

namespace valkyr::virgl {

/// All format numbers are below this; a mask of formats has this many bits.
inline constexpr uint32_t kFormatNumbers = 512;

/// Format::None if the number is no format, or a format that the rasterizer lacks.
raster::Format format_of(uint32_t number) noexcept;

/// The facts of a format that transfers need.
struct FormatShape {
    uint32_t block_bytes = 0;
    uint32_t block_width = 1;
    uint32_t block_height = 1;
    bool srgb = false;
};
FormatShape format_shape(raster::Format format) noexcept;
bool is_depth_stencil_format(raster::Format format) noexcept;

}  // namespace valkyr::virgl
