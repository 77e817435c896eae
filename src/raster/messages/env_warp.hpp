// What message routines ask of a warp: its lanes, its key, its descriptors.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"

#include <bit>
#include <cstdint>

namespace valkyr::raster {

/// Calls body(lane) for each lane of a mask, in ascending order.
template <typename Body>
void for_each_lane(uint32_t mask, Body&& body) {
    for (; mask != 0; mask &= mask - 1)
        body(static_cast<unsigned>(std::countr_zero(mask)));
}

/// Resource tables, the high byte of a handle (exec/abi.hpp).
enum class Table : uint8_t {
    ConstantBuffers,
    Attributes,
    VertexBuffers,
    Samplers,
    Textures,
    Images
};

/// The descriptor that a handle names, or null if it is of another table or out of range.
template <typename Descriptor>
const Descriptor*
find_descriptor(const Descriptor* descriptors, uint32_t count, uint32_t handle, Table table) {
    const uint32_t index = handle & 0xFFFFFF;
    if (handle >> 24 != static_cast<uint32_t>(table) || index >= count || descriptors == nullptr)
        return nullptr;
    return descriptors + index;
}

/// State of the fragment kernel; the default state if the draw has none.
inline const exec::FragmentKey& fragment_key(const exec::Warp& warp) {
    static constexpr exec::FragmentKey kDefault{};
    const void* key = warp.draw->key;
    return key != nullptr ? *static_cast<const exec::FragmentKey*>(key) : kDefault;
}

/// Lanes whose writes to memory count. Only fragment warps have helpers.
inline uint32_t storing_lanes(const exec::Warp& warp) {
    return warp.fragment != nullptr ? warp.running & warp.live : warp.running;
}

}  // namespace valkyr::raster
