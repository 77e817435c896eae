// Fixed function: computes a draw's clipping, culling, rectangles, slots and special values.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "raster/data/draw_record.hpp"
#include "raster/device.hpp"
#include "raster/resource/targets.hpp"

namespace valkyr::raster {

/// Sets the shapes of a draw, in viewport 0; `smooth` and the record layout must be set.
/// geometry  whether a geometry program makes the primitives
void set_shape(ShapeState& shape,
               const PipelineDesc& desc,
               const DrawState& state,
               const PassTargets& targets,
               const exec::ProgramInfo& vertex,
               bool geometry);

/// Returns the samples of a pixel that have positions of their own: 1 if multisampling is off, even
/// on targets with several samples.
uint32_t raster_samples(const RasterizerState& state, const PassTargets& targets);

/// Sets the members that depend on the viewport: clipping and rectangle.
/// index  into DrawState::viewport_array; 0 if that is empty
void set_viewport(ShapeState& shape,
                  const PipelineDesc& desc,
                  const DrawState& state,
                  const PassTargets& targets,
                  const exec::ProgramInfo& vertex,
                  size_t index);

/// Sets the tile state, except slots and polygon stipple; the depth range is that of viewport 0.
void set_tile(TileState& tile,
              const PipelineDesc& desc,
              const DrawState& state,
              const PassTargets& targets,
              const exec::ProgramInfo& vertex);

/// Sets the clamp range of depth: the depths that the viewport maps near and far to, if depth is
/// clamped instead of clipped; [0, 1] otherwise.
/// index  as in set_viewport()
void set_depth_range(TileState& tile,
                     const PipelineDesc& desc,
                     const DrawState& state,
                     const exec::ProgramInfo& vertex,
                     size_t index);

/// Returns how a draw makes the values of a fragment program's varying slot.
SlotKind slot_kind(const exec::VaryingSlot& slot, const PipelineDesc& desc);

/// Sets the sources of the fragment program's varying slots, of which there are `known`.
/// slots  storage for the tile's slots, with room for twice as many
void set_slots(TileState& tile,
               const ShapeState& shape,
               const PipelineDesc& desc,
               const exec::ProgramInfo& fragment,
               SlotSource* slots);

/// Returns the number of a program's varying slots that can have planes.
uint32_t known_slots(const exec::ProgramInfo& fragment);

/// Sets FAU specials and run-time state of the fixed function that fragment kernels read. Floats
/// must round as in kernels (exec::FloatEnvironment).
void set_specials(exec::DrawContext& context,
                  const PipelineDesc& desc,
                  const DrawState& state,
                  const PassTargets& targets);

/// Makes ATEST test depth and stencil (or count samples), if no other instruction does.
void set_late_test(exec::DrawContext& context,
                   const exec::FragmentKey& key,
                   const exec::ProgramInfo& fragment);

/// Returns whether a varying of the fragment program needs 1/w.
bool has_perspective(const exec::ProgramInfo& fragment);

}  // namespace valkyr::raster
