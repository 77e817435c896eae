// Prefetch: asks for cache lines before they are read or written.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

inline constexpr size_t kCacheLine = 64;

/// Prefetches the cache lines of some bytes; up to 16 aligned bytes lie in one line. The pointer
/// may be null: the code adds to an integer, because adding to a null pointer is undefined. Always
/// inline: GCC 12 removes calls of a function that only prefetches.
[[gnu::always_inline]] inline void prefetch(const void* first, size_t bytes) {
    const auto at = reinterpret_cast<uintptr_t>(first);
    for (size_t offset = 0; offset < bytes; offset += kCacheLine)
        __builtin_prefetch(reinterpret_cast<const void*>(at + offset));
    if (bytes > 16)
        __builtin_prefetch(reinterpret_cast<const void*>(at + bytes - 1));
}

/// Prefetches a cache line to be written, so that no other processor has it. Without options for
/// newer processors, GCC makes of __builtin_prefetch(place, 1) a prefetch for reading.
[[gnu::always_inline]] inline void prefetch_to_write(const std::byte* place) {
#ifdef __x86_64__
    asm volatile("prefetchw %0" : : "m"(*place));
#else
    __builtin_prefetch(place, 1);
#endif
}

}  // namespace valkyr::raster
