// Prefetch: asks for cache lines before they are read or written.
// SPDX-License-Identifier: MIT
//
// The functions are always inline: files for one host level may use them, and GCC 12 removes calls
// of a function that only prefetches.
#pragma once

#include <cstddef>
#include <cstdint>

namespace valkyr {

inline constexpr size_t kCacheLine = 64;

/// How far loops that write memory in order prefetch ahead, in bytes. Their stores would wait, one
/// after the other, for lines that another processor has read.
inline constexpr size_t kWriteAhead = 2048;

/// Prefetches the cache lines of some bytes; up to 16 aligned bytes lie in one line. The pointer
/// may be null: the code adds to an integer, because adding to a null pointer is undefined.
[[gnu::always_inline]] inline void prefetch(const void* first, size_t bytes) {
    const auto at = reinterpret_cast<uintptr_t>(first);
    // NOLINTBEGIN(performance-no-int-to-ptr): nothing is read there.
    for (size_t offset = 0; offset < bytes; offset += kCacheLine)
        __builtin_prefetch(reinterpret_cast<const void*>(at + offset));
    if (bytes > 16)
        __builtin_prefetch(reinterpret_cast<const void*>(at + bytes - 1));
    // NOLINTEND(performance-no-int-to-ptr)
}

/// Prefetches the cache line `offset` bytes behind a place, perhaps beyond its object, so that it
/// can be written: no other processor has it then. Without options for newer processors, GCC makes
/// of __builtin_prefetch(place, 1) a prefetch for reading.
[[gnu::always_inline]] inline void prefetch_to_write(const void* place, size_t offset) {
    const auto at = reinterpret_cast<uintptr_t>(place) + offset;
#ifdef __x86_64__
    asm volatile("prefetchw (%0)" : : "r"(at));
#else
    // NOLINTNEXTLINE(performance-no-int-to-ptr): as above
    __builtin_prefetch(reinterpret_cast<const void*>(at), 1);
#endif
}

}  // namespace valkyr
