// Record parts: name the groups of state that each part of a draw record is made of.
// SPDX-License-Identifier: MIT
//
// A draw shares a part with the pipeline's last draw of the pass, by pointer, unless one of the
// part's groups has a new version. The pipeline and the attachments are not listed as groups here,
// because records with other pipelines or attachments never share parts.
#pragma once

#include "raster/state_groups.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

/// Parts of a DrawRecord that draws may share; all others are made for every draw.
enum class RecordPart : uint8_t {
    Shape,                  ///< ShapeState: rectangle and clip coordinates; user planes
    Tile,                   ///< TileState: depth range; polygon stipple and sample mask
    Hidden,                 ///< HiddenState: whether the rectangle covers the attachments
    Attributes,             ///< attribute descriptors: ranges of the vertex buffers
    PatchLevels,            ///< PatchDraw::outer_levels and inner_levels
    Specials,               ///< numbers of the fragment context outside uniforms (set_specials())
    VertexContext,          ///< tables and uniforms
    TessControlContext,     ///< like the vertex context
    TessEvaluationContext,  ///< like the vertex context
    GeometryContext,        ///< like the vertex context
    FragmentContext,        ///< tables, uniforms and specials
    VertexKernel,           ///< key and kernel: formats and kinds of the units
    TessControlKernel,      ///< like the vertex kernel
    TessEvaluationKernel,   ///< like the vertex kernel
    GeometryKernel,         ///< like the vertex kernel
    FragmentKernel,         ///< like the vertex kernel
};
inline constexpr size_t kRecordParts = 16;

constexpr StateGroups context_groups(DrawStage stage) {
    return constants_group(stage) | units_group(stage);
}

/// The groups of a part, in the order of the parts.
inline constexpr std::array<StateGroups, kRecordParts> kPartGroups{
    StateGroup::Viewports | StateGroup::Numbers,
    StateGroup::Viewports | StateGroup::Numbers,
    StateGroup::Viewports,
    StateGroup::VertexBuffers,
    StateGroup::Numbers,
    StateGroup::Numbers,
    context_groups(DrawStage::Vertex),
    context_groups(DrawStage::TessControl),
    context_groups(DrawStage::TessEvaluation),
    context_groups(DrawStage::Geometry),
    context_groups(DrawStage::Fragment) | StateGroup::Numbers,
    StateGroup::VertexUnits,
    StateGroup::TessControlUnits,
    StateGroup::TessEvaluationUnits,
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

static_assert(std::ranges::none_of(kPartGroups, &StateGroups::empty),
              "a part without groups would never be made");

constexpr StateGroups depends_on(RecordPart part) {
    return kPartGroups[static_cast<size_t>(part)];
}

}  // namespace valkyr::raster
