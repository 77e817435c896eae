// Resource handles: names the tables of a stage and packs a table and an index in a word.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/descriptors.hpp"

#include <cstdint>
#include <span>

namespace valkyr::exec {

/// The tables of ResourceTables, by their number in handles and in immediates of messages.
enum class ResourceTable : uint8_t {
    ConstantBuffers,
    Attributes,
    VertexBuffers,
    Samplers,
    Textures,
    Images,
    // LEA_BUF_IMM only, with index 0: records of the call.
    InputRecords = 12,   ///< vertices that geometry and tessellation programs read
    VertexRecords = 13,  ///< vertices that the call writes
    PatchRecords = 14,   ///< tessellation programs: PatchRecord
    DomainPoints = 15,   ///< tessellation evaluation programs: DomainPoint
};
inline constexpr auto kFirstRecordTable = static_cast<unsigned>(ResourceTable::InputRecords);

/// A handle has its table in bits 31..24 and the index in bits 23..0.
inline constexpr unsigned kHandleTableShift = 24;
inline constexpr uint32_t kHandleIndexMask = 0xFFFFFF;

/// The handle of entry `index` (below 2^24) of a table.
constexpr uint32_t make_handle(ResourceTable table, uint32_t index) {
    return static_cast<uint32_t>(table) << kHandleTableShift | index;
}
/// The table that a handle names; guest code may name tables that do not exist.
constexpr ResourceTable table_of(uint32_t handle) {
    return static_cast<ResourceTable>(handle >> kHandleTableShift);
}
constexpr uint32_t index_of(uint32_t handle) {
    return handle & kHandleIndexMask;
}

/// Half of the narrow resource word of texture messages: index in bits 10..0, table in bits 15..11.
/// The sampler stands in the low half of the word, the texture in the high one.
inline constexpr unsigned kNarrowTableShift = 11;
inline constexpr uint32_t kNarrowIndexMask = 0x7FF;
inline constexpr unsigned kNarrowTextureShift = 16;

/// The 16 bits of entry `index` (below 2^11) of a table.
constexpr uint32_t make_narrow_handle(ResourceTable table, uint32_t index) {
    return static_cast<uint32_t>(table) << kNarrowTableShift | index;
}
/// The handle that 16 bits of a narrow resource word stand for.
constexpr uint32_t widen_narrow_handle(uint32_t bits) {
    return make_handle(static_cast<ResourceTable>(bits >> kNarrowTableShift),
                       bits & kNarrowIndexMask);
}

/// The buffers of a table; none unless it is that of the constant or the vertex buffers.
inline std::span<const BufferDescriptor> buffers_of(const ResourceTables& tables,
                                                    ResourceTable table) {
    if (table == ResourceTable::ConstantBuffers)
        return {tables.constant_buffers, tables.constant_buffer_count};
    if (table == ResourceTable::VertexBuffers)
        return {tables.vertex_buffers, tables.vertex_buffer_count};
    return {};
}

/// The entry of `descriptors`, the `count` entries of `table`, that a handle names; null if the
/// handle names another table or an index past the end.
template <typename Descriptor>
const Descriptor* find_descriptor(const Descriptor* descriptors,
                                  uint32_t count,
                                  uint32_t handle,
                                  ResourceTable table) {
    const uint32_t index = index_of(handle);
    const bool exists = table_of(handle) == table && index < count && descriptors != nullptr;
    return exists ? descriptors + index : nullptr;
}

}  // namespace valkyr::exec
