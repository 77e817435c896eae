// Stage tables: describe the resources of one shader stage to its program, and fill its uniforms.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/record/pipeline.hpp"
#include "raster/record/recent_draw.hpp"
#include "raster/support/memory.hpp"

namespace valkyr::raster {

/// Makes the tables of textures, samplers, images and buffers in the arena. The texels of textures
/// must be settled before a program uses the tables.
/// errors  those of a view, a sampler or a buffer
Result<void> make_unit_tables(const StageResources& resources,
                              const DeviceTag* owner,
                              Arena& arena,
                              BoundTables& bound);
/// Copies the constants to the arena, and makes the table of their buffers, for programs that read
/// it (StageProgram::reads_constant_table()).
void make_constant_table(const StageResources& resources, Arena& arena, BoundTables& bound);

/// Fills the uniforms of a program in the arena; `context` has the stage's tables.
/// numbers  has the numbers of the draw or dispatch, and the thread-local storage; gets the rest
void fill_uniforms(const StageProgram& program,
                   const StageResources& resources,
                   const StageBuffers& buffers,
                   FauInputs& numbers,
                   Arena& arena,
                   exec::DrawContext& context);

}  // namespace valkyr::raster
