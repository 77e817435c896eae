// Clipping: cuts the few primitives that need it (docs/rules/raster-rules.md, "Clipping").
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/vertex_record.hpp"
#include "raster/data/batch.hpp"
#include "raster/data/draw_record.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// Clips polygons in clip space against the planes of a draw. Each worker has one object.
class Clipper {
public:
    static constexpr unsigned kPlanes = 15;  ///< near, far, w, 4 of the guard band, 8 user planes
    static constexpr unsigned kMaxVertices = 4 + kPlanes;
    static constexpr unsigned kRecordFloats =
        exec::record_stride(2 * exec::kMaxVaryingSlots) / sizeof(float);

    /// Starts with a polygon of up to four vertex records.
    void begin(const DrawRecord& draw, const uint8_t* const* records, uint32_t count);
    /// Clips against the planes of the draw; returns the number of remaining vertices: 0, or at
    /// least 3.
    uint32_t clip();
    /// Copies the flat varyings of the provoking vertex to every vertex.
    void copy_flat(const uint8_t* provoking);

    [[nodiscard]] const uint8_t* record(uint32_t i) const {
        return reinterpret_cast<const uint8_t*>(vertices_[current_][i].data());
    }

private:
    using Vertex = std::array<float, kRecordFloats>;
    using Polygon = std::array<Vertex, kMaxVertices>;

    void clip_plane(uint32_t bit);
    void emit(const Vertex& vertex);
    void emit_crossing(const Vertex& in, float d_in, const Vertex& out, float d_out);

    const ShapeState* shape_ = nullptr;
    const TileState* tile_ = nullptr;
    std::array<Polygon, 2> vertices_;
    unsigned current_ = 0;
    uint32_t count_ = 0;
    uint32_t next_count_ = 0;
    uint32_t floats_ = 0;  ///< floats of a record
};

/// Returns the signed distance of a vertex record from the plane of one clip bit; negative or NaN:
/// outside. Its operations equal those of the vector code in level_front.inl.
float plane_distance(const ClipState& clip, uint32_t bit, const uint8_t* record);

/// Sets the varyings without perspective of a record that lies at t between two records in clip
/// space: they are interpolated by its window position.
void set_linear_varyings(
    const TileState& tile, const uint8_t* in, const uint8_t* out, float t, uint8_t* record);

/// Computes the window row of one vertex; returns false if it has no finite place in the guard
/// band.
bool window_row(const ClipState& clip, const uint8_t* record, WindowRow& row);

}  // namespace valkyr::raster
