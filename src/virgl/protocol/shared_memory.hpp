// Guest storage: memory that a client maps, too, and cannot shrink under us.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace valkyr::virgl {

/// A sealed memfd. The client may change the bytes at any time; nothing read from them is trusted.
class SharedMemory {
public:
    SharedMemory() = default;
    SharedMemory(SharedMemory&& other) noexcept { swap(other); }
    SharedMemory& operator=(SharedMemory&& other) noexcept {
        swap(other);
        return *this;
    }
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    ~SharedMemory();

    /// Zeros. errors  OutOfMemory; System: no descriptors
    static Result<SharedMemory> create(size_t bytes);

    [[nodiscard]] int descriptor() const noexcept { return fd_; }
    /// Our mapping stays; the client has its own descriptor.
    void close_descriptor() noexcept;
    [[nodiscard]] size_t size() const noexcept { return size_; }
    [[nodiscard]] std::span<std::byte> bytes() const noexcept { return {data_, size_}; }

private:
    void swap(SharedMemory& other) noexcept;

    int fd_ = -1;
    size_t size_ = 0;
    std::byte* data_ = nullptr;
};

}  // namespace valkyr::virgl
