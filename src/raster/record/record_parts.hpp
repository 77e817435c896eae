// Record parts: say which groups of state each part of a draw record is made of.
// SPDX-License-Identifier: MIT
//
// A draw goes on from the last one of its pipeline in the pass: a part is shared with that record,
// by its pointer, unless one of these groups has another version since. The pipeline and the
// attachments are no groups here, since records of other ones are never gone on from.
#pragma once

#include "raster/state_groups.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

/// Parts of a DrawRecord that outlive a draw; all besides is made for every draw.
enum class RecordPart : uint8_t {
    Shape,            ///< ShapeState: rectangle and clip coordinates; planes of the user
    Tile,             ///< TileState: depth range; polygon stipple and sample mask
    Hidden,           ///< HiddenState: whether the rectangle is all of the attachments
    Attributes,       ///< attribute descriptors: ranges of the vertex buffers
    Specials,         ///< numbers in contexts that no uniform holds (set_specials())
    VertexContext,    ///< tables and uniforms, with the viewport's scale; specials
    GeometryContext,  ///< as the vertex context
    FragmentContext,  ///< as the vertex context
    VertexKernel,     ///< key and kernel: formats and kinds of what the units hold
    GeometryKernel,   ///< as the vertex kernel
    FragmentKernel,   ///< as the vertex kernel
};
inline constexpr size_t kRecordParts = 11;

constexpr StateGroups context_groups(DrawStage stage) {
    return constants_group(stage) | units_group(stage) | StateGroup::Viewports |
           StateGroup::Numbers;
}

/// The groups of a part, in the order of the parts.
inline constexpr std::array<StateGroups, kRecordParts> kPartGroups{
    StateGroup::Viewports | StateGroup::Numbers,
    StateGroup::Viewports | StateGroup::Numbers,
    StateGroup::Viewports,
    StateGroup::VertexBuffers,
    StateGroup::Numbers,
    context_groups(DrawStage::Vertex),
    context_groups(DrawStage::Geometry),
    context_groups(DrawStage::Fragment),
    StateGroup::VertexUnits,
    StateGroup::GeometryUnits,
    StateGroup::FragmentUnits,
};

/// The context of a stage; those of the stages stand in the order of DrawStage.
constexpr RecordPart context_part(DrawStage stage) {
    return static_cast<RecordPart>(static_cast<size_t>(RecordPart::VertexContext) +
                                   static_cast<size_t>(stage));
}
static_assert(context_part(DrawStage::Fragment) == RecordPart::FragmentContext &&
              static_cast<size_t>(RecordPart::FragmentKernel) + 1 == kRecordParts);

constexpr StateGroups depends_on(RecordPart part) {
    return kPartGroups[static_cast<size_t>(part)];
}

}  // namespace valkyr::raster
