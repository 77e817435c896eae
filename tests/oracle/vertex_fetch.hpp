// Vertex fetch: reads index streams and vertex attributes, one element at a time.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "tests/oracle/format.hpp"

#include <cstdint>
#include <vector>

namespace valkyr::reference {

/// The vertex IDs of a draw, cut at restart indices. Indexed draws: index + base vertex, modulo
/// 2^32; an index outside of its buffer counts as 0. Other draws: first, first + 1, ...
std::vector<std::vector<uint32_t>> vertex_streams(const raster::DrawState& state,
                                                  const raster::DrawInfo& info);

/// Decodes attribute `element` of a vertex; (0,0,0,0) outside of the buffer.
Vec4 fetch_attribute(const raster::DrawState& state,
                     const raster::PipelineDesc& pipeline,
                     const raster::VertexElement& element,
                     uint32_t vertex_id,
                     uint32_t instance,
                     uint32_t first_instance);

}  // namespace valkyr::reference
