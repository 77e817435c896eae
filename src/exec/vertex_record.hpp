// Vertex record: holds one vertex as vertex and geometry programs write it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace valkyr::exec {

/// The head of a vertex record; varying slot s follows at varying_offset(s).
struct VertexRecord {
    float position[4];  ///< clip coordinates x, y, z, w
    float point_size;   ///< pixels
    uint16_t layer;
    uint16_t viewport;      ///< viewport index
    uint32_t emission;      ///< geometry programs: EmissionBits
    uint32_t primitive_id;  ///< geometry programs that write it
};

/// VertexRecord::emission: the stream of an emitted vertex, and whether it begins a strip there.
/// The record behind the last one that an invocation may emit holds the number of its vertices.
enum EmissionBits : uint32_t {
    kEmissionStream = 3,
    kEmissionBegins = 4,
};

/// Records that one invocation of a geometry program has room for: as many as it may emit, and one
/// that takes what it emits beyond.
constexpr uint32_t emission_records(uint32_t max_vertices) {
    return max_vertices + 1;
}

/// Bytes of a varying slot: four 32-bit numbers.
inline constexpr uint32_t kVaryingSlotBytes = 16;
/// Offset of varying slot 0 in a vertex record, in bytes.
inline constexpr uint32_t kRecordVaryings = sizeof(VertexRecord);

/// Offset of a varying slot in a vertex record, in bytes.
constexpr uint32_t varying_offset(size_t slot) {
    return kRecordVaryings + kVaryingSlotBytes * static_cast<uint32_t>(slot);
}

/// Bytes of a vertex record with this number of varying slots.
constexpr uint32_t record_stride(uint32_t slots) {
    return varying_offset(slots);
}

/// The head of a patch record; slot s follows at varying_offset(s), and patch records are as long
/// as vertex records with as many slots.
struct PatchRecord {
    float outer[4];  ///< tessellation levels
    float inner[2];
    uint32_t id;  ///< gl_PrimitiveID
    uint32_t reserved;
};
/// A point of a patch's domain, as tessellation evaluation programs read it.
struct DomainPoint {
    float u, v, w;   ///< gl_TessCoord
    uint32_t patch;  ///< number of the patch record in the call
};

static_assert(sizeof(PatchRecord) == sizeof(VertexRecord));
static_assert(offsetof(PatchRecord, inner) == 16);
static_assert(offsetof(PatchRecord, id) == 24);
static_assert(sizeof(DomainPoint) == 16);
static_assert(offsetof(VertexRecord, point_size) == 16);
static_assert(offsetof(VertexRecord, layer) == 20);
static_assert(offsetof(VertexRecord, viewport) == 22);
static_assert(offsetof(VertexRecord, emission) == 24);
static_assert(offsetof(VertexRecord, primitive_id) == 28);
static_assert(sizeof(VertexRecord) == 32);

}  // namespace valkyr::exec
