// The fixed-function numbers of a draw record: clipping, culling, rectangles, slots, specials.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "raster/data/draw_record.hpp"
#include "raster/device.hpp"
#include "raster/resource/targets.hpp"

namespace valkyr::raster {

/// The shapes of a draw, in viewport 0; `smooth` and the record's layout are set.
/// geometry  whether a geometry program makes them
void set_shape(ShapeState& shape,
               const PipelineDesc& desc,
               const DrawState& state,
               const PassTargets& targets,
               const exec::ProgramInfo& vertex,
               bool geometry);

/// The part of it that depends on the viewport: clipping and rectangle.
/// index  into DrawState::viewport_array; 0 if that is empty
void set_viewport(ShapeState& shape,
                  const PipelineDesc& desc,
                  const DrawState& state,
                  const PassTargets& targets,
                  const exec::ProgramInfo& vertex,
                  size_t index);

/// The numbers of tiles, but for slots and polygon stipple; the depth range is that of viewport 0.
void set_tile(TileState& tile,
              const PipelineDesc& desc,
              const DrawState& state,
              const PassTargets& targets,
              const exec::ProgramInfo& vertex);

/// The clamp range of depth: what the viewport maps near and far to, if depth is clamped instead
/// of clipped; [0, 1] otherwise.
/// index  as set_viewport() has it
void set_depth_range(TileState& tile,
                     const PipelineDesc& desc,
                     const DrawState& state,
                     const exec::ProgramInfo& vertex,
                     size_t index);

/// How set-up feeds the varying slots of the fragment program, of which there are `known`.
/// slots  become the tile's: room for twice as many
void set_slots(TileState& tile,
               const ShapeState& shape,
               const PipelineDesc& desc,
               const exec::ProgramInfo& fragment,
               SlotSource* slots);

/// Varying slots of a program that can have planes.
uint32_t known_slots(const exec::ProgramInfo& fragment);

/// FAU specials and run-time state of the fixed function that kernels read.
void set_specials(exec::DrawContext& context,
                  const PipelineDesc& desc,
                  const DrawState& state,
                  const PassTargets& targets);

/// Tells ATEST to test depth and stencil (or to count samples), if no other instruction does.
void set_late_test(exec::DrawContext& context,
                   const exec::FragmentKey& key,
                   const exec::ProgramInfo& fragment);

/// Whether a varying of the fragment program needs 1/w.
bool has_perspective(const exec::ProgramInfo& fragment);

}  // namespace valkyr::raster
