// Memory: allocates aligned byte blocks, and small objects from an arena that keeps its slabs.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace valkyr::raster {

struct AlignedDelete {
    size_t alignment = 64;
    void operator()(std::byte* p) const noexcept {
        ::operator delete[](p, std::align_val_t{alignment});
    }
};
/// Bytes at a 64-byte boundary.
using AlignedBytes = std::unique_ptr<std::byte[], AlignedDelete>;

/// Allocates uninitialised bytes; returns null without memory.
inline AlignedBytes allocate_aligned(size_t bytes) noexcept {
    return AlignedBytes(
        static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{64}, std::nothrow)));
}

/// Allocates a large block and asks for huge pages: vertices are read in random order, and with
/// small pages each read would miss the TLB.
AlignedBytes allocate_huge(size_t bytes) noexcept;

/// A bump allocator. It runs no destructors, and returns memory to the system only when it is
/// destroyed; reset() makes all memory free again, so a steady state allocates nothing. When memory
/// runs out, allocate() throws std::bad_alloc and leaves the arena unchanged; ThreadPool and the
/// device's calls turn that into an error.
class Arena {
public:
    explicit Arena(size_t slab_bytes = size_t{1} << 20)
        : slab_bytes_(slab_bytes) {}

    /// Returns `bytes` at a 64-byte boundary, uninitialised.
    std::byte* allocate(size_t bytes) {
        bytes = (bytes + 63) & ~size_t{63};
        if (bytes > static_cast<size_t>(end_ - cursor_))
            next_slab(bytes);
        std::byte* result = cursor_;
        cursor_ += bytes;
        return result;
    }

    template <typename T>
    T* allocate_array(size_t count) {
        static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 64);
        return reinterpret_cast<T*>(allocate(count * sizeof(T)));
    }

    /// Gives back the unused end of the last allocation: `end` is the first byte that is not
    /// needed.
    void trim(const void* end) {
        const auto address = reinterpret_cast<uintptr_t>(end);
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the address is that of the arena's own memory.
        auto* aligned = reinterpret_cast<std::byte*>((address + 63) & ~uintptr_t{63});
        cursor_ = aligned < end_ ? aligned : end_;
    }

    /// Returns the bytes handed out since reset(), skipped slab ends included.
    [[nodiscard]] size_t used() const {
        return full_ +
               (slabs_.empty() ? 0 : static_cast<size_t>(cursor_ - slabs_[slab_].bytes.get()));
    }

    void reset() {
        slab_ = 0;
        full_ = 0;
        cursor_ = slabs_.empty() ? nullptr : slabs_[0].bytes.get();
        end_ = slabs_.empty() ? nullptr : cursor_ + slabs_[0].size;
    }

private:
    struct Slab {
        AlignedBytes bytes;
        size_t size;
    };

    void next_slab(size_t bytes);

    std::vector<Slab> slabs_;
    size_t slab_ = 0;  ///< index of the slab in use
    size_t full_ = 0;  ///< bytes of the slabs before it
    size_t slab_bytes_;
    std::byte* cursor_ = nullptr;
    std::byte* end_ = nullptr;
};

}  // namespace valkyr::raster
