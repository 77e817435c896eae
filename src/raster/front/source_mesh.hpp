// Mesh source: makes chunks of indexed triangles, whose vertices it shades once as a range.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/front/chunk.hpp"
#include "raster/front/front_worker.hpp"
#include "raster/front/work_item.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace valkyr::raster {

/// The source of pieces of indexed meshes; a piece has many chunks.
class MeshSource {
public:
    /// Draws `count` primitives from primitive p of the item's run on; returns false, without
    /// effect, if they are not a piece of a mesh.
    bool draw(FrontWorker& front, const WorkItem& item, uint32_t p, uint32_t count);

private:
    template <typename Index>
    bool draw_piece(
        FrontWorker& front, const WorkItem& item, uint64_t first, uint32_t p, uint32_t count);
    /// Returns vertices with consecutive IDs, shaded and transformed.
    ChunkVertices
    shade_range(FrontWorker& front, const WorkItem& item, uint32_t first, uint32_t count);

    std::array<PrimitiveRef, kChunkPrimitives> primitives_;
    std::array<uint32_t, kChunkVertices + exec::kLanes> ids_{};
    std::vector<uint32_t> codes_;  ///< room for kMeshPrimitives after the first mesh
};

}  // namespace valkyr::raster
