// Guest pool: keeps small guest storage of one client for its next resources.
// SPDX-License-Identifier: MIT
//
// A client makes a buffer of some bytes for every fence, and with it a memfd, which takes 30 to 150
// microseconds. Storage goes back to the client that had it before, and to no other one.
#pragma once

#include "virgl/protocol/shared_memory.hpp"

#include <vector>

namespace valkyr::virgl {

class GuestPool {
public:
    /// Storage of more bytes is not kept.
    static constexpr size_t kLargest = 4096;
    /// Most storage with a descriptor of this side, idle or not: descriptors are few.
    static constexpr size_t kMost = 16;

    GuestPool() { idle_.reserve(kMost); }

    /// Returns `bytes` bytes of zeros. errors  as SharedMemory::create()
    Result<SharedMemory> take(size_t bytes);
    /// Call once the client has the descriptor: closes this side's, unless the storage will be
    /// kept.
    void share(SharedMemory& memory) noexcept;
    /// Takes back the storage of a resource that ends.
    void give(SharedMemory&& memory) noexcept;

private:
    std::vector<SharedMemory> idle_;
    size_t open_ = 0;  ///< storage with a descriptor that share() left open, and idle storage
};

}  // namespace valkyr::virgl
