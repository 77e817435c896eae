// Kept mappings: keeps what a program has unmapped of resources, for their memory's next use.
// SPDX-License-Identifier: MIT
#include "app/run/shim/kept_mappings.hpp"

#include "app/run/shim/resource_memory.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>

namespace valkyr::shim {
namespace {

struct Mapping {
    std::atomic<void*> address = nullptr;  ///< null: this entry is free
    size_t bytes = 0;
    ino_t memory = 0;         ///< number of its memfd, which none has besides as long as this lives
    uint64_t idle_since = 0;  ///< 0: the driver has it
};

// A program's allocator may call munmap(), and so come here: nothing here allocates, and only who
// unmaps one of these takes the lock, which another thread may hold while the program forks.
std::mutex g_mutex;  ///< for all below but reads of addresses
std::array<Mapping, kMostMappings> g_mappings;
uint64_t g_time = 0;
size_t g_idle_bytes = 0;

template <typename Is>
Mapping* find(const Is& is) {
    for (Mapping& mapping : g_mappings)
        if (is(mapping))
            return &mapping;
    return nullptr;
}

Mapping* oldest_idle() {
    Mapping* oldest = nullptr;
    for (Mapping& mapping : g_mappings)
        if (mapping.idle_since != 0 &&
            (oldest == nullptr || mapping.idle_since < oldest->idle_since))
            oldest = &mapping;
    return oldest;
}

void end(Mapping& mapping) {
    if (mapping.idle_since != 0)
        g_idle_bytes -= mapping.bytes;
    syscall(SYS_munmap, mapping.address.load(), mapping.bytes);
    mapping.idle_since = 0;
    mapping.address = nullptr;
}

/// Takes a free entry, or that of the longest idle mapping, if there is one.
void note(void* address, size_t bytes, ino_t memory) {
    Mapping* place = find([](const Mapping& mapping) { return mapping.address == nullptr; });
    if (place == nullptr && (place = oldest_idle()) != nullptr)
        end(*place);
    if (place == nullptr)
        return;
    place->bytes = bytes;
    place->memory = memory;
    place->address = address;
}

}  // namespace

void* map_kept(size_t bytes, int fd) {
    struct stat about {};
    if (bytes > kLargestKept || fstat(fd, &about) != 0)
        return map_resource_memory(bytes, fd);
    const std::lock_guard lock(g_mutex);
    Mapping* const kept = find([&](const Mapping& mapping) {
        return mapping.idle_since != 0 && mapping.memory == about.st_ino && mapping.bytes == bytes;
    });
    if (kept != nullptr) {
        kept->idle_since = 0;
        g_idle_bytes -= bytes;
        return kept->address;
    }
    void* const address = map_resource_memory(bytes, fd);
    if (address != MAP_FAILED)
        note(address, bytes, about.st_ino);
    return address;
}

bool keep_mapping(void* address, size_t bytes) {
    const auto is_here = [&](const Mapping& mapping) {
        return mapping.address.load(std::memory_order_relaxed) == address;
    };
    if (address == nullptr || find(is_here) == nullptr)
        return false;
    const std::lock_guard lock(g_mutex);
    Mapping* const mapping = find(is_here);
    if (mapping == nullptr || mapping->bytes != bytes || mapping->idle_since != 0)
        return false;
    mapping->idle_since = ++g_time;
    g_idle_bytes += bytes;
    while (g_idle_bytes > kMostIdleBytes)
        end(*oldest_idle());
    return true;
}

}  // namespace valkyr::shim
