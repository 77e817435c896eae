// Vertex shading: calls the vertex kernel of a draw.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/bits.hpp"
#include "exec/calls.hpp"
#include "raster/data/draw_record.hpp"

#include <algorithm>
#include <cstdint>

namespace valkyr::raster {

/// Members of a kernel call that belong to the worker (see exec::VertexCall).
struct KernelWorker {
    uint64_t tls = 0;
    uint32_t worker = 0;
    uint64_t* message_calls = nullptr;

    /// Returns a call with these members and those that all stages share.
    [[nodiscard]] exec::VertexCall
    call(const exec::DrawContext* draw, uint8_t* records, uint32_t stride, uint32_t count) const {
        exec::VertexCall call;
        call.draw = draw;
        call.records = records;
        call.record_stride = stride;
        call.count = count;
        call.tls = tls;
        call.worker = worker;
        call.message_calls = message_calls;
        return call;
    }
};

/// Shades `count` vertices, at least one.
/// ids      vertex IDs; the array has room for whole warps, which are padded with the last ID
/// records  room for whole warps, `stride` bytes each
inline void shade_vertices(const DrawRecord& draw,
                           const KernelWorker& worker,
                           uint32_t instance,
                           uint32_t* ids,
                           uint32_t count,
                           uint8_t* records,
                           uint32_t stride) {
    std::fill(ids + count, ids + align_up(count, exec::kLanes), ids[count - 1]);
    exec::VertexCall call = worker.call(draw.vertex, records, stride, count);
    call.vertex_ids = ids;
    call.instance_id = instance;
    draw.vertex_kernel(call);
}

}  // namespace valkyr::raster
