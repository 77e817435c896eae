// Block pool: keeps the memory of resources that have ended for the next ones of the same size.
// SPDX-License-Identifier: MIT
//
// New pages cost a fault each, which takes longer than filling them. The C library keeps freed
// memory as well, but small allocations break large blocks up: a program that makes a texture for
// each picture would get new pages for many of them. So large blocks are mapped apart, with all
// their pages at once, and are kept.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace valkyr::raster {

/// A block of memory at a 64-byte boundary, or none.
class Block {
public:
    Block() = default;
    Block(Block&& other) noexcept
        : bytes_(std::exchange(other.bytes_, nullptr))
        , size_(other.size_)
        , zero_(other.zero_) {}
    Block& operator=(Block&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        std::swap(size_, other.size_);
        std::swap(zero_, other.zero_);
        return *this;
    }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    ~Block();

    /// Blocks of so many bytes are mapped from the system, and hold zeros.
    static constexpr size_t kMapped = size_t{64} << 10;

    /// Returns no block without memory.
    static Block allocate(size_t size) noexcept;

    [[nodiscard]] std::byte* get() const noexcept { return bytes_; }
    [[nodiscard]] size_t size() const noexcept { return size_; }
    /// Whether all bytes are 0; otherwise they are undefined.
    [[nodiscard]] bool is_zero() const noexcept { return zero_; }
    void mark_used() noexcept { zero_ = false; }

private:
    std::byte* bytes_ = nullptr;
    size_t size_ = 0;
    bool zero_ = false;
};

/// The pool of a device. Any thread may call it.
class BlockPool {
public:
    /// Smaller blocks are not kept: they have few pages.
    static constexpr size_t kSmallest = Block::kMapped;
    /// Larger blocks are not kept.
    static constexpr size_t kLargest = size_t{4} << 20;
    /// Most bytes of blocks that no resource has.
    static constexpr size_t kMostIdleBytes = size_t{16} << 20;

    BlockPool();

    /// As Block::allocate().
    Block take(size_t size) noexcept;
    void give(Block block) noexcept;
    [[nodiscard]] size_t idle_bytes() const noexcept;

private:
    mutable std::mutex mutex_;  ///< for both
    std::vector<Block> idle_;   ///< the longest idle first; its capacity is enough for all
    size_t idle_bytes_ = 0;
};

/// A block that goes back to its pool.
class PooledBlock {
public:
    PooledBlock() = default;
    /// pool  null: the block is freed
    PooledBlock(std::shared_ptr<BlockPool> pool, size_t size) noexcept
        : pool_(std::move(pool))
        , block_(pool_ != nullptr ? pool_->take(size) : Block::allocate(size)) {}
    PooledBlock(PooledBlock&&) noexcept = default;
    PooledBlock& operator=(PooledBlock&& other) noexcept {
        std::swap(pool_, other.pool_);
        std::swap(block_, other.block_);
        return *this;
    }
    PooledBlock(const PooledBlock&) = delete;
    PooledBlock& operator=(const PooledBlock&) = delete;
    ~PooledBlock() {
        if (pool_ != nullptr)
            pool_->give(std::move(block_));
    }

    explicit operator bool() const noexcept { return block_.get() != nullptr; }
    [[nodiscard]] std::byte* get() const noexcept { return block_.get(); }
    /// As Block::is_zero(), before anybody has written.
    [[nodiscard]] bool is_zero() const noexcept { return block_.is_zero(); }

private:
    std::shared_ptr<BlockPool> pool_;
    Block block_;
};

}  // namespace valkyr::raster
