// Hazards: find draws and dispatches that must not overtake writes to images and buffers.
// SPDX-License-Identifier: MIT
//
// Within a pass all vertices come before all fragments, and tiles come in any order. So a draw that
// writes a resource which another draw reads or writes needs another pass: draws see the writes of
// earlier draws. A dispatch runs at once, before the pass, unless it uses what the pass writes or
// writes what the pass uses.
//
// Shaders read the attachments as they were before the pass. So a draw that reads an attachment
// which it or an older draw writes needs another pass, and so does a draw that writes what an older
// draw reads: that is all that a texture barrier asks for (ARB_texture_barrier), without a call.
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"
#include "raster/record/pass.hpp"
#include "raster/record/pipeline.hpp"
#include "raster/resource/targets.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Returns whether the draws of pass `pass` must be rendered before this one is recorded.
bool must_wait(const DrawState& state, const PipelineImpl& pipeline, uint64_t pass);

/// Returns whether the draws of the pass must be rendered before a dispatch with these resources
/// runs.
bool must_wait(const StageResources& resources,
               const ComputePipelineImpl& pipeline,
               const Pass& pass);

/// Returns whether the draw reads or writes the buffer, except by stream output.
bool uses_buffer(const DrawState& state, const PipelineImpl& pipeline, const BufferImpl& buffer);

/// Returns whether shaders of the draw access buffers that have late writes in pass `pass`, vertex
/// and index buffers excepted.
bool shaders_read_late(const DrawState& state, const PipelineImpl& pipeline, uint64_t pass);

/// Notes the resources that the draw's shaders may write in pass `pass`.
void mark_written(const DrawState& state, const PipelineImpl& pipeline, uint64_t pass);

/// Notes the resources that a dispatch may write, after it was built.
void mark_written(const StageResources& resources, const ComputePipelineImpl& pipeline);

/// Marks the attachments that share texels with images which the draw's shaders access: tiles must
/// not overwrite what they store.
void share_image_targets(const DrawState& state,
                         const PipelineImpl& pipeline,
                         PassTargets& targets);

/// Attachments of a draw whose texels its shaders can reach as textures or images.
struct TargetReads {
    bool color = false;
    bool depth_stencil = false;
};
TargetReads target_reads(const DrawState& state, const PipelineImpl& pipeline);

}  // namespace valkyr::raster
