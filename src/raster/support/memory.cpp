// Memory: takes the next slab when an arena is full.
// SPDX-License-Identifier: MIT
#include "raster/support/memory.hpp"

#include <algorithm>
#include <cstring>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace valkyr::raster {

AlignedBytes allocate_huge(size_t bytes) noexcept {
    constexpr size_t kHugePage = size_t{2} << 20;
    if (bytes < kHugePage)
        return allocate_aligned(bytes);
    void* memory = ::operator new[](bytes, std::align_val_t{kHugePage}, std::nothrow);
#if defined(__linux__)
    if (memory != nullptr)
        madvise(memory, bytes & ~(kHugePage - 1), MADV_HUGEPAGE);  // failure is harmless
#endif
    return AlignedBytes(static_cast<std::byte*>(memory), AlignedDelete{kHugePage});
}

void Arena::next_slab(size_t bytes) {
    size_t full = full_ + (slabs_.empty() ? 0 : slabs_[slab_].size);
    size_t next = slabs_.empty() ? 0 : slab_ + 1;
    for (; next < slabs_.size() && slabs_[next].size < bytes; ++next)
        full += slabs_[next].size;
    if (next >= slabs_.size()) {
        const size_t size = std::max(bytes, slab_bytes_);
        AlignedBytes memory = allocate_huge(size);
        if (!memory)
            throw std::bad_alloc();
        // Cancelled kernels do not write their records: old contents of the memory must not show
        // there.
        std::memset(memory.get(), 0, size);
        slabs_.push_back({std::move(memory), size});
        next = slabs_.size() - 1;
    }
    full_ = full;
    slab_ = next;
    cursor_ = slabs_[next].bytes.get();
    end_ = cursor_ + slabs_[next].size;
}

}  // namespace valkyr::raster
