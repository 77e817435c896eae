// Pixel layout: says how pixels of a format and type of OSMesa lie in memory.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace valkyr::osmesa {

/// The arguments of glReadPixels (GL 4.6 section 18.2), and the rest that it cannot do.
struct PixelLayout {
    unsigned format;  ///< of glReadPixels
    unsigned type;    ///< of glReadPixels
    unsigned bytes;   ///< of a pixel
    /// Bytes of the last component, which must come first: ARGB has no name in OpenGL. 0: none.
    unsigned moved = 0;
    /// Whether components have more than 8 bits.
    bool deep = false;
};

/// Whether contexts can have this format.
bool is_format(unsigned format);
/// Returns nothing if the format does not have pixels of this type.
std::optional<PixelLayout> pixel_layout(unsigned format, unsigned type);

/// Moves the last `layout.moved` bytes of each pixel to its begin.
void move_components(const PixelLayout& layout, uint8_t* row, unsigned pixels);

}  // namespace valkyr::osmesa
