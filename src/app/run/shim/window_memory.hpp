// Window memory: makes memory for a window's pixels that the X server can map, too.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace valkyr::shim {

/// A system call that returns an address. The calls themselves: programs map memory before all
/// libraries are bound.
template <typename... Arguments>
void* address_of_call(long number, Arguments... arguments) {
    return reinterpret_cast<void*>(syscall(number, arguments...));  // NOLINT: the kernel's result
}

/// As mmap().
inline void*
map_memory(void* address, size_t bytes, int protection, int flags, int fd, off_t offset) {
    return address_of_call(SYS_mmap, address, bytes, protection, flags, fd, offset);
}

/// Memory of a descriptor, which the owner closes and unmaps.
struct WindowMemory {
    void* address = nullptr;  ///< null: there was none
    int fd = -1;
};

inline WindowMemory make_window_memory(size_t bytes) {
    const int fd = memfd_create("window", MFD_CLOEXEC);
    if (fd < 0)
        return {};
    void* address = MAP_FAILED;
    if (ftruncate(fd, static_cast<off_t>(bytes)) == 0)
        address = map_memory(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (address != MAP_FAILED)
        return {address, fd};
    close(fd);
    return {};
}

}  // namespace valkyr::shim
