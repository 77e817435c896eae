// Kept mappings: keeps what a program has unmapped of resources, for their memory's next use.
// SPDX-License-Identifier: MIT
//
// Valkyr's server gives the memory of a resource that has ended to the next one of the same size.
// Mapping it anew costs a fault for each page, and unmapping it interrupts the other processors:
// more than filling the pages. So a mapping stays when the driver unmaps it.
#pragma once

#include "virgl/protocol/guest_pool.hpp"

#include <cstddef>

namespace valkyr::shim {

/// Larger mappings go at once: the server does not keep their memory.
inline constexpr size_t kLargestKept = virgl::GuestPool::kLargest;
/// The most mappings that are known here; others come and go as the driver asks.
inline constexpr size_t kMostMappings = 512;
/// The most bytes of idle mappings.
inline constexpr size_t kMostIdleBytes = size_t{16} << 20;

/// Maps the memory of a resource to read and write, or returns its idle mapping.
/// errors  as mmap()
void* map_kept(size_t bytes, int fd);

/// Keeps the mapping instead of munmap(). False: it is none of map_kept().
bool keep_mapping(void* address, size_t bytes);

}  // namespace valkyr::shim
