// Guest watcher: is told what is read from guest storage.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace valkyr::virgl {

class GuestWatcher {
public:
    virtual ~GuestWatcher() = default;
    /// `bytes` from `offset` of a resource's guest storage are about to be copied to the host.
    virtual void
    guest_read(uint32_t resource, uint64_t offset, std::span<const std::byte> bytes) = 0;
};

}  // namespace valkyr::virgl
