// Block pool: keeps the memory of resources that have ended for the next ones of the same size.
// SPDX-License-Identifier: MIT
//
// New pages cost a fault each, which takes longer than filling them. The C library keeps freed
// memory as well, but small allocations break large blocks up: a program that makes a texture for
// each picture would get new pages for many of them.
#pragma once

#include "raster/support/memory.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace valkyr::raster {

/// The pool of a device. Any thread may call it.
class BlockPool {
public:
    /// Smaller blocks are the C library's: they have few pages.
    static constexpr size_t kSmallest = size_t{64} << 10;
    /// Larger blocks are not kept.
    static constexpr size_t kLargest = size_t{4} << 20;
    /// Most bytes of blocks that no resource has.
    static constexpr size_t kMostIdleBytes = size_t{16} << 20;

    BlockPool();

    /// Whether blocks of this size are kept.
    [[nodiscard]] static constexpr bool keeps(size_t bytes) {
        return bytes >= kSmallest && bytes <= kLargest;
    }
    /// Returns uninitialised bytes; null without memory.
    AlignedBytes take(size_t bytes) noexcept;
    /// Takes a block of `bytes` bytes, for which keeps() is true.
    void give(AlignedBytes block, size_t bytes) noexcept;
    [[nodiscard]] size_t idle_bytes() const noexcept;

private:
    struct Idle {
        AlignedBytes block;
        size_t bytes;
    };

    mutable std::mutex mutex_;  ///< for both
    std::vector<Idle> idle_;    ///< the longest idle first; its capacity is enough for all
    size_t idle_bytes_ = 0;
};

/// Gives a block back to its pool.
struct PoolDelete {
    std::shared_ptr<BlockPool> pool;  ///< null: the block is freed
    size_t bytes = 0;
    void operator()(std::byte* block) const noexcept {
        AlignedBytes owned(block);
        if (pool != nullptr)
            pool->give(std::move(owned), bytes);
    }
};
using PooledBytes = std::unique_ptr<std::byte[], PoolDelete>;

/// Allocates uninitialised bytes at a 64-byte boundary; null without memory.
/// pool  may be null
inline PooledBytes allocate_pooled(const std::shared_ptr<BlockPool>& pool, size_t bytes) noexcept {
    if (pool == nullptr || !BlockPool::keeps(bytes))
        return PooledBytes(allocate_aligned(bytes).release());
    return {pool->take(bytes).release(), PoolDelete{pool, bytes}};
}

}  // namespace valkyr::raster
