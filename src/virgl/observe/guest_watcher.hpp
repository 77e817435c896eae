// Guest watcher: interface that gets the bytes read from guest storage.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace valkyr::virgl {

class GuestWatcher {
public:
    virtual ~GuestWatcher() = default;
    /// Called before `bytes`, at `offset` of a resource's guest storage, are copied to the host.
    virtual void
    guest_read(uint32_t resource, uint64_t offset, std::span<const std::byte> bytes) = 0;
};

}  // namespace valkyr::virgl
