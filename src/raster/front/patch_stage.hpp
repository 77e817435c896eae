// Patch stage: shades the vertices of patches, divides their domains and shades the points.
// SPDX-License-Identifier: MIT
//
// Rules: GL 4.6 section 11.2; docs/rules/tessellation.md.
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/data/shade_vertices.hpp"
#include "raster/front/geometry_stage.hpp"
#include "raster/tessellation/tessellation_cache.hpp"
#include "raster/tessellation/tessellator.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace valkyr::raster {

/// One worker's tessellation stages. Its memory is bounded by a group of patches, and by the points
/// of a chunk or of one patch.
class PatchStage {
public:
    /// Begins with other patches.
    void begin(const GeometryInput& input);
    /// Makes the next primitives: as many as fit in a chunk. Returns false if there are none left,
    /// or the device is cancelled. The result is valid until the next call.
    /// refs  the primitives are in Emissions::refs
    bool next(const KernelWorker& worker, bool refs, Emissions& made);
    /// Returns the number of vertices and points that the last call shaded.
    [[nodiscard]] uint32_t shaded_vertices() const { return shaded_; }

private:
    void shade_group(const KernelWorker& worker);
    void run_control(const KernelWorker& worker, uint32_t patches);
    void choose_levels(uint32_t patches);
    /// Adds the next piece of the patch at hand; returns false if the chunk has no room for it.
    bool add_piece();
    /// Makes a chunk of the next piece of a patch that has several; returns false if the chunk has
    /// something already. All points of the patch are shaded with its first piece.
    bool take_piece();
    void end_piece();
    void add_points(uint32_t first);
    void add_primitives(const TessellationPiece& piece, uint32_t first);
    void list_primitives();
    void shade_points(const KernelWorker& worker);
    [[nodiscard]] exec::ComputeCall call(const KernelWorker& worker,
                                         const exec::DrawContext* context);
    /// Whether the evaluation program stores to buffers or images.
    [[nodiscard]] bool has_effects() const;
    [[nodiscard]] exec::PatchRecord& patch_record(uint32_t patch);

    GeometryInput input_;
    TessellationCache cache_;

    // The group of patches at hand.
    std::vector<uint32_t> ids_;
    std::vector<uint8_t> inputs_;                       ///< records of the vertex program
    std::vector<uint8_t> controls_;                     ///< records of the control program
    std::vector<uint8_t> patches_;                      ///< patch records
    std::vector<std::optional<TessellationKey>> keys_;  ///< by patch; none: culled
    uint32_t patch_ = 0;                                ///< the next patch to divide
    const TessellationPieces* domain_ = nullptr;        ///< of that patch; null: not divided
    size_t piece_ = 0;
    std::array<exec::WarpContext, exec::kMaxPatchWarps> contexts_;

    // The chunk at hand.
    std::vector<exec::DomainPoint> points_;  ///< that it shades
    std::vector<uint8_t> records_;
    const TessellationPiece* part_ = nullptr;  ///< one piece of several; null: all points
    std::array<PrimitiveRef, kChunkPrimitives> refs_;
    uint32_t made_ = 0;  ///< primitives in refs_
    std::vector<EmittedPrimitive> primitives_;
    uint32_t shaded_ = 0;
};

/// Returns the patches of a draw that are shaded together.
uint32_t patches_per_group(const DrawRecord& draw);

}  // namespace valkyr::raster
