// Record parts: name the groups of state that each part of a draw record is made of.
// SPDX-License-Identifier: MIT
//
// A draw shares a part with the pipeline's last draw of the pass, by pointer, unless one of the
// part's groups has a new version. The pipeline and the attachments are not listed as groups here,
// because records with other pipelines or attachments never share parts.
#pragma once

#include "raster/state_groups.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

/// Parts of a DrawRecord that draws may share; all others are made for every draw.
enum class RecordPart : uint8_t {
    Shape,           ///< ShapeState: rectangle and clip coordinates; user planes
    Tile,            ///< TileState: depth range; polygon stipple and sample mask
    Hidden,          ///< HiddenState: whether the rectangle covers the attachments
    VertexKernel,    ///< key and kernel: formats and kinds of the units
    GeometryKernel,  ///< like the vertex kernel
    FragmentKernel,  ///< like the vertex kernel
};
inline constexpr size_t kRecordParts = 6;

/// The groups of a part, in the order of the parts.
inline constexpr std::array<StateGroups, kRecordParts> kPartGroups{
    StateGroup::Viewports | StateGroup::Numbers,
    StateGroup::Viewports | StateGroup::Numbers,
    StateGroup::Viewports,
    StateGroup::VertexUnits,
    StateGroup::GeometryUnits,
    StateGroup::FragmentUnits,
};

constexpr StateGroups depends_on(RecordPart part) {
    return kPartGroups[static_cast<size_t>(part)];
}

}  // namespace valkyr::raster
