// Byte blits: convert between formats of 8-bit normalised channels a row at a time.
// SPDX-License-Identifier: MIT
//
// The bits are those of blit.cpp.
#pragma once

#include "raster/formats/format_convert.hpp"
#include "raster/loops/level.hpp"
#include "raster/resource/blit_axis.hpp"

#include <cstdint>
#include <optional>

namespace valkyr::raster {

/// Source of each byte of a destination texel; nothing unless both formats are arrays of linear
/// unorm bytes.
/// color_mask  components to write
std::optional<ByteMap> byte_map(const FormatInfo& from, const FormatInfo& to, unsigned color_mask);

/// A blit. The half-open box of destination texels lies inside the level.
struct BlitBox {
    BlitAxis x;
    BlitAxis y;
    BlitAxis z;
    Filter filter;
    int64_t x0, y0, x1, y1;
};

/// Levels of one sample without pending clears; they are not the same.
void blit_bytes(const LevelOps& ops,
                const ByteMap& map,
                const BlitTexels& from,
                const BlitTexels& to,
                const BlitBox& box);

}  // namespace valkyr::raster
