// Guest storage: creates a memfd whose size is sealed before the client gets it.
// SPDX-License-Identifier: MIT
#include "virgl/protocol/shared_memory.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace valkyr::virgl {
namespace {

Error refused(const char* what) {
    const Errc code = errno == ENOMEM ? Errc::OutOfMemory : Errc::System;
    return Error{code, {}, std::string(what) + ": " + std::strerror(errno)};
}

}  // namespace

Result<SharedMemory> SharedMemory::create(size_t bytes) {
    SharedMemory memory;
    const int fd = memfd_create("valkyr-resource", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return refused("memfd_create");
    memory.descriptor_ = Descriptor(fd);
    if (ftruncate(fd, static_cast<off_t>(bytes)) != 0)
        return refused("ftruncate");
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return refused("F_ADD_SEALS");
    void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED)
        return refused("mmap");
    memory.data_ = static_cast<std::byte*>(data);
    memory.size_ = bytes;
    return memory;
}

Descriptor::~Descriptor() {
    if (fd_ >= 0)
        close(fd_);
}

SharedMemory::~SharedMemory() {
    if (data_ != nullptr)
        munmap(data_, size_);
}

void SharedMemory::swap(SharedMemory& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
}

}  // namespace valkyr::virgl
