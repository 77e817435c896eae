// Block pool: keeps the memory of resources that have ended for the next ones of the same size.
// SPDX-License-Identifier: MIT
#include "raster/support/block_pool.hpp"

#include "base/sanitizers.hpp"
#include "raster/support/memory.hpp"

#include <algorithm>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace valkyr::raster {
namespace {

#if defined(__linux__)

/// Larger blocks get their pages when they are first touched: nobody waits for pages that are not
/// used, and making them cannot be interrupted.
constexpr size_t kMostAtOnce = size_t{64} << 20;
/// From this size, most of a block are pages of 2 MiB, if the system has them.
constexpr size_t kHuge = size_t{4} << 20;

std::byte* map_zeros(size_t size) noexcept {
    void* const memory =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return nullptr;
    // Failure of either is harmless.
    if (size >= kHuge)
        madvise(memory, size, MADV_HUGEPAGE);
#if defined(MADV_POPULATE_WRITE)
    if (size <= kMostAtOnce)
        madvise(memory, size, MADV_POPULATE_WRITE);
#endif
    return static_cast<std::byte*>(memory);
}

constexpr bool maps(size_t size) {
    // The address sanitizer does not see past the ends of mapped blocks.
    return !kAddressSanitizer && size >= Block::kMapped;
}

void unmap(std::byte* bytes, size_t size) noexcept {
    munmap(bytes, size);
}

#else

std::byte* map_zeros(size_t /*size*/) noexcept {
    return nullptr;
}

constexpr bool maps(size_t /*size*/) {
    return false;
}

void unmap(std::byte* /*bytes*/, size_t /*size*/) noexcept {}

#endif

}  // namespace

Block Block::allocate(size_t size) noexcept {
    Block block;
    block.zero_ = maps(size);
    block.bytes_ = maps(size) ? map_zeros(size) : allocate_aligned(size).release();
    block.size_ = block.bytes_ != nullptr ? size : 0;
    return block;
}

Block::~Block() {
    if (bytes_ == nullptr)
        return;
    if (maps(size_))
        unmap(bytes_, size_);
    else
        AlignedDelete{}(bytes_);
}

BlockPool::BlockPool() {
    idle_.reserve(kMostIdleBytes / kSmallest + 1);
}

Block BlockPool::take(size_t size) noexcept {
    {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find(idle_, size, &Block::size);
        if (found != idle_.end()) {
            Block block = std::move(*found);
            idle_.erase(found);
            idle_bytes_ -= size;
            return block;
        }
    }
    Block block = Block::allocate(size);
    if (block.get() != nullptr)
        return block;
    const std::lock_guard lock(mutex_);
    idle_.clear();
    idle_bytes_ = 0;
    return Block::allocate(size);
}

void BlockPool::give(Block block) noexcept {
    if (block.size() < kSmallest || block.size() > kLargest)
        return;
    block.mark_used();
    const std::lock_guard lock(mutex_);
    idle_bytes_ += block.size();
    idle_.push_back(std::move(block));
    while (idle_bytes_ > kMostIdleBytes) {
        idle_bytes_ -= idle_.front().size();
        idle_.erase(idle_.begin());
    }
}

size_t BlockPool::idle_bytes() const noexcept {
    const std::lock_guard lock(mutex_);
    return idle_bytes_;
}

}  // namespace valkyr::raster
