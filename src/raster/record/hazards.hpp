// Hazards: find draws that must not overtake shaders' writes to images and buffers.
// SPDX-License-Identifier: MIT
//
// Within a pass all vertices come before all fragments, and tiles come in any order. So a draw that
// writes what another one reads or writes is in another pass: draws see what earlier ones left.
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"
#include "raster/record/pipeline.hpp"
#include "raster/resource/targets.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Whether the draws of pass `pass` must be rendered before this one is recorded.
bool must_wait(const DrawState& state, const PipelineImpl& pipeline, uint64_t pass);

/// Whether the draw reads or writes the buffer, but for stream output.
bool uses_buffer(const DrawState& state, const PipelineImpl& pipeline, const BufferImpl& buffer);

/// Whether shaders of the draw read or write buffers, but for vertices and indices, that have late
/// writes in pass `pass`.
bool shaders_read_late(const DrawState& state, const PipelineImpl& pipeline, uint64_t pass);

/// Notes what the draw's shaders may write in pass `pass`.
void mark_written(const DrawState& state, const PipelineImpl& pipeline, uint64_t pass);

/// errors  InvalidState: an image has texels of an attachment
Result<void> validate_images(const DrawState& state, const PassTargets& targets);

}  // namespace valkyr::raster
