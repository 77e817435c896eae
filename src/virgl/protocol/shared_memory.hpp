// Guest storage: shares memory with a client, which cannot shrink it.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <span>

namespace valkyr::virgl {

/// A sealed, mapped memfd. The client may change its bytes at any time: do not trust them.
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

    /// Creates `bytes` bytes of zeros. errors  OutOfMemory; System: no descriptors
    static Result<SharedMemory> create(size_t bytes);

    [[nodiscard]] int descriptor() const noexcept { return fd_; }
    /// Closes this side's descriptor, once the client has its own. The mapping stays.
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
