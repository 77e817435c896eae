// Warp queries: gives message routines the lanes and the key of a warp.
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

/// State of the fragment kernel; the default state if the draw has none.
inline const exec::FragmentKey& fragment_key(const exec::Warp& warp) {
    static constexpr exec::FragmentKey kDefault{};
    const void* key = warp.draw->key;
    return key != nullptr ? *static_cast<const exec::FragmentKey*>(key) : kDefault;
}

/// Whether nobody wants the results of this warp: slow routines leave them out, so that a warp of
/// many messages soon ends.
inline bool is_cancelled(const exec::Warp& warp) {
    return exec::is_cancelled(warp.draw->watch);
}

/// Lanes whose writes to memory count. Only fragment warps have helpers.
inline uint32_t storing_lanes(const exec::Warp& warp) {
    return warp.fragment != nullptr ? warp.running & warp.live : warp.running;
}

}  // namespace valkyr::raster
