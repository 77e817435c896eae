// Block pool: keeps the memory of resources that have ended for the next ones of the same size.
// SPDX-License-Identifier: MIT
#include "raster/support/block_pool.hpp"

#include <algorithm>
#include <utility>

namespace valkyr::raster {

BlockPool::BlockPool() {
    idle_.reserve(kMostIdleBytes / kSmallest + 1);
}

AlignedBytes BlockPool::take(size_t bytes) noexcept {
    {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find(idle_, bytes, &Idle::bytes);
        if (found != idle_.end()) {
            AlignedBytes block = std::move(found->block);
            idle_.erase(found);
            idle_bytes_ -= bytes;
            return block;
        }
    }
    AlignedBytes block = allocate_aligned(bytes);
    if (block)
        return block;
    const std::lock_guard lock(mutex_);
    idle_.clear();
    idle_bytes_ = 0;
    return allocate_aligned(bytes);
}

void BlockPool::give(AlignedBytes block, size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    idle_bytes_ += bytes;
    idle_.push_back({std::move(block), bytes});
    while (idle_bytes_ > kMostIdleBytes) {
        idle_bytes_ -= idle_.front().bytes;
        idle_.erase(idle_.begin());
    }
}

size_t BlockPool::idle_bytes() const noexcept {
    const std::lock_guard lock(mutex_);
    return idle_bytes_;
}

}  // namespace valkyr::raster
