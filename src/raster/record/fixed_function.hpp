// The fixed-function numbers of a draw record: clipping, culling, rectangles, slots, specials.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "raster/data/draw_record.hpp"
#include "raster/device.hpp"
#include "raster/resource/targets.hpp"

namespace valkyr::raster {

/// Everything that does not depend on the fragment program. The clip state lies in the arena.
void set_fixed_function(DrawRecord& draw,
                        const PipelineDesc& desc,
                        const DrawState& state,
                        const PassTargets& targets,
                        const exec::ProgramInfo& vertex,
                        Arena& arena);

/// The part of it that depends on the viewport: clipping, rectangle and depth range.
/// clip   gets the viewport, and becomes the draw's
/// index  into DrawState::viewport_array; 0 if that is empty
void set_viewport(DrawRecord& draw,
                  ClipState& clip,
                  const PipelineDesc& desc,
                  const DrawState& state,
                  const PassTargets& targets,
                  const exec::ProgramInfo& vertex,
                  size_t index);

/// How set-up feeds the varying slots of the fragment program; their tables lie in the arena.
void set_slots(DrawRecord& draw,
               const PipelineDesc& desc,
               const exec::ProgramInfo& fragment,
               Arena& arena);

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
