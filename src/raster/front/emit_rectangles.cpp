// Rectangle emission: draws two triangles as one rectangle of pixels where that changes no pixel.
// SPDX-License-Identifier: MIT
//
// Geometry programs make sprites as strips of four vertices. The first corner of both triangles is
// an end of their common edge (source_geometry.cpp); if all q are equal, it is the anchor of both.
// Let the corners be those of an axis-aligned rectangle, z equal everywhere, and each component
// change along at most one side. Then one of the two products of each gradient is 0, or both are
// equal, and both triangles have equal planes.
#include "base/float_bits.hpp"
#include "raster/front/chunk_vertices.hpp"
#include "raster/front/emit.hpp"

#include <cstring>

namespace valkyr::raster {
namespace {

using Words __attribute__((vector_size(16))) = uint32_t;

Words load(const void* place) {
    Words words;
    std::memcpy(&words, place, sizeof(words));
    return words;
}

template <typename Vector>
bool any(const Vector& words) {
    uint64_t halves[2];
    std::memcpy(halves, &words, sizeof(halves));
    return (halves[0] | halves[1]) != 0;
}

/// Differences between four corners 0 to 3; 0 and 3 lie opposite each other.
struct Differences {
    Words first;   ///< along the side from 0 to 1
    Words second;  ///< along the side from 0 to 2

    explicit Differences(const Words (&corner)[4])
        : first((corner[0] ^ corner[1]) | (corner[2] ^ corner[3]))
        , second((corner[0] ^ corner[2]) | (corner[1] ^ corner[3])) {}
};

bool is_rectangle(const WindowRow* rows) {
    const Words corners[4] = {load(rows), load(rows + 1), load(rows + 2), load(rows + 3)};
    const Differences d(corners);
    const bool depth = (d.first[2] | d.first[3] | d.second[2] | d.second[3]) == 0;
    return depth && ((d.first[1] | d.second[0]) == 0 || (d.first[0] | d.second[1]) == 0);
}

/// Returns whether some component changes along both sides, is so large that its gradient may be
/// infinite or NaN, or is a negative zero, which adding zero would change.
bool needs_two_planes(const Words (&corner)[4]) {
    using float_bits::kSign;
    constexpr uint32_t kLarge = 0x71800000;  // 2^100
    const Differences d(corner);
    const auto unfit = [&](const Words& value) {
        return ((value & ~kSign) >= kLarge) | (value == kSign);
    };
    return any(((d.first != 0) & (d.second != 0)) | unfit(corner[1]) | unfit(corner[2]));
}

/// Returns whether both triangles of every rectangle have equal planes of a slot.
bool have_one_plane(const Chunk& chunk, SlotKind kind, uint32_t offset) {
    const PrimitiveRef* primitives = chunk.primitives.data();
    for (uint32_t i = 0; i < chunk.pairs.size(); ++i) {
        const auto value = [&](uint32_t v) { return load(chunk.vertices.record(v) + offset); };
        const uint32_t v = 4 * i;
        if (kind == SlotKind::Flat) {
            if (any(value(primitives[2 * i].provoking) ^ value(primitives[2 * i + 1].provoking)))
                return false;
        } else {
            const Words corners[4] = {value(v), value(v + 1), value(v + 2), value(v + 3)};
            if (needs_two_planes(corners))
                return false;
        }
    }
    return true;
}

/// Returns whether each two triangles of the chunk are a rectangle with equal planes.
bool are_rectangles(const TileState& tile, const Chunk& chunk) {
    for (uint32_t i = 0; i < chunk.pairs.size(); ++i)
        if (!is_rectangle(chunk.vertices.rows + size_t{4} * i))
            return false;
    for (uint32_t k = 0; k < tile.slot_count; ++k) {
        const auto& [kind, slot, offset] = tile.slots[k];
        if (kind == SlotKind::Zero)
            continue;
        if (!have_one_plane(chunk, kind, offset[0]) ||
            (offset[1] != offset[0] && !have_one_plane(chunk, kind, offset[1])))
            return false;
    }
    return true;
}

}  // namespace

bool emit_rectangles(FrontWorker& front, const DrawRecord& draw, Chunk& chunk) {
    ChunkVertices& vertices = chunk.vertices;
    if (vertices.any_code != 0 || !are_rectangles(*draw.tile, chunk))
        return false;
    const auto count = static_cast<uint32_t>(chunk.pairs.size());
    const uint32_t kept =
        front.output.ops->cull(*draw.shape, vertices.rows, nullptr, chunk.pairs.data(), count, true,
                               true, front.survivors.data());
    front.output.statistics.triangles_culled += 2 * (count - kept);
    if (kept == 0) {
        drop_vertices(front, vertices);
        return true;
    }
    keep_varyings(*draw.shape, vertices);
    Batch batch = batch_of(draw, vertices);
    batch.quads = true;
    bin_survivors(front, chunk, batch, chunk.pairs, kept, kUnclipped);
    return true;
}

}  // namespace valkyr::raster
