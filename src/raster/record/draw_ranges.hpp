// Draw ranges: find the bytes of buffers that a draw's indices and vertex elements read.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/index_source.hpp"
#include "raster/device.hpp"
#include "raster/record/pass.hpp"
#include "raster/record/pipeline.hpp"
#include "raster/resource/late_writes.hpp"
#include "raster/resource/resource.hpp"

#include <cstdint>
#include <optional>

namespace valkyr::raster {

/// Vertex IDs low .. high.
struct IdSpan {
    uint32_t low = 0;
    uint32_t high = 0;
};

/// Returns the bound indices, in the buffer itself; none for a draw without indices.
IndexSource bound_indices(const DrawState& state);
/// Returns the bytes of the index buffer that a draw reads.
ByteRange index_range(const DrawState& state, const IndexSource& indices, const DrawInfo& info);
/// Returns the vertex IDs of a draw, from all its indices; nothing if IDs wrap or there are none.
std::optional<IdSpan> vertex_ids(const IndexSource& indices, const DrawInfo& info);

/// Returns the bytes of `buffer` that a vertex element reads. ids: those of the draw; nothing: any.
ByteRange attribute_range(const exec::AttributeDescriptor& attribute,
                          const BufferImpl& buffer,
                          const DrawInfo& info,
                          const std::optional<IdSpan>& ids);

/// Returns the address that byte 0 of the buffer would have for draws that read the current bytes
/// of `range`. Scattered bytes are gathered in the pass's arena.
const uint8_t* current_origin(BufferImpl& buffer, const ByteRange& range, Pass& pass);

/// Returns whether the pass must be rendered before this draw is recorded, because reading late
/// writes would cost the draw more than that.
bool must_land_writes(const DrawState& state,
                      const PipelineImpl& pipeline,
                      const DrawInfo& info,
                      const Pass& pass);

}  // namespace valkyr::raster
