// Resource memory: maps the memory of a resource into the program.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/shim/window_memory.hpp"

#include <cstddef>
#include <sys/mman.h>
#include <sys/stat.h>

namespace valkyr::shim {

/// Smaller memory is mapped as the driver asks: fences get pages that nobody touches, and a program
/// waits for many.
inline constexpr size_t kSmallResource = size_t{16} << 10;

/// Maps a resource's memory to read and write. If all its pages exist, because a resource before
/// had the memory, all are mapped at once: a page fault takes longer than writing a page. Pages
/// that nobody has written stay unmade.
inline void* map_resource_memory(size_t bytes, int fd) {
    constexpr size_t kBlock = 512;  // bytes, as stat() counts
    struct stat about {};
    const bool complete =
        fstat(fd, &about) == 0 && static_cast<size_t>(about.st_blocks) * kBlock >= bytes;
    return map_memory(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | (complete ? MAP_POPULATE : 0), fd, 0);
}

}  // namespace valkyr::shim
