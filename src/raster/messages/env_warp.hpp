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

/// Returns the state of the fragment kernel, or the default state if the draw has none.
inline const exec::FragmentKey& fragment_key(const exec::Warp& warp) {
    static constexpr exec::FragmentKey kDefault{};
    const void* key = warp.draw->key;
    return key != nullptr ? *static_cast<const exec::FragmentKey*>(key) : kDefault;
}

/// Returns whether the warp's device is cancelled: slow routines then skip their work, so that a
/// warp with many messages ends soon.
inline bool is_cancelled(const exec::Warp& warp) {
    return exec::is_cancelled(warp.draw->watch);
}

/// Returns the lanes whose writes to memory count. Only fragment warps have helper lanes.
inline uint32_t storing_lanes(const exec::Warp& warp) {
    return warp.fragment != nullptr ? warp.running & warp.live : warp.running;
}

}  // namespace valkyr::raster
