// Fragments: finds out what became of one pixel of a primitive, by running its warp again.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/history/history.hpp"

namespace valkyr::debug {

/// The attachment that the watched texel belongs to.
struct Attachment {
    bool depth_stencil = false;
    unsigned color = 0;                              ///< its number, if it is a colour
    exec::Format format = exec::Format::None;        ///< of the texture, perhaps not of its view
    exec::Format depth_format = exec::Format::None;  ///< of the depth/stencil attachment, if any
};

/// The texels of a pixel: the watched one, and the depth/stencil beside a colour. A part that the
/// draw does not keep in its tiles is missing: it cannot change.
struct PixelTexels {
    std::optional<Texel> watched;
    std::optional<Texel> depth;
};

/// The texels that the warp found.
PixelTexels texels_before(const Hit& hit, const Attachment& attachment);

struct FragmentRun {
    Fragment fragment;
    /// Left by the interpreter; nothing if it did not run.
    PixelTexels after;
};

using NameTexture = std::function<std::string(const raster::TextureRef&)>;

/// Runs the warp by the interpreter, unless its shader writes to memory. The draw has just ended:
/// textures have the contents that it read.
FragmentRun run_fragment(const Hit& hit,
                         const Attachment& attachment,
                         const raster::DrawState& state,
                         const NameTexture& name);

}  // namespace valkyr::debug
