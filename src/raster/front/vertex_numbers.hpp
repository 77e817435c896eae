// Vertex numbers: number the vertices of a chunk in the order in which they are first used.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// The distinct vertices of at most kChunkPrimitives primitives. A vertex may get a second number
/// if another vertex has overwritten its place in the table.
class VertexNumbers {
public:
    void clear() { count_ = 0; }
    /// Returns the number of the vertex with this ID.
    uint16_t number(uint32_t id) {
        // An entry is valid only if the vertex that it names has this ID: so chunks need no reset.
        uint16_t& slot = of_hash_[(id * 0x9E3779B1U) >> (32 - kHashBits)];
        if (slot < count_ && ids_[slot] == id)
            return slot;
        slot = static_cast<uint16_t>(count_);
        ids_[count_++] = id;
        return slot;
    }
    /// Sets the number of vertices; the caller writes their IDs to ids().
    void set_count(uint32_t count) { count_ = count; }

    [[nodiscard]] uint32_t count() const { return count_; }
    /// IDs by number, with room for two more warps.
    [[nodiscard]] uint32_t* ids() { return ids_.data(); }

private:
    static constexpr unsigned kHashBits = 11;

    uint32_t count_ = 0;
    std::array<uint32_t, kChunkVertices + 2 * exec::kLanes> ids_{};
    std::array<uint16_t, 1U << kHashBits> of_hash_{};
};

}  // namespace valkyr::raster
