// Runs: cut the elements of a draw at its restart indices.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/assemble.hpp"
#include "raster/data/draw_record.hpp"
#include "raster/data/index_source.hpp"

#include <cstdint>
#include <numeric>
#include <optional>
#include <span>

namespace valkyr::raster {

/// Returns the primitives that a run of `count` elements makes; for patches, the patches.
inline uint64_t primitive_count(const AssemblyState& assembly, uint64_t count) {
    if (assembly.primitive == Primitive::Patches)
        return count / assembly.patch_vertices;
    return primitive_count(assembly.primitive, count);
}
/// Returns the primitives as gl_PrimitiveID counts them.
inline uint64_t primitive_ids(const AssemblyState& assembly, uint64_t count) {
    if (assembly.primitive == Primitive::Patches)
        return count / assembly.patch_vertices;
    return primitive_ids(assembly.primitive, count);
}

/// Elements between two polls of the device's watch: a fraction of a millisecond.
inline constexpr uint32_t kElementsBetweenLooks = 65536;

/// Polls the watch of a draw's device every kElementsBetweenLooks elements.
class ElementWatch {
public:
    explicit ElementWatch(const exec::LoopWatch* watch)
        : watch_(watch) {}
    /// Returns whether the device was cancelled at the last poll; `element` must not decrease.
    [[nodiscard]] bool cancelled_at(uint64_t element) {
        if (element < next_look_)
            return false;
        next_look_ = element + kElementsBetweenLooks;
        return exec::is_cancelled(watch_);
    }

private:
    const exec::LoopWatch* watch_;
    uint64_t next_look_ = 0;
};

/// Returns the element behind the run that begins at element `at`; nullopt if the device is
/// cancelled.
inline std::optional<uint32_t>
run_end(const AssemblyState& assembly, uint32_t at, ElementWatch& watch) {
    uint32_t stop = at;
    while (stop < assembly.count &&
           fetch_index(assembly.indices, uint64_t{assembly.first} + stop) !=
               assembly.restart_index) {
        ++stop;
        if (stop % kElementsBetweenLooks == 0 && watch.cancelled_at(stop))
            return std::nullopt;
    }
    return watch.cancelled_at(stop) ? std::nullopt : std::optional(stop);
}

/// Calls visit(first element, elements) for each run that is not empty, in order, until visit
/// returns false or `device` is cancelled.
template <typename Visit>
void for_each_run(const AssemblyState& assembly, const exec::LoopWatch* device, Visit visit) {
    if (!assembly.restart) {
        visit(uint32_t{0}, assembly.count);
        return;
    }
    ElementWatch watch(device);
    for (uint32_t at = 0; at < assembly.count;) {
        const std::optional<uint32_t> stop = run_end(assembly, at, watch);
        if (!stop || (*stop > at && !visit(at, *stop - at)))
            return;
        at = *stop + 1;
    }
}

/// Returns the vertex ID of an element (exec::kVertexIdRegister).
inline uint32_t element_vertex(const AssemblyState& assembly, uint32_t element) {
    const uint64_t position = uint64_t{assembly.first} + element;
    if (assembly.indices.type == IndexType::None)
        return static_cast<uint32_t>(position);
    return fetch_index(assembly.indices, position) + static_cast<uint32_t>(assembly.base_vertex);
}

/// Does element_vertex() for consecutive elements from `first` on.
inline void
element_vertices(const AssemblyState& assembly, uint32_t first, std::span<uint32_t> ids) {
    const uint64_t position = uint64_t{assembly.first} + first;
    if (assembly.indices.type == IndexType::None) {
        std::iota(ids.begin(), ids.end(), static_cast<uint32_t>(position));
        return;
    }
    fetch_indices(assembly.indices, position, ids);
    for (uint32_t& id : ids)
        id += static_cast<uint32_t>(assembly.base_vertex);
}

}  // namespace valkyr::raster
