// Guest pool: keeps guest storage of one client for its next resources.
// SPDX-License-Identifier: MIT
//
// A memfd takes 30 to 150 microseconds, and each of its pages costs two page faults. A client makes
// a buffer of some bytes for every fence, and programs that upload a picture into a new texture
// again and again make storage of its size. Storage goes back to the client that had it before, and
// to no other one.
#pragma once

#include "virgl/protocol/shared_memory.hpp"

#include <vector>

namespace valkyr::virgl {

class GuestPool {
public:
    /// Storage of more bytes is not kept.
    static constexpr size_t kLargest = size_t{4} << 20;
    /// Most storage that has a descriptor on this side, idle or not: descriptors are few.
    static constexpr size_t kMost = 64;
    /// A client's part of the descriptors that the process may have.
    static constexpr size_t kClients = 64;
    /// Most bytes of idle storage.
    static constexpr size_t kMostIdleBytes = size_t{16} << 20;

    /// most  storage with descriptors, at most kMost
    explicit GuestPool(size_t most);
    /// A pool of the process's limit of descriptors (RLIMIT_NOFILE) divided by kClients.
    GuestPool();

    /// Returns `bytes` bytes of zeros. errors  as SharedMemory::create()
    Result<SharedMemory> take(size_t bytes);
    /// Call once the client has the descriptor. The pool keeps this side's, until there are too
    /// many younger ones.
    void share(SharedMemory& memory) noexcept;
    /// Takes back the storage of a resource that ends.
    void give(SharedMemory&& memory) noexcept;

private:
    void drop_oldest_idle() noexcept;

    /// The descriptor of storage that a resource has.
    struct Lent {
        const std::byte* place;
        Descriptor descriptor;
    };

    size_t most_;
    std::vector<SharedMemory> idle_;  ///< the longest idle first
    std::vector<Lent> lent_;          ///< the oldest first
    size_t idle_bytes_ = 0;
};

}  // namespace valkyr::virgl
